import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { download } from "../shared/download";
import { Problem, user } from "../shared/api";
import { Icon } from "../shared/icons";
import { useShortcut } from "../shared/keys";
import { lazyView } from "../shared/lazy_view";
import { keep, leaving, removeSoon } from "../shared/leaving";
import { changed, touch } from "../shared/live";
import { Markdown } from "../shared/markdown";
import { Empty, Loading, manyText, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { Link, navigate, query, setQuery } from "../shared/router";
import { attempt, done } from "../shared/toast";
import { Strip, Thumb } from "./art";
import { Genres, ProgressStrip, RuntimeLeft, Years } from "./list_charts";
import {
  Ago,
  curatorHref,
  factsText,
  kindText,
  listHref,
  minutesText,
  Score,
  SeenButton,
  signedIn,
  signInHref,
  Tags,
  titleHref,
  useDescription,
} from "./pieces";
import {
  type Entry,
  entryPath,
  exportList,
  forgetList,
  getList,
  isAdmin,
  isMine,
  isSeen,
  listPath,
  savedPath,
  saveList,
  tagOf,
  type WholeList,
  yearOf,
} from "./server";

const Comments = lazyView(async () => (await import("./comments")).Comments);

const sorts: Record<string, { label: string; key: (entry: Entry) => number }> = {
  runtime: { label: "Shortest first", key: (it) => it.content?.runtime ?? 1e6 },
  rating: { label: "Best rated first", key: (it) => -(it.content?.rating ?? 0) },
  year: { label: "Oldest first", key: (it) => (it.content && yearOf(it.content)) ?? 1e6 },
};

function SaveButton({ list }: { list: WholeList }) {
  const isBusy = useSignal(false);
  const isSaved = list.me?.saved ?? false;
  const change = async (save: boolean) => {
    if (!signedIn()) return;
    isBusy.value = true;
    keep(savedPath(list.watchlistId));
    await attempt(async () => {
      await (save ? saveList(list.watchlistId) : forgetList(list.watchlistId));
      if (save) done("Saved. You will hear of what changes in it.");
      else done("No longer saved", async () => change(true));
    });
    isBusy.value = false;
    touch();
  };
  useShortcut("s", "Save this list, or forget it", () => void change(!isSaved));
  return (
    <button
      type="button"
      class={isSaved ? "is-saved" : "primary"}
      aria-pressed={isSaved}
      aria-busy={isBusy.value}
      disabled={isBusy.value}
      onClick={() => void change(!isSaved)}
    >
      <Icon name="bookmark" /> {isSaved ? "Saved" : "Save"}
    </button>
  );
}

function Exports({ list }: { list: WholeList }) {
  const take = (format: "json" | "csv") =>
    attempt(async () => {
      const name = list.title.replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-|-$/g, "");
      const file = `${name.slice(0, 60) || "list"}.${format}`;
      download(await exportList(list.watchlistId, format), file);
      done(`${file} is on its way to your downloads`);
    });
  return (
    <p class="row exports">
      <small>Take it along:</small>
      <button type="button" class="small" onClick={() => void take("csv")}>
        CSV
      </button>
      <button type="button" class="small" onClick={() => void take("json")}>
        JSON
      </button>
    </p>
  );
}

function EntryRow({ entry, place }: { entry: Entry; place: number }) {
  const { content } = entry;
  if (!content) {
    return (
      <li class="entry">
        <span class="entry-place">{place}</span>
        <p class="soft">This title is no longer here.</p>
      </li>
    );
  }
  const href = titleHref(entry.contentType, entry.contentId);
  return (
    <li class={`entry ${isSeen(entry) ? "is-seen" : ""}`}>
      <span class="entry-place" aria-hidden="true">
        {place}
      </span>
      <Link href={href} class="entry-thumb" tabIndex={-1} aria-hidden="true">
        <Thumb title={content.title} genres={content.genres} />
      </Link>
      <div class="entry-body">
        <h3>
          <Link href={href}>{content.title}</Link>
        </h3>
        <p class="entry-facts">
          <Score title={content} />
          <span>
            {[kindText(entry.contentType), factsText(content)].filter(Boolean).join(" · ")}
          </span>
          {content.genres.length > 0 && <span>{content.genres.join(", ")}</span>}
        </p>
        {entry.curatorNote && (
          <div class="entry-note">
            <Markdown text={entry.curatorNote} />
          </div>
        )}
      </div>
      {user.value && (
        <SeenButton
          name={content.title}
          type={entry.contentType}
          id={entry.contentId}
          mark={entry.me}
        />
      )}
    </li>
  );
}

function Entries({ list, entries }: { list: WholeList; entries: Entry[] }) {
  const isUnseen = query.value.get("show") === "unseen" && user.value !== null;
  const sort = sorts[query.value.get("sort") ?? ""];
  const placed = entries.map((entry, i) => ({ entry, place: i + 1 }));
  const shown = placed.filter(({ entry }) => !isUnseen || !isSeen(entry));
  if (sort) shown.sort((a, b) => sort.key(a.entry) - sort.key(b.entry));
  useShortcut("u", "All titles, or what is left", () =>
    setQuery({ show: isUnseen ? null : "unseen" }),
  );
  if (entries.length === 0) {
    return (
      <Empty title="This list is empty">
        <p>{isMine(list) ? "Add the first title." : "Its curator has not added a title yet."}</p>
        {isMine(list) && (
          <Link class="button primary" href={`${listHref(list.watchlistId)}/edit`}>
            Add titles
          </Link>
        )}
      </Empty>
    );
  }
  return (
    <section class="stack" aria-labelledby="titles">
      <div class="row spread">
        <h2 id="titles">Titles</h2>
        <span class="row">
          {user.value && (
            <label class="check">
              <input
                type="checkbox"
                checked={isUnseen}
                onChange={(event) =>
                  setQuery({ show: event.currentTarget.checked ? "unseen" : null })
                }
              />
              Only what is left
            </label>
          )}
          <select
            class="auto"
            aria-label="Order of titles"
            value={query.value.get("sort") ?? ""}
            onChange={(event) => setQuery({ sort: event.currentTarget.value || null })}
          >
            <option value="">The curator's order</option>
            {Object.entries(sorts).map(([value, { label }]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </span>
      </div>
      {shown.length === 0 && (
        <Empty title="You have seen all of it">
          <button type="button" onClick={() => setQuery({ show: null })}>
            Show all titles
          </button>
        </Empty>
      )}
      <ol class="entries">
        {shown.map(({ entry, place }) => (
          <EntryRow key={`${entry.contentType}/${entry.contentId}`} entry={entry} place={place} />
        ))}
      </ol>
    </section>
  );
}

// Who opens a saved list has seen what changed in it.
function useSeen(list: WholeList | undefined): void {
  const isSaved = list?.me?.saved ?? false;
  useEffect(() => {
    if (list && isSaved) void saveList(list.watchlistId).catch(() => undefined);
  }, [list?.watchlistId, list?.updatedAt, isSaved]);
}

export function Gone({ what }: { what: string }) {
  return (
    <Empty isPage title={`This ${what} is not here`}>
      <p>It was deleted, it is private, or it never was.</p>
      <Link class="button" href="/watch">
        All lists
      </Link>
    </Empty>
  );
}

export function ListPage({ id }: { id: string }) {
  const { data, error, reload } = useLoad((signal) => getList(id, signal), [id, changed.value]);
  useSeen(data);
  useDescription(data?.description);
  const isOwn = data !== undefined && isMine(data);
  useShortcut("e", "Edit this list", () => isOwn && navigate(`${listHref(id)}/edit`));
  if (leaving.value.has(listPath(id)) || (error instanceof Problem && error.status === 404))
    return <Gone what="list" />;
  if (error !== undefined) return <ProblemBox error={error} onRetry={reload} />;
  if (!data) return <Loading what="Opening the list" />;
  const entries = data.items.filter((entry) => !leaving.value.has(entryPath(id, entry)));
  const remove = () => {
    removeSoon(listPath(id), tagOf(data), `${data.title} is deleted`);
    navigate("/watch");
  };
  const minutes = entries.reduce((sum, entry) => sum + (entry.content?.runtime ?? 0), 0);
  return (
    <>
      <div class="list-head">
        <Strip
          seed={data.title}
          count={entries.length}
          titles={entries.map((entry) => entry.content ?? { title: entry.contentId, genres: [] })}
        />
        <PageTitle
          title={data.title}
          line={
            <>
              by <Link href={curatorHref(data.curatorId)}>{data.curatorName ?? "somebody"}</Link>
              {" · "}
              {manyText(entries.length, "title")}
              {minutes > 0 && ` · ${minutesText(minutes)} of film`}
              {data.saveCount > 0 && ` · ${manyText(data.saveCount, "save")}`}
              {" · changed "}
              <Ago time={data.updatedAt} />
            </>
          }
        >
          {!isOwn && <SaveButton list={data} />}
          {!isOwn && isAdmin() && (
            <button type="button" class="danger" onClick={remove}>
              <Icon name="trash" /> Delete
            </button>
          )}
          {isOwn && (
            <Link class="button primary" href={`${listHref(id)}/edit`}>
              <Icon name="design" /> Edit
            </Link>
          )}
        </PageTitle>
        {!data.isPublic && (
          <p class="private-line">
            <Icon name="lock" /> {isOwn ? "Only you see this list." : "This list is private."}
          </p>
        )}
        {data.description && <Markdown text={data.description} />}
        {data.tags.length > 0 && <Tags tags={data.tags} />}
      </div>
      <div class="list-body">
        {entries.length > 0 && (
          <section class="card list-progress" aria-label="Your progress">
            {user.value ? (
              <ProgressStrip entries={entries} />
            ) : (
              <>
                <h2>How much have you seen?</h2>
                <p class="soft">
                  <a href={signInHref()}>Sign in</a> to tick off titles and see how many hours are
                  left.
                </p>
              </>
            )}
          </section>
        )}
        <div class="list-titles">
          <Entries list={data} entries={entries} />
        </div>
        {entries.length > 0 && (
          <aside class="list-charts stack" aria-label="About this list">
            {user.value && (
              <section class="card">
                <RuntimeLeft entries={entries} />
              </section>
            )}
            <section class="card stack">
              <Genres entries={entries} />
              <Years entries={entries} />
            </section>
            <Exports list={data} />
          </aside>
        )}
        <div class="list-comments">
          <Comments list={data} />
        </div>
      </div>
    </>
  );
}
