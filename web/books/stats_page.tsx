import { dateOf } from "../shared/dates";
import { HeatMap } from "../shared/heat_map";
import {
  countText,
  Fact,
  Loading,
  manyText,
  PageTitle,
  ProblemBox,
  useLoad,
} from "../shared/pieces";
import { Link, query, setQuery } from "../shared/router";
import { changed } from "../shared/live";
import { type ReadingStatistics, readingBetween, type Summary, summaryOf } from "./server";
import {
  BooksPerMonth,
  PagesPerDay,
  PagesPerMonth,
  Ratings,
  Spending,
  States,
} from "./stats_charts";

const dayMs = 86_400_000;
const spans = [30, 90, 365];

const shift = (date: string, days: number) =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);

// The heat map's 53 weeks and the days that the first mean needs.
const daysBefore = 377;

async function load(year: number, until: string, signal: AbortSignal) {
  const [summary, days] = await Promise.all([
    summaryOf(year, signal),
    readingBetween(shift(until, -daysBefore), until, signal),
  ]);
  return { summary, days };
}

// How a goal stands, against the part of the year that is over.
function GoalLine({
  name,
  goal,
  actual,
  part,
}: {
  name: "book" | "page";
  goal?: number;
  actual: number;
  part: number;
}) {
  if (!goal) return null;
  const due = Math.floor(goal * part);
  const ahead = actual - due;
  const words =
    actual >= goal
      ? "reached"
      : ahead === 0
        ? "on time"
        : `${manyText(Math.abs(ahead), name)} ${ahead > 0 ? "ahead" : "behind"}`;
  const share = Math.min(100, (actual / goal) * 100);
  const over = Math.round(part * 100);
  const said = `${Math.round(share)} percent of the goal; ${over} percent of the year are over`;
  return (
    <div class="goal">
      <p>
        <strong>
          {countText(actual)} of {manyText(goal, name)}
        </strong>{" "}
        <span class={ahead < 0 && actual < goal ? "soft" : "good"}>{words}</span>
      </p>
      <svg viewBox="0 0 100 4" preserveAspectRatio="none" role="img" aria-label={said}>
        <rect class="goal-whole" width={100} height={4} />
        <rect class="goal-part" width={share} height={4} />
        <rect class="goal-due" x={Math.min(99.4, part * 100)} width={0.6} height={4} />
      </svg>
    </div>
  );
}

function Goal({ summary, today }: { summary: Summary; today: string }) {
  const { year, goal } = summary;
  // A goal for a year that is over is none.
  if (!goal && year < Number(today.slice(0, 4))) return null;
  if (!goal) {
    return (
      <p class="card row spread">
        <span>No goal for {year}.</span>
        <Link class="button" href="/books/profile">
          Set a goal
        </Link>
      </p>
    );
  }
  const begin = Date.parse(`${year}-01-01T00:00:00Z`);
  const length = Date.parse(`${year + 1}-01-01T00:00:00Z`) - begin;
  const over = Date.parse(`${today}T00:00:00Z`) + dayMs - begin;
  const part = Math.min(1, Math.max(0, over / length));
  return (
    <section class="card stack" aria-labelledby="goal">
      <h2 id="goal">The goal for {year}</h2>
      <GoalLine name="book" goal={goal.books} actual={summary.finished} part={part} />
      <GoalLine name="page" goal={goal.pages} actual={summary.pages} part={part} />
    </section>
  );
}

function Totals({
  summary,
  days,
  isNow,
}: {
  summary: Summary;
  days: ReadingStatistics;
  isNow: boolean;
}) {
  const active = days.items.filter((day) => day.date.startsWith(String(summary.year)));
  return (
    <dl class="facts">
      <Fact name={`Finished in ${summary.year}`}>
        {countText(summary.finished)} <small>{summary.finished === 1 ? "book" : "books"}</small>
      </Fact>
      <Fact name="Pages">{countText(summary.pages)}</Fact>
      <Fact name="Days with reading">{active.length}</Fact>
      <Fact name="Pages per day read">
        {active.length > 0 ? Math.round(summary.pages / active.length) : "–"}
      </Fact>
      {isNow && <Fact name="Streak">{manyText(days.streak, "day")}</Fact>}
      <Fact name="Longest streak">{manyText(days.longestStreak, "day")}</Fact>
    </dl>
  );
}

export function StatsPage() {
  const today = dateOf(Date.now());
  const thisYear = Number(today.slice(0, 4));
  const asked = Number(query.value.get("year") ?? thisYear);
  const year = asked >= 1900 && asked <= thisYear ? Math.floor(asked) : thisYear;
  const span = spans.find((days) => String(days) === query.value.get("days")) ?? 90;
  const isNow = year === thisYear;
  const until = isNow ? today : `${year}-12-31`;
  const { data, error, reload } = useLoad(
    (signal) => load(year, until, signal),
    [year, until, changed.value],
  );
  const years = Array.from({ length: 8 }, (_, i) => thisYear - i);
  if (!years.includes(year)) years.push(year);
  const perDay = new Map(data?.days.items.map((day) => [day.date, day.pages]));
  return (
    <>
      <PageTitle title="Statistics" line="What the pages add up to.">
        <select
          aria-label="Year"
          value={String(year)}
          onChange={(event) => {
            const chosen = event.currentTarget.value;
            setQuery({ year: chosen === String(thisYear) ? null : chosen });
          }}
        >
          {years.map((it) => (
            <option key={it} value={String(it)}>
              {it}
            </option>
          ))}
        </select>
      </PageTitle>
      {error !== undefined && <ProblemBox error={error} onRetry={reload} />}
      {!data && error === undefined && <Loading what="Adding up" />}
      {data && (
        <>
          <Totals summary={data.summary} days={data.days} isNow={isNow} />
          <Goal summary={data.summary} today={today} />
          <section class="card stack" aria-label="Days">
            <div class="row spread">
              <h2>Day by day</h2>
              <span class="switch" role="group" aria-label="How many days">
                {spans.map((days) => (
                  <button
                    key={days}
                    type="button"
                    aria-pressed={days === span}
                    onClick={() => setQuery({ days: days === 90 ? null : String(days) })}
                  >
                    {days === 365 ? "Year" : `${days} days`}
                  </button>
                ))}
              </span>
            </div>
            <PagesPerDay perDay={perDay} until={until} days={span} />
            <HeatMap
              title="A year of reading"
              days={perDay}
              until={until}
              unit="pages"
              one="page"
            />
          </section>
          <div class="charts">
            <BooksPerMonth summary={data.summary} />
            <PagesPerMonth summary={data.summary} perDay={perDay} />
            <Spending summary={data.summary} />
            <Ratings summary={data.summary} />
            <States summary={data.summary} />
          </div>
        </>
      )}
    </>
  );
}
