// Lending as bars over time: one line for each thing, or for each person.

import { marksWithRoom, useWidth } from "../shared/axis";
import { Figure } from "../shared/chart";
import { dateText, dayText, wallMs } from "../shared/dates";
import { manyText } from "../shared/pieces";
import { Link } from "../shared/router";
import { timeMarks } from "../shared/time_marks";

export interface GanttBar {
  /** What it is called in the other dimension. */
  label: string;
  from: string;
  to?: string;
  dueDate?: string;
  days: number;
}

export interface GanttRow {
  id: string;
  label: string;
  href?: string;
  bars: GanttBar[];
}

interface GanttProps {
  title: string;
  rowName: string;
  barName: string;
  rows: GanttRow[];
  /** Shows only this much of the time before now. */
  days?: number;
}

const dayMs = 86_400_000;
const lane = 18;

// A person may have several things at once: each bar is put where there is room.
function lanesOf(bars: GanttBar[]): { bar: GanttBar; lane: number }[] {
  const ends: number[] = [];
  return [...bars]
    .sort((a, b) => (a.from < b.from ? -1 : 1))
    .map((bar) => {
      const from = wallMs(bar.from);
      const free = ends.findIndex((end) => end <= from);
      const at = free < 0 ? ends.length : free;
      ends[at] = bar.to ? wallMs(bar.to) : Infinity;
      return { bar, lane: at };
    });
}

const sentenceOf = (row: GanttRow, bar: GanttBar) =>
  [
    `${row.label} · ${bar.label}`,
    `${dayText(bar.from)} to ${bar.to ? dayText(bar.to) : "now"}`,
    manyText(bar.days, "day"),
    bar.dueDate && `due ${dateText(bar.dueDate)}`,
  ]
    .filter(Boolean)
    .join(" · ");

export function Gantt({ title, rowName, barName, rows, days }: GanttProps) {
  const now = wallMs(Date.now());
  const first = Math.min(
    now - 14 * dayMs,
    ...rows.flatMap((row) => row.bars.map((bar) => wallMs(bar.from))),
  );
  const from = days === undefined ? first - (now - first) * 0.02 : now - days * dayMs;
  const to = now + (now - from) * 0.02;
  const share = (time: number) => ((Math.min(Math.max(time, from), to) - from) / (to - from)) * 100;
  const percent = (time: number) => `${share(time).toFixed(2)}%`;
  const isSeen = (bar: GanttBar) => !bar.to || wallMs(bar.to) >= from;
  const shown = rows
    .map((row) => ({ ...row, bars: row.bars.filter(isSeen) }))
    .filter((row) => row.bars.length > 0);
  const { place, width: axisWidth } = useWidth<SVGSVGElement>();
  const across = (x: number) => (share(x) / 100) * axisWidth.value;
  const marks = marksWithRoom(timeMarks(from, to), across, axisWidth.value).filter(
    (mark) => share(mark.x) > 3,
  );
  return (
    <Figure
      title={title}
      head={[rowName, barName, "From", "To", "Due", "Days"]}
      rows={rows.flatMap((row) =>
        row.bars.map((bar) => [
          row.label,
          bar.label,
          dayText(bar.from),
          bar.to ? dayText(bar.to) : "still out",
          bar.dueDate ? dateText(bar.dueDate) : "",
          String(bar.days),
        ]),
      )}
      hasTips
    >
      <ul class="plot-legend" aria-hidden="true">
        <li class="key-cell bar-back">came back</li>
        <li class="key-cell bar-out">still out</li>
        <li class="key-cell bar-late">longer than agreed</li>
      </ul>
      {shown.length === 0 && <p class="soft">Nothing was out in this time.</p>}
      <ol class="gantt">
        {shown.map((row) => {
          const bars = lanesOf(row.bars);
          const height = (Math.max(...bars.map((it) => it.lane)) + 1) * lane + 6;
          return (
            <li key={row.id}>
              <span class="gantt-name">
                {row.href ? <Link href={row.href}>{row.label}</Link> : row.label}
              </span>
              <svg
                width="100%"
                height={height}
                role="img"
                aria-label={row.bars.map((bar) => sentenceOf(row, bar)).join("; ")}
              >
                {marks.map((mark) => (
                  <line
                    key={mark.x}
                    class="plot-grid"
                    x1={percent(mark.x)}
                    x2={percent(mark.x)}
                    y1={0}
                    y2={height}
                  />
                ))}
                {bars.map(({ bar, lane: at }, i) => {
                  const start = wallMs(bar.from);
                  const end = bar.to ? wallMs(bar.to) : now;
                  const due = bar.dueDate ? Date.parse(`${bar.dueDate}T23:59:59Z`) : Infinity;
                  const y = at * lane + 4;
                  const width = (a: number, b: number) =>
                    `${Math.max(share(b) - share(a), 0.6).toFixed(2)}%`;
                  return (
                    <g key={i}>
                      <title>{sentenceOf(row, bar)}</title>
                      <rect
                        class={bar.to ? "bar-back" : "bar-out"}
                        x={percent(start)}
                        y={y}
                        width={width(start, Math.min(end, due))}
                        height={lane - 5}
                        rx={3}
                      />
                      {end > due && (
                        <rect
                          class="bar-late"
                          x={percent(Math.max(due, start))}
                          y={y}
                          width={width(Math.max(due, start), end)}
                          height={lane - 5}
                          rx={3}
                        />
                      )}
                    </g>
                  );
                })}
              </svg>
            </li>
          );
        })}
        <li class="gantt-axis" aria-hidden="true" hidden={shown.length === 0}>
          <span />
          <svg ref={place} width="100%" height={20}>
            {marks.map((mark) => (
              <text key={mark.x} class="plot-text" x={percent(mark.x)} y={14} text-anchor="middle">
                {mark.text}
              </text>
            ))}
          </svg>
        </li>
      </ol>
    </Figure>
  );
}
