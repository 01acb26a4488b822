import { useSignal } from "@preact/signals";
import { Problem } from "../shared/api";
import { dateText, dayText, timeText } from "../shared/dates";
import { FormProblem, SelectField, SubmitButton, useForm } from "../shared/form";
import { Icon } from "../shared/icons";
import { useShortcut } from "../shared/keys";
import { leaving, removeSoon } from "../shared/leaving";
import { changed, touch } from "../shared/live";
import { Markdown } from "../shared/markdown";
import { Fact, Loading, manyText, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { PictureEditor } from "../shared/picture";
import { Link, navigate } from "../shared/router";
import { done } from "../shared/toast";
import { Gantt, type GanttBar } from "./gantt";
import { borrowersOf, LendForm, LentPanel, ReturnForm } from "./lending";
import { Cover, Crumbs, hrefOf, LentChip, makersText, NotHere } from "./pieces";
import {
  changeItem,
  getItem,
  getLibrary,
  historyPath,
  isItemLeaving,
  itemPath,
  type Item,
  type LendingEvent,
  type Library,
  listCollections,
  listEvents,
  listLoans,
  moveItem,
  ownLibraries,
  removalPath,
  tagOf,
} from "./server";

function Facts({ item }: { item: Item }) {
  const isWeb = /^https?:\/\//i.test(item.pictureUrl ?? "");
  return (
    <dl class="facts">
      {item.collectionId && (
        <Fact name={item.order ? `Number ${item.order} of` : "In"}>
          <Link href={hrefOf.collection({ libraryId: item.libraryId, id: item.collectionId })}>
            {item.collectionName ?? "its collection"}
          </Link>
        </Fact>
      )}
      {item.releaseYear !== undefined && <Fact name="Year">{item.releaseYear}</Fact>}
      {item.duration !== undefined && (
        <Fact name="Length">
          {item.duration} <small>min</small>
        </Fact>
      )}
      {item.isbn && <Fact name="ISBN">{item.isbn}</Fact>}
      {item.tmdbId && <Fact name="TMDB">{item.tmdbId}</Fact>}
      <Fact name="Added">{dayText(item.addedAt)}</Fact>
      {isWeb && (
        <Fact name="Picture">
          <a href={item.pictureUrl} target="_blank" rel="noopener noreferrer">
            {new URL(item.pictureUrl!).hostname}
          </a>
        </Fact>
      )}
    </dl>
  );
}

// The loans that a history tells of, the oldest first.
export function loansOf(events: LendingEvent[]): GanttBar[] {
  const loans: GanttBar[] = [];
  for (const event of [...events].sort((a, b) => (a.at < b.at ? -1 : 1))) {
    const last = loans.at(-1);
    if (event.type === "LENT") {
      const { borrower: label, at: from, dueDate, days = 0 } = event;
      loans.push({ label, from, dueDate, days });
    } else if (last && !last.to) last.to = event.at;
  }
  return loans;
}

function History({ item, events }: { item: Item; events: LendingEvent[] }) {
  if (leaving.value.has(historyPath(item))) events = [];
  const clear = () => removeSoon(historyPath(item), "", `The history of ${item.title} is cleared`);
  const bars = loansOf(events);
  const people = [...new Set(bars.map((bar) => bar.label))];
  const days = bars.reduce((sum, bar) => sum + bar.days, 0);
  return (
    <section class="stack" aria-labelledby="history">
      <div class="row spread">
        <h2 id="history">History</h2>
        {events.length > 0 && !item.lent && (
          <button type="button" class="quiet small" onClick={clear}>
            Clear history
          </button>
        )}
      </div>
      {events.length === 0 ? (
        <p class="soft">It has never left the shelf.</p>
      ) : (
        <>
          <p class="soft">
            Lent {manyText(bars.length, "time")}, {manyText(days, "day")} out in all.
          </p>
          <div class="card">
            <Gantt
              title="Who had it"
              rowName="Borrower"
              barName="Item"
              rows={people.map((name) => ({
                id: name,
                label: name,
                bars: bars
                  .filter((bar) => bar.label === name)
                  .map((bar) => ({ ...bar, label: item.title })),
              }))}
            />
          </div>
          <ol class="timeline">
            {events.map((event) => (
              <li key={event.at} class={event.type === "LENT" ? "is-milestone" : ""}>
                <span>
                  {event.type === "LENT"
                    ? `Lent to ${event.borrower}`
                    : `Back from ${event.borrower}`}{" "}
                  <small>
                    {[
                      event.type === "RETURNED" && `after ${manyText(event.days ?? 0, "day")}`,
                      event.dueDate && `until ${dateText(event.dueDate)}`,
                    ]
                      .filter(Boolean)
                      .join(", ")}
                  </small>
                  {event.note && <em class="event-note">{event.note}</em>}
                </span>
                <time dateTime={event.at}>
                  {dayText(event.at)}, {timeText(event.at)}
                </time>
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

function Move({ item }: { item: Item }) {
  const isOpen = useSignal(false);
  const libraryId = useSignal("");
  const collectionId = useSignal("");
  const { data: libraries } = useLoad(
    async (signal) => (isOpen.value ? ownLibraries(signal) : undefined),
    [isOpen.value],
  );
  const others = libraries?.filter((it) => it.id !== item.libraryId) ?? [];
  const target = libraryId.value || others[0]?.id;
  const { data: collections } = useLoad(
    async (signal) => (target ? listCollections(target, signal) : []),
    [target],
  );
  const { state, onSubmit } = useForm(async () => {
    if (!target) return;
    const moved = await moveItem(item, target, collectionId.value || undefined);
    done(`${item.title} is in ${moved.libraryName} now`, async () => {
      const back = await moveItem(moved, item.libraryId, item.collectionId);
      if (item.order && back.order !== item.order) await changeItem(back, { order: item.order });
      touch();
      navigate(hrefOf.item(item), { replace: true });
    });
    touch();
    navigate(hrefOf.item(moved), { replace: true });
  });
  if (!isOpen.value) {
    return (
      <button type="button" class="quiet start" onClick={() => (isOpen.value = true)}>
        <Icon name="access" /> Move to another library
      </button>
    );
  }
  return (
    <form class="card form" onSubmit={onSubmit} noValidate aria-label="Move">
      {libraries && others.length === 0 ? (
        <p class="soft">You have no other library to move it to.</p>
      ) : (
        <div class="form-row">
          <SelectField
            label="To the library"
            name="libraryId"
            state={state.value}
            value={target ?? ""}
            onChange={(value) => {
              libraryId.value = value;
              collectionId.value = "";
            }}
            options={others.map((it) => ({ value: it.id, label: it.libraryName }))}
          />
          <SelectField
            label="In the collection"
            name="collectionId"
            state={state.value}
            value={collectionId.value}
            onChange={(value) => (collectionId.value = value)}
            options={[
              { value: "", label: "None" },
              ...(collections ?? []).map((it) => ({ value: it.id, label: it.name })),
            ]}
          />
        </div>
      )}
      <FormProblem state={state.value} />
      <div class="form-end">
        <button type="button" onClick={() => (isOpen.value = false)}>
          Cancel
        </button>
        {others.length > 0 && <SubmitButton state={state.value}>Move</SubmitButton>}
      </div>
    </form>
  );
}

interface Found {
  library: Library;
  item: Item;
  events: LendingEvent[];
  borrowers: string[];
}

async function load(libraryId: string, id: string, signal: AbortSignal): Promise<Found> {
  const [library, item] = await Promise.all([
    getLibrary(libraryId, signal),
    getItem(libraryId, id, signal),
  ]);
  if (!library.isOwner) return { library, item, events: [], borrowers: [] };
  const [events, loans] = await Promise.all([listEvents(item, signal), listLoans("all", signal)]);
  return { library, item, events, borrowers: borrowersOf(loans) };
}

export function ItemPage({ libraryId, id }: { libraryId: string; id: string }) {
  const { data, error, reload } = useLoad(
    (signal) => load(libraryId, id, signal),
    [libraryId, id, changed.value],
  );
  const here = hrefOf.item({ libraryId, id });
  const isOwner = data?.library.isOwner ?? false;
  useShortcut("e", "Edit it", () => isOwner && navigate(`${here}/edit`));
  if (isItemLeaving(libraryId, id) || (error instanceof Problem && error.status === 404)) {
    return <NotHere what="item" />;
  }
  if (error !== undefined) return <ProblemBox error={error} onRetry={reload} />;
  if (!data) return <Loading what="Taking it off the shelf" />;
  const { library, item, events, borrowers } = data;
  const remove = () => {
    const words = item.lent ? `, although ${item.lentTo} has it` : "";
    removeSoon(removalPath(item), tagOf(item), `${item.title} is deleted${words}`);
    navigate(hrefOf.library(libraryId));
  };
  return (
    <>
      <div class="item-head">
        <div class="stack">
          <Cover
            item={item}
            makers={makersText(item)}
            className="piece-large"
            alt={`Picture of ${item.title}`}
          />
          {isOwner && (
            <PictureEditor
              title={item.title}
              address={item.pictureUrl}
              path={itemPath(libraryId, id)}
              etag={tagOf(item)}
              onChanged={() => touch()}
              isShown
            />
          )}
        </div>
        <div class="stack">
          <Crumbs library={library} />
          <PageTitle title={item.title} line={makersText(item) || undefined}>
            {isOwner && (
              <>
                <Link class="button" href={`${here}/edit`}>
                  <Icon name="design" /> Edit
                </Link>
                <button type="button" class="danger" onClick={remove}>
                  <Icon name="trash" /> Delete
                </button>
              </>
            )}
          </PageTitle>
          <div class="row">
            <span class="chip">
              <Icon name={item.type === "book" ? "book" : "film"} />
              {item.type === "book" ? "Book" : "Video"}
            </span>
            <LentChip item={item} />
          </div>
          <Facts item={item} />
          {(item.cast?.length ?? 0) > 0 && <p class="soft">With {item.cast!.join(", ")}</p>}
        </div>
      </div>
      <div class="item-body">
        <div class="stack item-column">
          {!isOwner && <LentPanel item={item} />}
          {isOwner && !item.lent && <LendForm item={item} borrowers={borrowers} />}
          {isOwner && item.lent && <ReturnForm item={item} />}
          {item.summary && (
            <section class="stack" aria-labelledby="about">
              <h2 id="about">About</h2>
              <Markdown text={item.summary} />
            </section>
          )}
          {isOwner && <Move item={item} />}
        </div>
        {isOwner && (
          <div class="stack item-column">
            <History item={item} events={events} />
          </div>
        )}
      </div>
    </>
  );
}
