// A year of days, darker where there is more.

import { useEffect, useRef } from "preact/hooks";
import { Figure } from "./chart";
import { dateText } from "./dates";
import { manyText } from "./pieces";

interface HeatMapProps {
  title: string;
  /** By day, "2026-01-31". */
  days: Map<string, number>;
  /** The last day shown. */
  until: string;
  weeks?: number;
  /** What is counted, in words for several. */
  unit: string;
  /** And for one, where that is another word. */
  one?: string;
  /** A day with a frame around it. */
  mark?: string;
}

const dayMs = 86_400_000;
const cell = 13;
const head = 18;
const levels = [0, 1, 2, 3, 4];
// Narrower than this a month's name has no room.
const labelWeeks = 3;

const monthName = (date: string) =>
  new Date(`${date}T00:00:00Z`).toLocaleDateString("en-GB", { month: "short", timeZone: "UTC" });

export function HeatMap({ title, days, until, weeks = 53, unit, one = unit, mark }: HeatMapProps) {
  const end = Date.parse(`${until}T00:00:00Z`);
  const start = end - ((new Date(end).getUTCDay() + 6) % 7) * dayMs - (weeks - 1) * 7 * dayMs;
  const most = Math.max(1, ...days.values());
  const all = Array.from({ length: Math.round((end - start) / dayMs) + 1 }, (_, i) => {
    const date = new Date(start + i * dayMs).toISOString().slice(0, 10);
    return { date, count: days.get(date) ?? 0, week: Math.floor(i / 7), row: i % 7 };
  });
  const said = (count: number) => manyText(count, one, unit);
  const level = (count: number) =>
    count === 0 ? 0 : 1 + Math.min(3, Math.floor((count / most) * 3.999));
  // Where a year does not fit, the day that is marked is in sight, or the last one.
  const region = useRef<HTMLDivElement>(null);
  const seen = all.find((it) => it.date === mark)?.week ?? weeks;
  useEffect(() => {
    const element = region.current;
    if (element)
      element.scrollLeft = (seen / weeks) * element.scrollWidth - element.clientWidth / 2;
  }, [seen]);
  const months = all.filter(({ date, row, week }, i) => {
    const isFirst = i === 0 || (row === 0 && date.slice(0, 7) !== all[i - 7]?.date.slice(0, 7));
    const next = all[i + 7 * (labelWeeks - 1)];
    const hasRoom = next?.date.slice(0, 7) === date.slice(0, 7) || (i > 0 && week <= weeks - 2);
    return isFirst && hasRoom;
  });
  return (
    <Figure
      title={title}
      head={["Day", unit]}
      rows={all.filter((it) => it.count > 0).map((it) => [it.date, String(it.count)])}
      hasTips
    >
      <div ref={region} class="heat-map" tabIndex={0} role="region" aria-label={title}>
        <svg
          viewBox={`0 0 ${weeks * cell} ${head + 7 * cell}`}
          width={weeks * cell}
          height={head + 7 * cell}
          role="img"
          aria-label={`${title}; the table says the same`}
        >
          {months.map(({ date, week }) => (
            <text key={date} class="heat-month" x={week * cell} y={head - 6}>
              {monthName(date)}
            </text>
          ))}
          {all.map((it) => (
            <rect
              key={it.date}
              class={`heat-${level(it.count)} ${it.date === mark ? "heat-mark" : ""}`}
              x={it.week * cell}
              y={head + it.row * cell}
              width={cell - 2}
              height={cell - 2}
              rx={2.5}
            >
              <title>{`${dateText(it.date)}: ${said(it.count)}`}</title>
            </rect>
          ))}
        </svg>
      </div>
      <p class="heat-key" aria-hidden="true">
        0
        <svg
          viewBox={`0 0 ${levels.length * cell} ${cell}`}
          height={cell}
          width={levels.length * cell}
        >
          {levels.map((it) => (
            <rect
              key={it}
              class={`heat-${it}`}
              x={it * cell}
              width={cell - 2}
              height={cell - 2}
              rx={2.5}
            />
          ))}
        </svg>
        {said(most)}
      </p>
    </Figure>
  );
}
