// What the shelves and the loans add up to. Loaded when it is opened.

import { dateOf, dateText, wallMs } from "../shared/dates";
import { changed } from "../shared/live";
import {
  countText,
  Empty,
  Fact,
  Loading,
  manyText,
  PageTitle,
  ProblemBox,
  useLoad,
} from "../shared/pieces";
import { BarList, Plot, type Point } from "../shared/plot";
import { Link, query, setQuery } from "../shared/router";
import { timeMarks } from "../shared/time_marks";
import { Completeness, type Series } from "./completeness";
import { Switch } from "./contents_list";
import { Gantt, type GanttRow } from "./gantt";
import { hrefOf } from "./pieces";
import { everyItem, type Item, listLoans, type Loan } from "./server";

const dayMs = 86_400_000;

async function load(signal: AbortSignal) {
  const [items, loans] = await Promise.all([everyItem(signal), listLoans("all", signal)]);
  return { items, loans };
}

const sides = [
  { value: "", label: "By item" },
  { value: "borrower", label: "By borrower" },
];
const spans = [
  { value: "90", label: "90 days" },
  { value: "365", label: "Year" },
  { value: "", label: "All" },
];

function rowsOf(loans: Loan[], isByBorrower: boolean): GanttRow[] {
  const rows = new Map<string, GanttRow>();
  for (const loan of [...loans].sort((a, b) => (a.lentAt < b.lentAt ? -1 : 1))) {
    const { item, borrower, lentAt: from, returnedAt: to, dueDate, days } = loan;
    const id = isByBorrower ? borrower : item.id;
    const row = rows.get(id) ?? {
      id,
      label: isByBorrower ? borrower : item.title,
      href: isByBorrower
        ? `/library/loans?state=all&borrower=${encodeURIComponent(borrower)}`
        : hrefOf.item(item),
      bars: [],
    };
    row.bars.push({ label: isByBorrower ? item.title : borrower, from, to, dueDate, days });
    rows.set(id, row);
  }
  return [...rows.values()];
}

function Lending({ loans }: { loans: Loan[] }) {
  const isByBorrower = query.value.get("by") === "borrower";
  const span = spans.find((it) => it.value === query.value.get("days"))?.value ?? "";
  return (
    <section class="card stack" aria-label="Lending">
      <div class="row spread">
        <Switch
          label="A line for each"
          options={sides}
          value={isByBorrower ? "borrower" : ""}
          onChoose={(by) => setQuery({ by })}
        />
        <Switch
          label="How far back"
          options={spans}
          value={span}
          onChoose={(days) => setQuery({ days })}
        />
      </div>
      <Gantt
        title="Who had what, and when"
        rowName={isByBorrower ? "Borrower" : "Item"}
        barName={isByBorrower ? "Item" : "Borrower"}
        rows={rowsOf(loans, isByBorrower)}
        days={span ? Number(span) : undefined}
      />
    </section>
  );
}

const shownMost = 12;

function DaysOut({ loans }: { loans: Loan[] }) {
  const sums = (nameOf: (loan: Loan) => { id: string; label: string }) => {
    const found = new Map<string, { label: string; value: number }>();
    for (const loan of loans) {
      const { id, label } = nameOf(loan);
      found.set(id, { label, value: (found.get(id)?.value ?? 0) + loan.days });
    }
    return [...found.values()]
      .sort((a, b) => b.value - a.value)
      .slice(0, shownMost)
      .map((it) => ({ ...it, text: manyText(it.value, "day") }));
  };
  return (
    <>
      <section class="card">
        <BarList
          title="Days out, by item"
          unit="Days"
          rows={sums(({ item }) => ({ id: item.id, label: item.title }))}
        />
      </section>
      <section class="card">
        <BarList
          title="Days out, by borrower"
          unit="Days"
          rows={sums(({ borrower }) => ({ id: borrower, label: borrower }))}
        />
      </section>
    </>
  );
}

const lengths = [
  { to: 7, label: "a week" },
  { to: 14, label: "2 weeks" },
  { to: 30, label: "a month" },
  { to: 90, label: "3 months" },
  { to: 365, label: "a year" },
  { to: Infinity, label: "longer" },
];

function Lengths({ loans }: { loans: Loan[] }) {
  const counts = lengths.map(({ to }, i) => {
    const from = lengths[i - 1]?.to ?? -1;
    return loans.filter((loan) => loan.days > from && loan.days <= to).length;
  });
  return (
    <section class="card">
      <Plot
        title="How long loans last"
        height={200}
        from={-0.6}
        to={lengths.length - 0.4}
        layers={[
          { kind: "bars", label: "Loans", width: 1, points: counts.map((y, x) => ({ x, y })) },
        ]}
        marks={lengths.map(({ label }, x) => ({ x, text: label }))}
        stops={lengths.map(({ label }, x) => ({
          x,
          text: `up to ${label} · ${manyText(counts[x] ?? 0, "loan")}`,
        }))}
        head={["Up to", "Loans"]}
        rows={lengths.map(({ label }, i) => [label, String(counts[i])])}
      />
    </section>
  );
}

// One step for each day on which something was added.
function stepsOf(items: Item[], now: number): Point[] {
  const perDay = new Map<string, number>();
  for (const item of items) {
    const date = dateOf(item.addedAt);
    perDay.set(date, (perDay.get(date) ?? 0) + 1);
  }
  let sum = 0;
  const points = [...perDay]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([date, count]) => ({ x: Date.parse(`${date}T00:00:00Z`), y: (sum += count) }));
  return [...points, { x: now, y: sum }];
}

function Growth({ items }: { items: Item[] }) {
  const now = wallMs(Date.now());
  const all = stepsOf(items, now);
  const first = all[0]?.x ?? now;
  const from = Math.min(first - dayMs, now - 30 * dayMs);
  const to = now + (now - from) * 0.02;
  const withStart = (points: Point[]) => [
    { x: from, y: 0 },
    { x: points[0]?.x ?? now, y: 0 },
    ...points,
  ];
  const kinds = (["book", "video"] as const).map((kind) => items.filter((it) => it.type === kind));
  const days = all.slice(0, -1);
  return (
    <section class="card">
      <Plot
        title="Items over time"
        height={220}
        from={from}
        to={to}
        layers={[
          { kind: "step", label: "All", points: withStart(all) },
          { kind: "step", label: "Books", tone: 1, points: withStart(stepsOf(kinds[0]!, now)) },
          { kind: "step", label: "Videos", tone: 2, points: withStart(stepsOf(kinds[1]!, now)) },
        ]}
        marks={timeMarks(from, to)}
        stops={days.map(({ x, y }) => ({
          x,
          text: `${dateText(new Date(x).toISOString().slice(0, 10))} · ${manyText(y, "item")}`,
        }))}
        head={["Day", "Items"]}
        rows={days.map(({ x, y }) => [new Date(x).toISOString().slice(0, 10), String(y)]).reverse()}
      />
    </section>
  );
}

const rowOf = (label: string, value: number) => ({ label, value, text: countText(value) });

function Types({ items }: { items: Item[] }) {
  const count = (type: Item["type"]) => items.filter((it) => it.type === type).length;
  const rows = [rowOf("Books", count("book")), rowOf("Videos", count("video"))];
  return (
    <section class="card">
      <BarList title="Types" unit="Items" rows={rows} />
    </section>
  );
}

function Places({ items }: { items: Item[] }) {
  const names = [...new Set(items.map((it) => it.libraryName))].sort();
  const count = (name: string) => items.filter((it) => it.libraryName === name).length;
  return (
    <section class="card">
      <BarList
        title="Where they stand"
        unit="Items"
        rows={names.map((name) => rowOf(name, count(name)))}
      />
    </section>
  );
}

function Decades({ items }: { items: Item[] }) {
  const years = items.flatMap((it) => it.releaseYear ?? []);
  if (years.length === 0) {
    return (
      <section class="card stack">
        <h3>Videos by decade</h3>
        <p class="soft">No video has a year yet.</p>
      </section>
    );
  }
  const decadeOf = (year: number) => Math.floor(year / 10) * 10;
  const first = decadeOf(Math.min(...years));
  const last = decadeOf(Math.max(...years));
  const decades = Array.from({ length: (last - first) / 10 + 1 }, (_, i) => first + i * 10);
  const counts = decades.map((it) => years.filter((year) => decadeOf(year) === it).length);
  return (
    <section class="card">
      <Plot
        title="Videos by decade"
        height={200}
        from={first - 8}
        to={last + 8}
        layers={[
          {
            kind: "bars",
            label: "Videos",
            width: 10,
            points: decades.map((x, i) => ({ x, y: counts[i] ?? 0 })),
          },
        ]}
        marks={decades.map((x) => ({ x, text: `${x}s` }))}
        stops={decades.map((x, i) => ({
          x,
          text: `${x}s · ${manyText(counts[i] ?? 0, "video")}`,
        }))}
        head={["Decade", "Videos"]}
        rows={decades.map((it, i) => [`${it}s`, String(counts[i])])}
      />
    </section>
  );
}

function seriesOf(items: Item[]): Series[] {
  const series = new Map<string, Series>();
  for (const item of items) {
    if (!item.collectionId || !item.order) continue;
    const row = series.get(item.collectionId) ?? {
      id: item.collectionId,
      label: item.collectionName ?? "",
      orders: [],
      lent: [],
    };
    row.orders.push(item.order);
    if (item.lent) row.lent.push(item.order);
    series.set(item.collectionId, row);
  }
  return [...series.values()].sort((a, b) => a.label.localeCompare(b.label));
}

function Totals({ items, loans }: { items: Item[]; loans: Loan[] }) {
  const out = loans.filter((it) => !it.returnedAt);
  const over = loans.filter((it) => it.returnedAt);
  const mean = over.reduce((sum, it) => sum + it.days, 0) / Math.max(over.length, 1);
  return (
    <dl class="facts">
      <Fact name="Items">{countText(items.length)}</Fact>
      <Fact name="Out now">{countText(out.length)}</Fact>
      <Fact name="Overdue">{countText(out.filter((it) => it.overdue).length)}</Fact>
      <Fact name="Loans so far">{countText(loans.length)}</Fact>
      <Fact name="A loan takes">
        {over.length > 0 ? Math.round(mean) : "–"} <small>days</small>
      </Fact>
    </dl>
  );
}

export function StatsPage() {
  const { data, error, reload } = useLoad(load, [changed.value]);
  const series = data ? seriesOf(data.items) : [];
  return (
    <>
      <PageTitle title="Statistics" line="What stands where, and what travels." />
      {error !== undefined && <ProblemBox error={error} onRetry={reload} />}
      {!data && error === undefined && <Loading what="Counting" />}
      {data?.items.length === 0 && (
        <Empty title="Nothing to count yet">
          <p>Put something on a shelf first.</p>
          <Link class="button" href="/library">
            All libraries
          </Link>
        </Empty>
      )}
      {data && data.items.length > 0 && (
        <>
          <Totals {...data} />
          {data.loans.length > 0 && <Lending loans={data.loans} />}
          <div class="charts">
            {data.loans.length > 0 && <DaysOut loans={data.loans} />}
            {series.length > 0 && (
              <section class="card">
                <Completeness title="How complete collections are" rows={series} />
              </section>
            )}
            <Places items={data.items} />
            <Growth items={data.items} />
            {data.loans.length > 0 && <Lengths loans={data.loans} />}
            <Types items={data.items} />
            <Decades items={data.items} />
          </div>
        </>
      )}
    </>
  );
}
