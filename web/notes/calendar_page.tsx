import { signal, useSignal } from "@preact/signals";
import { Icon } from "../shared/icons";
import { useShortcut } from "../shared/keys";
import { leaving } from "../shared/leaving";
import { changed } from "../shared/live";
import { Loading, manyText, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { Link, navigate, query, setQuery } from "../shared/router";
import { isDone } from "./actions";
import { dayHref, Event } from "./calendar_event";
import { type Moving, useMoving } from "./calendar_move";
import {
  addDays,
  clockOf,
  isDate,
  isDay,
  isOverdue,
  longDay,
  mondayOf,
  monthText,
  nearDay,
  shortDay,
  today,
  weekdayText,
  weekText,
} from "./days";
import { NoteRow } from "./pieces";
import { calendar, listNotes, type Note, notePath } from "./server";
import { scrollerOf, WeekGrid } from "./week_grid";

// As in notes.css: here days stand below each other.
const narrow = matchMedia("(max-width: 46rem)");
const isNarrow = signal(narrow.matches);
narrow.addEventListener("change", () => (isNarrow.value = narrow.matches));

const eventsMax = 3;
const dotsMax = 4;

interface DayProps {
  date: string;
  notes: Note[];
  moving: Moving;
}

function MonthDay({
  date,
  notes,
  moving,
  month,
  chosen,
}: DayProps & { month: string; chosen: string }) {
  const classes = [
    "day",
    date.startsWith(month) ? "" : "is-other",
    date === today() ? "is-today" : "",
    date === chosen ? "is-chosen" : "",
    moving.held?.spot?.date === date ? "is-target" : "",
  ];
  const hidden = notes.length - eventsMax;
  // With one more than there is room for, the room is better used by it than by a number.
  const shown = hidden === 1 ? notes : notes.slice(0, eventsMax);
  return (
    <td class={classes.join(" ")} data-day={date}>
      <div class="day-inside">
        <Link
          class="day-number"
          href={dayHref(date)}
          aria-label={`${longDay(date)}, ${manyText(notes.length, "note")}`}
          aria-current={date === today() ? "date" : undefined}
        >
          {Number(date.slice(8))}
        </Link>
        <ul class="events">
          {shown.map((note) => (
            <li key={note.id}>
              <Event note={note} moving={moving} />
            </li>
          ))}
        </ul>
        {hidden > 1 && (
          <Link class="more-events" href={dayHref(date)}>
            {hidden} more
          </Link>
        )}
        {notes.length > 0 && (
          <svg class="dots" viewBox="0 0 34 8" aria-hidden="true" focusable="false">
            {notes.slice(0, dotsMax).map((note, i) => (
              <circle
                key={note.id}
                class={isDone(note) ? "dot-done" : isOverdue(note) ? "dot-late" : "dot-open"}
                cx={5 + i * 8 + (Math.max(0, dotsMax - notes.length) * 8) / 2}
                cy={4}
                r={2.6}
              />
            ))}
          </svg>
        )}
      </div>
    </td>
  );
}

interface ViewProps {
  days: string[];
  notesOf: (date: string) => Note[];
  moving: Moving;
  chosen: string;
}

function Month({ days, notesOf, moving, chosen }: ViewProps) {
  const month = chosen.slice(0, 7);
  const weeks = Array.from({ length: days.length / 7 }, (_, i) => days.slice(i * 7, i * 7 + 7));
  return (
    <table class="month" aria-label={monthText(chosen)}>
      <thead>
        <tr>
          {days.slice(0, 7).map((date) => (
            <th key={date} scope="col">
              {weekdayText(date)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((date) => (
              <MonthDay key={date} {...{ date, moving, month, chosen }} notes={notesOf(date)} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function WeekOf({ days, notesOf, moving, chosen }: ViewProps) {
  return (
    <ol class="week" aria-label={`Week of ${shortDay(days[0] ?? chosen)}`}>
      {days.map((date) => {
        const notes = notesOf(date);
        const classes = [
          "week-day",
          date === today() ? "is-today" : "",
          moving.held?.spot?.date === date ? "is-target" : "",
        ];
        return (
          <li key={date} class={classes.join(" ")} data-day={date}>
            <h2>
              <span>{weekdayText(date)}</span>{" "}
              <Link href={dayHref(date)} aria-current={date === today() ? "date" : undefined}>
                {Number(date.slice(8))}
              </Link>
            </h2>
            <ul class="events">
              {notes.map((note) => (
                <li key={note.id}>
                  <Event note={note} moving={moving} />
                </li>
              ))}
            </ul>
            <Link
              class="week-add"
              href={`/notes/new?date=${date}`}
              aria-label={`Write a note for ${longDay(date)}`}
            >
              <Icon name="plus" />
            </Link>
          </li>
        );
      })}
    </ol>
  );
}

function DayPanel({ date, notes, moving }: DayProps) {
  return (
    <section class="card stack side-card" aria-labelledby="day">
      <div class="row spread">
        <h2 id="day">{nearDay(date)}</h2>
        <Link class="button small" href={`/notes/new?date=${date}`}>
          <Icon name="plus" /> Note
        </Link>
      </div>
      {notes.length === 0 ? (
        <p class="soft">Nothing is due.</p>
      ) : (
        <ul class="note-list is-plain">
          {notes.map((note) => (
            <NoteRow
              key={note.id}
              note={note}
              due={
                note.deadline && !isDay(note.deadline) ? (
                  <span class={`due ${isOverdue(note) ? "is-late" : ""}`}>
                    <Icon name="clock" />
                    {clockOf(note.deadline)}
                  </span>
                ) : null
              }
            >
              <button
                type="button"
                class="grip quiet icon-only"
                aria-label={`Move ${note.title}`}
                aria-describedby="move-help"
                {...moving.handlersOf(note, true)}
              >
                <Icon name="grip" />
              </button>
            </NoteRow>
          ))}
        </ul>
      )}
    </section>
  );
}

function Undated({ notes, moving }: { notes: Note[]; moving: Moving }) {
  if (notes.length === 0) return null;
  return (
    <section class="card stack side-card undated" aria-labelledby="undated">
      <h2 id="undated">Without a day</h2>
      <p class="hint">Drag one onto the day by which it should be done.</p>
      <ul class="events">
        {notes.map((note) => (
          <li key={note.id}>
            <Event note={note} moving={moving} />
          </li>
        ))}
      </ul>
    </section>
  );
}

async function load(days: string[], signal: AbortSignal) {
  const [all, undated] = await Promise.all([
    calendar(days[0]!, days.at(-1)!, signal),
    listNotes({ undated: true, done: false }, signal),
  ]);
  return { notes: all.flatMap((day) => day.notes), undated: undated.items };
}

function daysOf(view: "month" | "week", date: string): string[] {
  if (view === "week") return Array.from({ length: 7 }, (_, i) => addDays(mondayOf(date), i));
  const first = mondayOf(`${date.slice(0, 7)}-01`);
  const next = addDays(`${date.slice(0, 7)}-28`, 4).slice(0, 7);
  const last = addDays(mondayOf(addDays(`${next}-01`, -1)), 6);
  const days = [];
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day);
  return days;
}

// The same day of another month, or its last one.
function sameDay(date: string, months: number): string {
  const index = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1 + months;
  const month = `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, "0")}`;
  for (let day = Number(date.slice(8)); day > 28; day -= 1) {
    const tried = `${month}-${day}`;
    if (addDays(tried, 0) === tried) return tried;
  }
  return `${month}-${date.slice(8) > "28" ? "28" : date.slice(8)}`;
}

export function CalendarPage() {
  const view = query.value.get("view") === "week" ? "week" : "month";
  const asked = query.value.get("date") ?? "";
  const chosen = isDate(asked) ? asked : today();
  const days = daysOf(view, chosen);
  const { data, error, reload } = useLoad(
    (signal) => load(days, signal),
    [days[0], days.length, changed.value],
  );
  const said = useSignal("");
  const hasHours = view === "week" && !isNarrow.value;
  const moving = useMoving({ days, chosen, hasHours, said, scroller: scrollerOf });

  const go = (date: string) => setQuery({ date: date === today() ? null : date });
  const step = (by: number) => go(view === "week" ? addDays(chosen, 7 * by) : sameDay(chosen, by));
  const show = (next: "month" | "week") => setQuery({ view: next === "week" ? "week" : null });
  useShortcut(",", "Earlier", () => step(-1));
  useShortcut(".", "Later", () => step(1));
  useShortcut("d", "Go to today", () => go(today()));
  useShortcut("m", "Month", () => show("month"));
  useShortcut("w", "Week", () => show("week"));
  useShortcut("n", "Write a note for the chosen day", () => navigate(`/notes/new?date=${chosen}`));
  useShortcut("Space", "Take up a note that has the focus; arrows, then Enter", () => undefined);

  const here = (note: Note) => !leaving.value.has(notePath(note.id));
  const all = [...(data?.notes ?? []), ...(data?.undated ?? [])].filter(here);
  const order = (note: Note) => moving.spotOf(note)?.time ?? "";
  const byDay = new Map<string, Note[]>();
  for (const note of all) {
    const date = moving.spotOf(note)?.date ?? "";
    byDay.set(date, [...(byDay.get(date) ?? []), note]);
  }
  // What was just moved stays where it was put when the server has it: an element that changes its
  // place would lose the focus.
  const inOrder = (a: Note, b: Note) =>
    order(a).localeCompare(order(b)) || a.title.localeCompare(b.title) || a.id.localeCompare(b.id);
  for (const notes of byDay.values()) notes.sort(inOrder);
  const notesOf = (date: string) => byDay.get(date) ?? [];
  const title =
    view === "week" ? `${weekText(days[0]!)} ${days[6]!.slice(0, 4)}` : monthText(chosen);
  const unit = view === "week" ? "week" : "month";
  return (
    <>
      <PageTitle title={title}>
        <span class="row tight calendar-tools">
          <button
            type="button"
            class="icon-only"
            aria-label={`The ${unit} before`}
            onClick={() => step(-1)}
          >
            <Icon name="back" />
          </button>
          <button type="button" onClick={() => go(today())}>
            Today
          </button>
          <button
            type="button"
            class="icon-only"
            aria-label={`The ${unit} after`}
            onClick={() => step(1)}
          >
            <Icon name="next" />
          </button>
          <span class="switch" role="group" aria-label="View">
            <button type="button" aria-pressed={view === "month"} onClick={() => show("month")}>
              Month
            </button>
            <button type="button" aria-pressed={view === "week"} onClick={() => show("week")}>
              Week
            </button>
          </span>
        </span>
      </PageTitle>
      {error !== undefined && <ProblemBox error={error} onRetry={reload} />}
      {!data && error === undefined && <Loading what="Opening the calendar" />}
      {data && (
        <div class={`calendar calendar-${view}`}>
          {hasHours ? (
            <WeekGrid {...{ days, notesOf, moving }} />
          ) : view === "week" ? (
            <WeekOf {...{ days, notesOf, moving, chosen }} />
          ) : (
            <Month {...{ days, notesOf, moving, chosen }} />
          )}
          <div class="stack calendar-side">
            <DayPanel date={chosen} notes={notesOf(chosen)} moving={moving} />
            <Undated notes={notesOf("")} moving={moving} />
          </div>
        </div>
      )}
      <p id="move-help" class="hint">
        Drag a note to another day{hasHours && ", or to another hour,"} to move it; with a finger,
        hold it first. With the keyboard: <kbd>Space</kbd> takes it up, arrows choose the{" "}
        {hasHours ? (
          <>
            day and the time, <kbd>Home</kbd> the whole day,{" "}
          </>
        ) : (
          "day, "
        )}
        <kbd>Enter</kbd> puts it down.
        {!hasHours && " A time of day stays what it is."}
      </p>
      <p class="visually-hidden" role="status">
        {said.value}
      </p>
    </>
  );
}
