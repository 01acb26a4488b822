import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../shared/icons";
import { useShortcut } from "../shared/keys";
import { leaving } from "../shared/leaving";
import { changed } from "../shared/live";
import {
  countText,
  Empty,
  Loading,
  manyText,
  PageTitle,
  ProblemBox,
  useLoad,
} from "../shared/pieces";
import { Link, navigate, query, setQuery } from "../shared/router";
import { attempt } from "../shared/toast";
import { isDone, move, moveAll, setDone } from "./actions";
import {
  addDays,
  dayOf,
  type Group,
  groupOf,
  groups,
  longDay,
  mondayOf,
  monthText,
  today,
} from "./days";
import { NoteRow } from "./pieces";
import { QuickEntry } from "./quick_entry_form";
import { Reminders } from "./reminders";
import { listNotes, type Note, notePath, person, search } from "./server";

const typingMs = 200;
const foundMax = 100;

type Shown = "open" | "done" | "all";

interface Wish {
  show: Shown;
  tag: string;
  words: string;
}

interface Found {
  notes: Note[];
  cursor?: string;
  didYouMean?: string;
}

const fits = (note: Note, { show, tag }: Wish) =>
  (show === "all" || note.done === (show === "done")) &&
  (!tag || note.tags.some((it) => it.toLowerCase() === tag.toLowerCase()));

async function readNotes(wish: Wish, cursor?: string, signal?: AbortSignal): Promise<Found> {
  if (wish.words) {
    const { items, didYouMean } = await search(wish.words, foundMax, signal);
    return { notes: items.map((hit) => hit.item).filter((it) => fits(it, wish)), didYouMean };
  }
  const done = wish.show === "all" ? undefined : wish.show === "done";
  const order = wish.show === "open" ? "asc" : "desc";
  const page = await listNotes({ done, order, tag: wish.tag || undefined, cursor }, signal);
  return { notes: page.items, cursor: page.nextCursor };
}

interface Section {
  name: string;
  label: string;
  notes: Note[];
}

// Open notes by how near they are; what is over by its months.
function sectionsOf(notes: Note[], { show, words }: Wish): Section[] {
  if (words) return [{ name: "found", label: "Found", notes }];
  if (show === "open") {
    const byGroup = new Map<Group, Note[]>();
    for (const note of notes) {
      const group = groupOf(note);
      byGroup.set(group, [...(byGroup.get(group) ?? []), note]);
    }
    return groups
      .map(([name, label]) => ({ name, label, notes: byGroup.get(name) ?? [] }))
      .filter((section) => section.notes.length > 0);
  }
  const byMonth = new Map<string, Section>();
  for (const note of notes) {
    const month = note.deadline ? dayOf(note.deadline).slice(0, 7) : "";
    const label = month ? monthText(`${month}-01`) : "Without a day";
    const section = byMonth.get(month) ?? { name: month || "undated", label, notes: [] };
    section.notes.push(note);
    byMonth.set(month, section);
  }
  return [...byMonth.values()];
}

const isBeforeToday = (note: Note) => !!note.deadline && dayOf(note.deadline) < today();

function OverdueTools({ note }: { note: Note }) {
  return (
    <>
      {isBeforeToday(note) && (
        <button type="button" class="small" onClick={() => void move(note, today())}>
          Today
        </button>
      )}
      <button type="button" class="small" onClick={() => void move(note, addDays(today(), 1))}>
        Tomorrow
      </button>
    </>
  );
}

function SectionOf({ section, isCut }: { section: Section; isCut: boolean }) {
  const isLate = section.name === "overdue";
  const before = isLate ? section.notes.filter(isBeforeToday) : [];
  return (
    <section class={`group ${isLate ? "is-late" : ""}`} aria-labelledby={`group-${section.name}`}>
      <div class="group-head">
        <h2 id={`group-${section.name}`}>
          {section.label}{" "}
          <span class="count">
            {section.notes.length}
            {isCut ? "+" : ""}
          </span>
        </h2>
        {section.name === "today" && <span class="soft">{longDay(today())}</span>}
        {before.length > 1 && (
          <button type="button" class="small" onClick={() => void moveAll(before, today())}>
            Move all to today
          </button>
        )}
      </div>
      <ul class="note-list" aria-labelledby={`group-${section.name}`}>
        {section.notes.map((note) => (
          <NoteRow key={note.id} note={note}>
            {isLate && <OverdueTools note={note} />}
          </NoteRow>
        ))}
      </ul>
    </section>
  );
}

function Tools({ wish, tags }: { wish: Wish; tags: string[] }) {
  const typed = useSignal(wish.words);
  const timer = useRef(0);
  useEffect(() => {
    if (wish.words !== typed.peek().trim()) typed.value = wish.words;
  }, [wish.words]);
  const onType = (text: string) => {
    typed.value = text;
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setQuery({ q: text.trim() || null }), typingMs);
  };
  const shows: [Shown, string][] = [
    ["open", "Open"],
    ["done", "Done"],
    ["all", "All"],
  ];
  return (
    <div class="list-tools">
      <span class="switch" role="group" aria-label="Which notes">
        {shows.map(([show, label]) => (
          <button
            key={show}
            type="button"
            aria-pressed={wish.show === show}
            onClick={() => setQuery({ show: show === "open" ? null : show }, { replace: false })}
          >
            {label}
          </button>
        ))}
      </span>
      <input
        type="search"
        aria-label="Filter by words"
        placeholder="Filter by words"
        value={typed.value}
        onInput={(event) => onType(event.currentTarget.value)}
      />
      {tags.length > 0 && (
        <select
          aria-label="Tag"
          value={wish.tag}
          onChange={(event) => setQuery({ tag: event.currentTarget.value || null })}
        >
          <option value="">All tags</option>
          {tags.map((tag) => (
            <option key={tag} value={tag}>
              {tag}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}

function Nothing({ wish }: { wish: Wish }) {
  const all = () => setQuery({ q: null, tag: null, show: null });
  if (wish.words || wish.tag) {
    return (
      <Empty title="No note fits">
        <p>No note here has these words and this tag.</p>
        <button type="button" onClick={all}>
          Show all open notes
        </button>
      </Empty>
    );
  }
  if (wish.show === "done") {
    return (
      <Empty title="Nothing is done yet">
        <p>What you tick off is kept here.</p>
      </Empty>
    );
  }
  const count = person.value!.counts.done;
  if (count > 0) {
    return (
      <Empty title="All done">
        <p>{manyText(count, "note")} behind you, and none ahead.</p>
      </Empty>
    );
  }
  return (
    <Empty title="Nothing to remember yet">
      <p>
        Write a line above, with the day in it if there is one: <q>Renew passport in 3 weeks</q>.
      </p>
    </Empty>
  );
}

// The rest of a list, read as its end comes into sight.
function useRest(wish: Wish, first: Found | undefined) {
  const rest = useSignal<Found>({ notes: [] });
  const isReading = useRef(false);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    rest.value = { notes: [], cursor: first?.cursor };
  }, [first]);
  const read = async () => {
    const { cursor } = rest.peek();
    if (isReading.current || !cursor) return;
    isReading.current = true;
    await attempt(async () => {
      const page = await readNotes(wish, cursor);
      // A list that was begun anew meanwhile has another rest.
      if (rest.peek().cursor === cursor)
        rest.value = { notes: [...rest.peek().notes, ...page.notes], cursor: page.cursor };
    });
    isReading.current = false;
  };
  useEffect(() => {
    const element = end.current;
    if (!element) return;
    const observer = new IntersectionObserver(
      (seen) => void (seen.some((it) => it.isIntersecting) && read()),
      { rootMargin: "400px" },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [rest.value.cursor]);
  const more = rest.value.cursor && (
    <div ref={end}>
      <button type="button" onClick={() => void read()}>
        Show more
      </button>
    </div>
  );
  return { notes: rest.value.notes, more };
}

function useRowKeys(notes: Note[]): void {
  const rows = () => [...document.querySelectorAll<HTMLElement>(".note-row .note-name")];
  const step = (by: number) => {
    const all = rows();
    const at = all.findIndex((row) => row.closest("li")?.contains(document.activeElement));
    const next = at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by;
    all[Math.min(all.length - 1, Math.max(0, next))]?.focus();
  };
  const chosen = () => {
    const id = document.activeElement?.closest<HTMLElement>("[data-note]")?.dataset.note;
    return notes.find((note) => note.id === id);
  };
  const withChosen = (use: (note: Note) => unknown) => () => {
    const note = chosen();
    if (note) use(note);
  };
  useShortcut("j", "Next note", () => step(1));
  useShortcut("k", "Note before", () => step(-1));
  useShortcut(
    "x",
    "Done, or open again",
    withChosen((note) => setDone(note, !isDone(note))),
  );
  useShortcut(
    "e",
    "Edit the note",
    withChosen((note) => navigate(`/notes/note/${note.id}/edit`)),
  );
  useShortcut(
    "1",
    "Move the note to today",
    withChosen((note) => move(note, today())),
  );
  useShortcut(
    "2",
    "Move it to tomorrow",
    withChosen((note) => move(note, addDays(today(), 1))),
  );
  useShortcut(
    "3",
    "Move it to next Monday",
    withChosen((note) => move(note, addDays(mondayOf(today()), 7))),
  );
}

export function ListPage() {
  const asked = query.value.get("show");
  const wish: Wish = {
    show: asked === "done" || asked === "all" ? asked : "open",
    tag: query.value.get("tag") ?? "",
    words: (query.value.get("q") ?? "").trim(),
  };
  const known = useRef(new Set<string>());
  const { data, error, reload } = useLoad(
    (signal) => readNotes(wish, undefined, signal),
    [wish.show, wish.tag, wish.words, changed.value],
  );
  const { notes: rest, more } = useRest(wish, data);
  const notes = [...(data?.notes ?? []), ...rest].filter(
    (it) => !leaving.value.has(notePath(it.id)),
  );
  useRowKeys(notes);
  useShortcut("n", "Write a note", () => navigate("/notes/new"));
  for (const note of notes) for (const tag of note.tags) known.current.add(tag);
  if (wish.tag) known.current.add(wish.tag);
  const sections = sectionsOf(notes, wish);
  const { open, done } = person.value!.counts;
  return (
    <>
      <div class="list-head">
        <PageTitle title="Notes" line={`${countText(open)} open, ${countText(done)} done`}>
          <Link class="button" href="/notes/new">
            <Icon name="design" /> Write a note
          </Link>
        </PageTitle>
      </div>
      <QuickEntry />
      <Reminders />
      <Tools wish={wish} tags={[...known.current].sort((a, b) => a.localeCompare(b))} />
      {error !== undefined && <ProblemBox error={error} onRetry={reload} />}
      {!data && error === undefined && <Loading what="Reading your notes" />}
      {wish.words && data && (
        <p class="soft" role="status">
          {manyText(notes.length, "note")} found
          {data.didYouMean && (
            <>
              {". Did you mean "}
              <button
                type="button"
                class="small"
                onClick={() => setQuery({ q: data.didYouMean ?? null })}
              >
                {data.didYouMean}
              </button>
              ?
            </>
          )}
        </p>
      )}
      {data && notes.length === 0 && <Nothing wish={wish} />}
      {sections.map((section, i) => (
        <SectionOf
          key={section.name}
          section={section}
          isCut={!!more && i === sections.length - 1}
        />
      ))}
      {more}
    </>
  );
}
