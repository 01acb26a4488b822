// The plots of the statistics.

import { dateText } from "../shared/dates";
import { countText, manyText } from "../shared/pieces";
import { query, setQuery } from "../shared/router";
import { moneyText, statusNames } from "./pieces";
import { BarList, type Layer, Plot } from "../shared/plot";
import { timeMarks } from "../shared/time_marks";
import { statuses, type Summary } from "./server";

const dayMs = 86_400_000;
const meanDays = 7;
const monthNames = Array.from({ length: 12 }, (_, i) =>
  new Date(Date.UTC(2026, i, 1)).toLocaleDateString("en-GB", { month: "short", timeZone: "UTC" }),
);
const monthOf = (year: number, i: number) => `${year}-${String(i + 1).padStart(2, "0")}`;

interface PagesPerDayProps {
  perDay: Map<string, number>;
  until: string;
  days: number;
}

export function PagesPerDay({ perDay, until, days }: PagesPerDayProps) {
  const end = Date.parse(`${until}T00:00:00Z`);
  const pagesAt = (time: number) => perDay.get(new Date(time).toISOString().slice(0, 10)) ?? 0;
  const all = Array.from({ length: days }, (_, i) => {
    const time = end - (days - 1 - i) * dayMs;
    const week = Array.from({ length: meanDays }, (_day, j) => pagesAt(time - j * dayMs));
    const mean = week.reduce((sum, pages) => sum + pages, 0) / meanDays;
    return { x: time, date: new Date(time).toISOString().slice(0, 10), pages: pagesAt(time), mean };
  });
  const from = end - (days - 0.5) * dayMs;
  return (
    <Plot
      title="Pages per day"
      from={from}
      to={end + dayMs / 2}
      layers={[
        {
          kind: "bars",
          label: "Pages",
          width: dayMs,
          points: all.map(({ x, pages }) => ({ x, y: pages })),
        },
        {
          kind: "line",
          label: "Mean of 7 days",
          tone: 1,
          points: all.map(({ x, mean }) => ({ x, y: mean })),
        },
      ]}
      marks={timeMarks(from, end + dayMs / 2)}
      stops={all.map(({ x, date, pages, mean }) => ({
        x,
        text: `${dateText(date)} · ${manyText(pages, "page")} · mean ${mean.toFixed(1)}`,
      }))}
      head={["Day", "Pages", "Mean of 7 days"]}
      rows={all.map(({ date, pages, mean }) => [date, String(pages), mean.toFixed(1)]).reverse()}
    />
  );
}

interface MonthlyProps {
  title: string;
  unit?: string;
  year: number;
  values: number[];
  texts?: string[];
  goal?: number;
}

function Monthly({ title, unit, year, values, texts, goal }: MonthlyProps) {
  const textOf = (i: number) => texts?.[i] ?? countText(values[i] ?? 0);
  const said = (i: number) => [textOf(i), unit].filter(Boolean).join(" ");
  const layers: Layer[] = [
    { kind: "bars", label: title, width: 1, points: values.map((y, x) => ({ x, y })) },
  ];
  const part = goal ? goal / 12 : undefined;
  if (part) {
    const text = Number.isInteger(part) ? String(part) : part.toFixed(1);
    layers.push({ kind: "level", label: `Goal, ${text} a month`, y: part, tone: 2 });
  }
  return (
    <section class="card">
      <Plot
        title={title}
        height={200}
        from={-0.6}
        to={11.6}
        layers={layers}
        marks={monthNames.map((text, x) => ({ x, text }))}
        stops={values.map((_, x) => ({ x, text: `${monthNames[x]} ${year} · ${said(x)}` }))}
        head={["Month", title, ...(part ? ["Goal"] : [])]}
        rows={values.map((_, i) => [
          monthOf(year, i),
          textOf(i),
          ...(part ? [part.toFixed(1)] : []),
        ])}
      />
    </section>
  );
}

export function BooksPerMonth({ summary }: { summary: Summary }) {
  const { year, goal } = summary;
  const found = new Map(summary.finishedPerMonth.map(({ month, books }) => [month, books]));
  return (
    <Monthly
      title="Books finished per month"
      unit="books"
      year={year}
      values={monthNames.map((_, i) => found.get(monthOf(year, i)) ?? 0)}
      goal={goal?.books}
    />
  );
}

export function PagesPerMonth({
  summary,
  perDay,
}: {
  summary: Summary;
  perDay: Map<string, number>;
}) {
  const { year, goal } = summary;
  const values = monthNames.map(() => 0);
  for (const [date, pages] of perDay) {
    if (date.startsWith(`${year}-`)) values[Number(date.slice(5, 7)) - 1]! += pages;
  }
  return (
    <Monthly title="Pages per month" unit="pages" year={year} values={values} goal={goal?.pages} />
  );
}

export function Spending({ summary }: { summary: Summary }) {
  const { year, spending } = summary;
  const currencies = spending.total.map((it) => it.currency);
  const asked = query.value.get("currency") ?? "";
  const currency = currencies.includes(asked) ? asked : currencies[0];
  if (!currency) {
    return (
      <section class="card stack">
        <h3>Spending</h3>
        <p class="soft">No book of {year} has a price and a day of purchase.</p>
      </section>
    );
  }
  const months = new Map(
    spending.perMonth.filter((it) => it.currency === currency).map((it) => [it.month, it.amount]),
  );
  const amounts = monthNames.map((_, i) => months.get(monthOf(year, i)) ?? "0");
  const stores = spending.perStore
    .filter((it) => it.currency === currency)
    .map((it) => ({
      label: it.store || "No store named",
      value: Number(it.amount),
      text: moneyText(it.amount, currency),
    }))
    .sort((a, b) => b.value - a.value);
  const total = spending.total.find((it) => it.currency === currency)?.amount ?? "0";
  return (
    <>
      <Monthly
        title={`Spending per month, ${currency}`}
        year={year}
        values={amounts.map(Number)}
        texts={amounts.map((amount) => moneyText(amount, currency))}
      />
      <section class="card stack">
        {currencies.length > 1 && (
          <span class="switch start" role="group" aria-label="Currency">
            {currencies.map((name) => (
              <button
                key={name}
                type="button"
                aria-pressed={name === currency}
                onClick={() => setQuery({ currency: name })}
              >
                {name}
              </button>
            ))}
          </span>
        )}
        <BarList title="Spending per store" unit={`Spent in ${year}`} rows={stores} />
        <p class="soft">
          {moneyText(total, currency)} in {year}
        </p>
      </section>
    </>
  );
}

export function States({ summary }: { summary: Summary }) {
  const rows = statuses.map((status) => ({
    label: statusNames[status],
    value: summary.counts[status],
    text: countText(summary.counts[status]),
  }));
  return (
    <section class="card">
      <BarList title="Books by state, today" unit="Books" rows={rows} />
    </section>
  );
}

const steps = Array.from({ length: 9 }, (_, i) => (1 + i / 2).toFixed(1));

export function Ratings({ summary }: { summary: Summary }) {
  const { histogram, count, average } = summary.ratings;
  const label = (step: string) => step.replace(".0", "");
  return (
    <section class="card stack">
      {count === 0 ? (
        <>
          <h3>Ratings</h3>
          <p class="soft">No book is rated yet.</p>
        </>
      ) : (
        <Plot
          title={`Ratings of all books, ${average} on average`}
          height={200}
          from={0.7}
          to={5.3}
          layers={[
            {
              kind: "bars",
              label: "Books",
              width: 0.5,
              points: steps.map((step) => ({ x: Number(step), y: histogram[step] ?? 0 })),
            },
          ]}
          marks={steps.map((step) => ({ x: Number(step), text: label(step) }))}
          stops={steps.map((step) => ({
            x: Number(step),
            text: `${label(step)} stars · ${manyText(histogram[step] ?? 0, "book")}`,
          }))}
          head={["Stars", "Books"]}
          rows={steps.map((step) => [label(step), String(histogram[step] ?? 0)])}
        />
      )}
    </section>
  );
}
