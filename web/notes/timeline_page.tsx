import { changed } from "../shared/live";
import { leaving } from "../shared/leaving";
import { useShortcut } from "../shared/keys";
import { Icon } from "../shared/icons";
import { Empty, Loading, manyText, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { Link, query, setQuery } from "../shared/router";
import { isDone } from "./actions";
import {
  addDays,
  clockOf,
  dayOf,
  isDate,
  isDay,
  isOverdue,
  mondayOf,
  shortDay,
  today,
  weekText,
} from "./days";
import { DeadlinePlot } from "./deadline_plot";
import { NoteRow } from "./pieces";
import { listMany, type Note, notePath } from "./server";

const weeksBack = 4;
export const weeksShown = 16;
const stepWeeks = 8;
const notesMax = 1000;

export interface WeekLoad {
  monday: string;
  notes: Note[];
}

function weeksOf(from: string, notes: Note[]): WeekLoad[] {
  const weeks = Array.from({ length: weeksShown }, (_, i) => ({
    monday: addDays(from, 7 * i),
    notes: [] as Note[],
  }));
  const byMonday = new Map(weeks.map((week) => [week.monday, week]));
  for (const note of notes) byMonday.get(mondayOf(dayOf(note.deadline!)))?.notes.push(note);
  for (const week of weeks) week.notes.sort((a, b) => placeOf(a).localeCompare(placeOf(b)));
  return weeks;
}
// A day before its moments, as clocks here show them.
const placeOf = ({ deadline = "" }: Note) =>
  `${dayOf(deadline)} ${isDay(deadline) ? "" : clockOf(deadline)}`;

function weekName(monday: string): string {
  const own = mondayOf(today());
  if (monday === own) return "This week";
  if (monday === addDays(own, 7)) return "Next week";
  if (monday === addDays(own, -7)) return "Last week";
  return weekText(monday);
}

function Load({ notes, most }: { notes: Note[]; most: number }) {
  const done = notes.filter(isDone).length;
  const late = notes.filter(isOverdue).length;
  const words = [
    `${notes.length} due`,
    ...(done > 0 ? [`${done} done`] : []),
    ...(late > 0 ? [`${late} overdue`] : []),
  ];
  const part = (count: number) => (count / Math.max(most, 1)) * 100;
  return (
    <span class="load">
      <small>{words.join(" · ")}</small>
      <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" focusable="false">
        <rect class="meter-whole" width={100} height={4} />
        <rect class="load-open" width={part(notes.length)} height={4} />
        <rect class="load-done" width={part(done)} height={4} />
      </svg>
    </span>
  );
}

function WeekSection({ week, most }: { week: WeekLoad; most: number }) {
  const isNow = week.monday === mondayOf(today());
  const id = `week-${week.monday}`;
  const name = weekName(week.monday);
  if (week.notes.length === 0 && !isNow) {
    return (
      <section class="line-week is-empty" aria-labelledby={id}>
        <h2 id={id}>{name}</h2>
      </section>
    );
  }
  let before = "";
  return (
    <section class={`line-week ${isNow ? "is-now" : ""}`} aria-labelledby={id}>
      <div class="line-head">
        <h2 id={id}>
          {name} {name !== weekText(week.monday) && <small>{weekText(week.monday)}</small>}
        </h2>
        <Load notes={week.notes} most={most} />
      </div>
      {week.notes.length === 0 && <p class="soft">Nothing is due this week.</p>}
      <ul class="note-list">
        {week.notes.map((note) => {
          const day = dayOf(note.deadline!);
          const isFirst = day !== before;
          before = day;
          return (
            <NoteRow
              key={note.id}
              note={note}
              due={
                <span
                  class={`due ${isOverdue(note) ? "is-late" : ""} ${isFirst ? "is-first" : ""}`}
                >
                  <Icon name="clock" />
                  {shortDay(day)}
                  {!isDay(note.deadline!) && `, ${clockOf(note.deadline!)}`}
                </span>
              }
            />
          );
        })}
      </ul>
    </section>
  );
}

// The line begins with this week; what was before it is a step away.
function Past({ weeks, most }: { weeks: WeekLoad[]; most: number }) {
  const notes = weeks.flatMap((week) => week.notes);
  if (notes.length === 0) return null;
  const open = notes.filter((note) => !isDone(note)).length;
  return (
    <details class="line-past">
      <summary>
        {manyText(weeks.length, "week")} before: {notes.length} due,{" "}
        {open === 0 ? "all done" : `${open} still open`}
      </summary>
      <div class="line">
        {weeks.map((week) => (
          <WeekSection key={week.monday} week={week} most={most} />
        ))}
      </div>
    </details>
  );
}

export function TimelinePage() {
  const asked = query.value.get("from") ?? "";
  const usual = addDays(mondayOf(today()), -7 * weeksBack);
  const from = isDate(asked) ? mondayOf(asked) : usual;
  const end = addDays(from, 7 * weeksShown);
  const { data, error, reload } = useLoad(
    // A day more on both sides: moments of one day lie apart from it.
    (signal) =>
      listMany({ dueAfter: addDays(from, -1), dueBefore: addDays(end, 1) }, notesMax, signal),
    [from, changed.value],
  );
  const go = (weeks: number) => {
    const next = addDays(from, 7 * weeks);
    setQuery({ from: next === usual ? null : next });
  };
  useShortcut(",", "Earlier", () => go(-stepWeeks));
  useShortcut(".", "Later", () => go(stepWeeks));
  useShortcut("d", "Go to today", () => setQuery({ from: null }));
  const notes = (data?.notes ?? []).filter(
    (note) =>
      !leaving.value.has(notePath(note.id)) &&
      dayOf(note.deadline!) >= from &&
      dayOf(note.deadline!) < end,
  );
  const weeks = weeksOf(from, notes);
  const past = weeks.slice(0, weeksBack);
  const most = Math.max(...weeks.map((week) => week.notes.length));
  return (
    <>
      <PageTitle
        title="Timeline"
        line={
          `${shortDay(from)} to ${shortDay(addDays(end, -1))}: ` +
          manyText(notes.length, "deadline")
        }
      >
        <button type="button" onClick={() => go(-stepWeeks)}>
          <Icon name="back" /> Earlier
        </button>
        <button type="button" onClick={() => setQuery({ from: null })}>
          Today
        </button>
        <button type="button" onClick={() => go(stepWeeks)}>
          Later <Icon name="next" />
        </button>
      </PageTitle>
      {error !== undefined && <ProblemBox error={error} onRetry={reload} />}
      {!data && error === undefined && <Loading what="Reading your deadlines" />}
      {data && (
        <section class="card">
          <DeadlinePlot weeks={weeks} />
        </section>
      )}
      {data && !data.isAll && (
        <p class="note">
          There is more in these weeks than is shown: the first {data.notes.length} deadlines.
        </p>
      )}
      {data && notes.length === 0 && (
        <Empty title="Nothing is due in these weeks">
          <Link class="button" href="/notes/new">
            Write a note
          </Link>
        </Empty>
      )}
      {notes.length > 0 && (
        <>
          {from === usual && <Past weeks={past} most={most} />}
          <div class="line">
            {(from === usual ? weeks.slice(weeksBack) : weeks).map((week) => (
              <WeekSection key={week.monday} week={week} most={most} />
            ))}
          </div>
        </>
      )}
    </>
  );
}
