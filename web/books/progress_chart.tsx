// Page over time: a step at each page that was reached, the last page as ceiling, and when it may
// be reached as a band.

import { dateText, dayText, timeText, wallMs } from "../shared/dates";
import { type Layer, Plot } from "../shared/plot";
import { timeMarks } from "../shared/time_marks";
import type { Book, Progress } from "./server";

const dayMs = 86_400_000;
const noon = (date: string) => Date.parse(`${date}T12:00:00Z`);

export function ProgressChart({ book, progress }: { book: Book; progress: Progress }) {
  const { points, forecast } = progress;
  const last = points.at(-1);
  const first = points[0];
  if (!first || !last) return null;
  const total = book.totalPages;
  const start = wallMs(first.t);
  const end = wallMs(last.t);
  const now = wallMs(Date.now());
  const isOpen = book.status === "READING" || book.status === "PAUSED";
  const late = isOpen && forecast ? noon(forecast.late) : 0;
  // A far forecast must not press what was read into a corner.
  const known = Math.max(isOpen ? now : end, end);
  const to = Math.min(Math.max(known, late), known + Math.max(known - start, 14 * dayMs) * 3);
  const margin = Math.max((to - start) * 0.02, dayMs / 4);

  const steps = [
    { x: start, y: 0 },
    ...points.map(({ t, page }) => ({ x: wallMs(t), y: page })),
    ...(isOpen ? [{ x: now, y: last.page }] : []),
  ];
  const layers: Layer[] = [];
  if (isOpen && forecast && total) {
    const corners = [
      { x: end, y: last.page },
      { x: noon(forecast.early), y: total },
      { x: noon(forecast.late), y: total },
    ];
    layers.push({ kind: "band", label: "Forecast", corners, tone: 1 });
  }
  if (total) layers.push({ kind: "level", label: `Last page, ${total}`, y: total, tone: 2 });
  layers.push({ kind: "step", label: "Page", points: steps });
  const percentOf = (percent?: number) => (percent === undefined ? "" : `${percent} %`);
  return (
    <section class="card stack">
      <Plot
        title="Page over time"
        from={start - margin}
        to={to + margin}
        layers={layers}
        marks={timeMarks(start - margin, to + margin)}
        stops={points.map(({ t, page, percent }) => ({
          x: wallMs(t),
          text: [dayText(t), timeText(t), `page ${page}`, percentOf(percent)]
            .filter(Boolean)
            .join(" · "),
        }))}
        head={["Time", "Page", "Percent"]}
        rows={points.map(({ t, page, percent }) => [
          `${dayText(t)}, ${timeText(t)}`,
          String(page),
          percentOf(percent),
        ])}
      />
      {isOpen && forecast && (
        <p class="soft">
          At this pace you reach the end{" "}
          {forecast.early === forecast.late
            ? `about ${dateText(forecast.early)}.`
            : `between ${dateText(forecast.early)} and ${dateText(forecast.late)}.`}
        </p>
      )}
    </section>
  );
}
