import { HeatMap } from "../shared/heat_map";
import { changed } from "../shared/live";
import { countText, Empty, Fact, Loading, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { Plot } from "../shared/plot";
import { Link } from "../shared/router";
import {
  addDays,
  dayOf,
  daysBetween,
  isDay,
  isOverdue,
  shortDay,
  shortMonth,
  today,
  weekText,
} from "./days";
import { listMany, type Note, statistics, type Statistics } from "./server";

const weeksAhead = 26;
const trendDays = 84;
const notesMax = 3000;

async function load(signal: AbortSignal) {
  const until = addDays(today(), 7 * weeksAhead + 8);
  const [sums, dated] = await Promise.all([
    statistics(signal),
    // The latest first, so that what is left out is the oldest.
    listMany({ dueBefore: until, order: "desc" }, notesMax, signal),
  ]);
  return { sums, ...dated };
}

/** How many notes were open and over when a day ended; today, how many are now. */
function overdueOn(notes: Note[], date: string): number {
  if (date === today()) return notes.filter(isOverdue).length;
  return notes.filter(({ deadline, done, doneAt }) => {
    // A day is over when the next one has begun.
    const since = isDay(deadline!) ? addDays(deadline!, 1) : dayOf(deadline!);
    return since <= date && (!done || (doneAt !== undefined && dayOf(doneAt) > date));
  }).length;
}

function DoneAndDue({ sums }: { sums: Statistics }) {
  const first = sums.perWeek[0]!.week;
  const weeks = sums.perWeek.map((week) => ({ ...week, x: daysBetween(first, week.week) / 7 }));
  const over = weeks.filter((week) => week.week <= today());
  return (
    <section class="card">
      <Plot
        title="Done and due per week"
        from={-0.6}
        to={weeks.length - 0.4}
        layers={[
          {
            kind: "bars",
            label: "Due in the week",
            tone: 2,
            width: 1,
            points: weeks.map((week) => ({ x: week.x, y: week.due })),
          },
          {
            kind: "bars",
            label: "of these done",
            tone: 0,
            width: 1,
            points: weeks.map((week) => ({ x: week.x, y: week.done })),
          },
          {
            kind: "line",
            label: "Done in the week, whenever due",
            tone: 1,
            isDashed: true,
            points: over.map((week) => ({ x: week.x, y: week.completed })),
          },
        ]}
        marks={weeks.map((week) => ({
          x: week.x,
          text: `${Number(week.week.slice(8))} ${shortMonth(week.week)}`,
        }))}
        stops={weeks.map((week) => ({
          x: week.x,
          text: `${weekText(week.week)} · ${week.due} due, ${week.done} of them done`,
        }))}
        head={["Week", "Due", "Of these done", "Done in the week"]}
        rows={weeks.map((week) => [
          weekText(week.week),
          String(week.due),
          String(week.done),
          String(week.completed),
        ])}
      />
    </section>
  );
}

function OverdueTrend({ notes }: { notes: Note[] }) {
  const first = addDays(today(), -trendDays);
  const days = Array.from({ length: trendDays + 1 }, (_, i) => {
    const date = addDays(first, i);
    return { x: i, date, count: overdueOn(notes, date) };
  });
  return (
    <section class="card">
      <Plot
        title="Overdue at the end of each day"
        from={0}
        to={trendDays + 0.5}
        layers={[
          {
            kind: "step",
            label: "Overdue",
            points: days.map((day) => ({ x: day.x, y: day.count })),
          },
        ]}
        marks={days
          .filter((day) => day.x % 14 === 0)
          .map((day) => ({
            x: day.x,
            text: `${Number(day.date.slice(8))} ${shortMonth(day.date)}`,
          }))}
        stops={days.map((day) => ({
          x: day.x,
          text: `${shortDay(day.date)} · ${day.count} overdue`,
        }))}
        head={["Day", "Overdue"]}
        rows={days.map((day) => [day.date, String(day.count)])}
      />
    </section>
  );
}

function DueHeat({ notes }: { notes: Note[] }) {
  const days = new Map<string, number>();
  for (const note of notes) {
    const day = dayOf(note.deadline!);
    days.set(day, (days.get(day) ?? 0) + 1);
  }
  return (
    <section class="card">
      <HeatMap
        title="Notes due per day, half a year back and ahead"
        days={days}
        until={addDays(today(), 7 * weeksAhead)}
        unit="due"
        mark={today()}
      />
    </section>
  );
}

export function StatsPage() {
  const { data, error, reload } = useLoad(load, [changed.value]);
  if (error !== undefined) return <ProblemBox error={error} onRetry={reload} />;
  const sums = data?.sums;
  return (
    <>
      <PageTitle title="Statistics" line="What is ahead, what is behind you, and what is late." />
      {!data && <Loading what="Adding up" />}
      {data && sums && (
        <>
          <dl class="facts">
            <Fact name="Open">{countText(sums.open)}</Fact>
            <Fact name="Overdue">
              <span class={sums.overdue > 0 ? "bad" : undefined}>{countText(sums.overdue)}</span>
            </Fact>
            <Fact name="Without a day">{countText(sums.undated)}</Fact>
            <Fact name="Done">{countText(sums.done)}</Fact>
            <Fact name="Done of all">
              {sums.completion === undefined ? "–" : `${sums.completion} %`}
            </Fact>
          </dl>
          {sums.open + sums.done === 0 ? (
            <Empty title="Nothing to add up yet">
              <Link class="button primary" href="/notes/new">
                Write a note
              </Link>
            </Empty>
          ) : (
            <div class="charts">
              <DoneAndDue sums={sums} />
              <OverdueTrend notes={data.notes} />
              <div class="wide">
                <DueHeat notes={data.notes} />
              </div>
            </div>
          )}
          {!data.isAll && (
            <p class="note">
              Of your notes with a deadline, the latest {countText(data.notes.length)} are counted
              in the trend and the days.
            </p>
          )}
        </>
      )}
    </>
  );
}
