import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { ReadOn } from "../shared/read_on";
import { user } from "../shared/api";
import { Icon } from "../shared/icons";
import { useShortcut } from "../shared/keys";
import { leaving } from "../shared/leaving";
import { changed } from "../shared/live";
import { usePages } from "../shared/pages";
import { Empty, hueOf, Loading, manyText, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { Link, navigate, query, setQuery } from "../shared/router";
import { ListCard, Poster, tagHref } from "./pieces";
import { isCurator, listPath, publicLists, titles, type Watchlist } from "./server";

const typingMs = 200;
const tagsShown = 14;
const sorts = { newest: "Newest", popular: "Most saved" };

/** A field whose words stand in the address a moment after they were typed. */
export function WordsField({ label, hint }: { label: string; hint: string }) {
  const asked = (query.value.get("q") ?? "").trim();
  const typed = useSignal(asked);
  const timer = useRef(0);
  useEffect(() => {
    if (asked !== typed.peek().trim()) typed.value = asked;
  }, [asked]);
  const onType = (text: string) => {
    typed.value = text;
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setQuery({ q: text.trim() || null }), typingMs);
  };
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={hint}
      maxLength={400}
      value={typed.value}
      onInput={(event) => onType(event.currentTarget.value)}
    />
  );
}

/** The tags that lists have, the most used first. */
function tagsOf(lists: Watchlist[]): string[] {
  const counts = new Map<string, number>();
  for (const tag of lists.flatMap((list) => list.tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([tag]) => tag);
}

function TagRail({ tag }: { tag: string }) {
  const { data } = useLoad((signal) => publicLists({ limit: 100 }, signal), [changed.value]);
  const tags = tagsOf(data?.items ?? []).slice(0, tagsShown);
  if (tag && !tags.includes(tag)) tags.unshift(tag);
  if (tags.length === 0) return null;
  return (
    <nav class="tag-rail" aria-label="Tags">
      <Link class="chip chip-large" href="/watch" aria-current={tag ? undefined : "page"}>
        All
      </Link>
      {tags.map((name) => (
        <Link
          key={name}
          class={`chip chip-large ${hueOf(name)}`}
          href={tagHref(name)}
          aria-current={name === tag ? "page" : undefined}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}

function BestRated() {
  const { data } = useLoad(
    async (signal) => {
      const [films, series] = await Promise.all([
        titles("MOVIE", { sort: "rating", limit: 9 }, signal),
        titles("SHOW", { sort: "rating", limit: 5 }, signal),
      ]);
      return [...films.items, ...series.items]
        .filter((title) => title.rating !== undefined)
        .sort((a, b) => (b.rating ?? 0) - (a.rating ?? 0));
    },
    [changed.value],
  );
  if (!data || data.length === 0) return null;
  return (
    <section class="stack" aria-labelledby="best">
      <div class="row spread">
        <h2 id="best">People love these</h2>
        <Link href="/watch/titles?sort=rating">All titles</Link>
      </div>
      <ul class="wall-row" tabIndex={0} aria-labelledby="best">
        {data.map((title) => (
          <Poster key={title.movieId ?? title.showId} title={title} />
        ))}
      </ul>
    </section>
  );
}

function Nothing({ words, tag }: { words: string; tag: string }) {
  if (words || tag) {
    return (
      <Empty title="No list fits">
        <p>{words ? "No public list has these words." : `No public list has the tag ${tag}.`}</p>
        <Link class="button" href="/watch">
          Show all lists
        </Link>
      </Empty>
    );
  }
  return (
    <Empty title="No lists yet">
      <p>Curators make them. The first one could be yours.</p>
      <Link class="button primary" href="/watch/mine">
        Become a curator
      </Link>
    </Empty>
  );
}

export function DiscoverPage() {
  const tag = query.value.get("tag") ?? "";
  const words = (query.value.get("q") ?? "").trim();
  const asked = query.value.get("sort") ?? "newest";
  const sort = asked in sorts ? asked : "newest";
  const lists = usePages(
    (cursor, signal) => publicLists({ tag, q: words, sort: words ? "best" : sort, cursor }, signal),
    [tag, words, sort],
  );
  useShortcut("n", "Make a list", () => navigate("/watch/new"));
  const shown = lists.items.filter((list) => !leaving.value.has(listPath(list.watchlistId)));
  return (
    <>
      <PageTitle
        title="Discover"
        line="Lists of films and series by people with taste, and why each one is on them."
      >
        {isCurator() && (
          <Link class="button primary" href="/watch/new">
            <Icon name="plus" /> New list
          </Link>
        )}
        {user.value === null && (
          <a class="button" href="/signup?next=/watch">
            Make an account
          </a>
        )}
      </PageTitle>
      <div class="find-row">
        <WordsField label="Find lists" hint="Find lists by title, tag or curator" />
        <span class="switch" role="group" aria-label="Order">
          {Object.entries(sorts).map(([value, label]) => (
            <button
              key={value}
              type="button"
              disabled={words !== ""}
              aria-pressed={!words && sort === value}
              onClick={() => setQuery({ sort: value === "newest" ? null : value })}
            >
              {label}
            </button>
          ))}
        </span>
      </div>
      <TagRail tag={tag} />
      {lists.error !== undefined && <ProblemBox error={lists.error} onRetry={lists.reload} />}
      {!lists.first && lists.error === undefined && <Loading what="Looking for lists" />}
      {lists.first && (words || tag) && (
        <p class="soft" role="status">
          {manyText(lists.first.total ?? shown.length, "list")} found
        </p>
      )}
      {lists.first && shown.length === 0 && <Nothing words={words} tag={tag} />}
      {shown.length > 0 && (
        <ul class="list-cards" aria-label="Lists">
          {shown.map((list) => (
            <ListCard key={list.watchlistId} list={list} />
          ))}
        </ul>
      )}
      <ReadOn cursor={lists.cursor} read={lists.more} />
      {!words && !tag && <BestRated />}
    </>
  );
}
