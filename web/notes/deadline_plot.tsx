// Deadlines on a line through time, one dot each, over how much each week has to carry.

import { useEffect, useRef } from "preact/hooks";
import { Figure } from "../shared/chart";
import { ticksUpTo } from "../shared/plot";
import { isDone } from "./actions";
import {
  addDays,
  dayOf,
  daysBetween,
  isOverdue,
  shortDay,
  shortMonth,
  today,
  weekText,
} from "./days";
import type { Note } from "./server";
import type { WeekLoad } from "./timeline_page";

const left = 30;
const weekWidth = 56;
const dayWidth = weekWidth / 7;
const dotStep = 8;
const dotsMax = 12;
const barsHeight = 96;
const gap = 26;

const stateOf = (note: Note) => (isDone(note) ? "done" : isOverdue(note) ? "late" : "open");
const stateNames = { open: "open", late: "overdue", done: "done" };

export function DeadlinePlot({ weeks }: { weeks: WeekLoad[] }) {
  const from = weeks[0]!.monday;
  const byDay = new Map<string, Note[]>();
  for (const note of weeks.flatMap((week) => week.notes)) {
    const day = dayOf(note.deadline!);
    byDay.set(day, [...(byDay.get(day) ?? []), note]);
  }
  const highest = Math.min(dotsMax, Math.max(3, ...[...byDay.values()].map((it) => it.length)));
  const dotsHeight = highest * dotStep + 6;
  const width = left + weeks.length * weekWidth + 6;
  const base = dotsHeight + gap + barsHeight;
  const height = base + 22;
  const ticks = ticksUpTo(Math.max(...weeks.map((week) => week.notes.length)));
  const most = ticks.at(-1) ?? 1;
  const down = (count: number) => base - (count / most) * barsHeight;
  const across = (day: string) => left + daysBetween(from, day) * dayWidth;
  const count = (notes: Note[], state: string) =>
    notes.filter((it) => stateOf(it) === state).length;
  const isHere = today() >= from && today() < addDays(from, weeks.length * 7);
  const title = "Deadlines, and the load per week";
  // Where there is no room for all of it, today is in the middle.
  const region = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = region.current;
    if (!element || !isHere) return;
    const part = across(today()) / width;
    element.scrollLeft = element.scrollWidth * part - element.clientWidth / 2;
  }, [from]);
  return (
    <Figure
      title={title}
      head={["Week", "Due", "Done", "Open", "Overdue"]}
      rows={weeks.map(({ monday, notes }) => [
        `${weekText(monday)} ${monday.slice(0, 4)}`,
        String(notes.length),
        ...["done", "open", "late"].map((state) => String(count(notes, state))),
      ])}
      hasTips
    >
      <ul class="dot-legend" aria-hidden="true">
        {(["open", "late", "done"] as const).map((state) => (
          <li key={state} class={`legend-${state}`}>
            {stateNames[state]}
          </li>
        ))}
      </ul>
      <div
        ref={region}
        class="heat-map deadline-plot"
        tabIndex={0}
        role="region"
        aria-label={title}
      >
        <svg
          viewBox={`0 0 ${width} ${height}`}
          width={width}
          height={height}
          role="img"
          aria-label={`${title}; the table says the same`}
        >
          {ticks.map((tick) => (
            <g key={tick}>
              <line class="plot-grid" x1={left} x2={width} y1={down(tick)} y2={down(tick)} />
              <text class="plot-text" x={left - 7} y={down(tick) + 4} text-anchor="end">
                {tick}
              </text>
            </g>
          ))}
          {weeks.map(({ monday, notes }, i) => {
            const x = left + i * weekWidth;
            const done = count(notes, "done");
            const late = count(notes, "late");
            const bar = (state: string, low: number, high: number) =>
              high > low && (
                <rect
                  class={`load-${state}`}
                  x={x + 7}
                  width={weekWidth - 14}
                  y={down(high)}
                  height={down(low) - down(high)}
                />
              );
            const isMonth = i === 0 || Number(monday.slice(8)) <= 7;
            return (
              <g key={monday}>
                <title>
                  {`${weekText(monday)}: ${notes.length} due, ` + `${done} done, ${late} overdue`}
                </title>
                <rect class="plot-hit" x={x} y={0} width={weekWidth} height={base} />
                {bar("done", 0, done)}
                {bar("late", done, done + late)}
                {bar("open", done + late, notes.length)}
                <text
                  class={`plot-text ${isMonth ? "is-month" : ""}`}
                  x={x + weekWidth / 2}
                  y={height - 5}
                  text-anchor="middle"
                >
                  {Number(monday.slice(8))}
                  {isMonth ? ` ${shortMonth(monday)}` : ""}
                </text>
              </g>
            );
          })}
          <line class="plot-axis" x1={left} x2={width} y1={dotsHeight + 4} y2={dotsHeight + 4} />
          {isHere && (
            <>
              <line
                class="plot-today"
                x1={across(today()) + dayWidth / 2}
                x2={across(today()) + dayWidth / 2}
                y1={0}
                y2={base}
              />
            </>
          )}
          {[...byDay].map(([day, notes]) => (
            <g key={day}>
              <title>{`${shortDay(day)}: ${notes.map((note) => note.title).join(", ")}`}</title>
              {notes.slice(0, dotsMax).map((note, i) => (
                <circle
                  key={note.id}
                  class={`dot-${stateOf(note)}`}
                  cx={across(day) + dayWidth / 2}
                  cy={dotsHeight - 1 - i * dotStep}
                  r={3.2}
                />
              ))}
            </g>
          ))}
        </svg>
      </div>
    </Figure>
  );
}
