// Plots: bars, lines, steps, a band and a ceiling over days, months or plain places.
// They are drawn as elements, so they follow the colours of the page and weigh next to nothing.

import { useSignal } from "@preact/signals";
import { letterWidth, type Mark, marksWithRoom, useWidth } from "./axis";
import { Figure } from "./chart";
import "./plot.css";

export interface Point {
  x: number;
  y: number;
}

export type Layer = { label: string; tone?: 0 | 1 | 2 } & (
  | { kind: "bars"; points: Point[]; width: number }
  | { kind: "line" | "step"; points: Point[]; isDashed?: boolean }
  | { kind: "band"; corners: Point[] }
  | { kind: "level"; y: number }
);

interface PlotProps {
  title: string;
  /** Where the plot begins and ends. */
  from: number;
  to: number;
  layers: Layer[];
  /** What is written below the plot; those without room are left out. */
  marks: Mark[];
  /** What is said about the place nearest to the pointer. */
  stops: { x: number; text: string }[];
  head: string[];
  rows: string[][];
  height?: number;
}

const left = 44;
const right = 10;
const top = 10;
const bottom = 26;

/** About four round steps up to `most`. */
export function ticksUpTo(most: number): number[] {
  const rough = Math.max(most, 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const steps = [1, 2, 2.5, 5, 10].map((it) => Math.max(1, it * power));
  const step = steps.find((it) => it >= rough && Number.isInteger(it)) ?? 1;
  const count = Math.ceil(Math.max(most, 1) / step);
  return Array.from({ length: count + 1 }, (_, i) => i * step);
}

const highestOf = (layer: Layer): number => {
  if (layer.kind === "level") return layer.y;
  const points = layer.kind === "band" ? layer.corners : layer.points;
  return points.reduce((most, point) => Math.max(most, point.y), 0);
};

// On whichever side there is room for it.
function Tip({ x, width, text }: { x: number; width: number; text: string }) {
  const room = text.length * letterWidth;
  const start = Math.max(2, x + 8 + room > width ? Math.min(x - 8 - room, width - room) : x + 8);
  return (
    <text class="plot-tip" x={start} y={top + 12}>
      {text}
    </text>
  );
}

export function Plot(props: PlotProps) {
  const { title, from, to, layers, marks, stops, head, rows, height = 230 } = props;
  const { place, width } = useWidth<HTMLDivElement>();
  const near = useSignal(-1);

  const ticks = ticksUpTo(Math.max(...layers.map(highestOf)));
  const most = ticks.at(-1) ?? 1;
  const inner = { width: Math.max(60, width.value - left - right), height: height - top - bottom };
  const across = (x: number) => ((x - from) / Math.max(to - from, 1e-9)) * inner.width;
  const down = (y: number) => inner.height * (1 - y / most);
  const draw = (layer: Layer, i: number) => {
    const tone = `tone-${layer.tone ?? 0}`;
    if (layer.kind === "level") {
      return (
        <line
          key={i}
          class={`plot-level ${tone}`}
          x1={0}
          x2={inner.width}
          y1={down(layer.y)}
          y2={down(layer.y)}
        />
      );
    }
    const at = (point: Point) => `${across(point.x).toFixed(1)},${down(point.y).toFixed(1)}`;
    if (layer.kind === "band") {
      return (
        <polygon key={i} class={`plot-band ${tone}`} points={layer.corners.map(at).join(" ")} />
      );
    }
    if (layer.kind === "bars") {
      const room = (layer.width / (to - from)) * inner.width;
      const bar = Math.max(1, Math.min(room * 0.78, 38));
      const d = layer.points
        .filter((point) => point.y > 0)
        .map((point) => {
          const high = (inner.height - down(point.y)).toFixed(1);
          const begin = (across(point.x) - bar / 2).toFixed(1);
          return `M${begin} ${inner.height}v-${high}h${bar.toFixed(1)}v${high}z`;
        });
      return <path key={i} class={`plot-bars ${tone}`} d={d.join("")} />;
    }
    const d = layer.points.map((point, j) => {
      const x = across(point.x).toFixed(1);
      const y = down(point.y).toFixed(1);
      if (j === 0) return `M${x} ${y}`;
      return layer.kind === "step" ? `H${x}V${y}` : `L${x} ${y}`;
    });
    return (
      <path
        key={i}
        class={`plot-line ${tone} ${layer.isDashed ? "is-dashed" : ""}`}
        d={d.join("")}
      />
    );
  };

  const written = marksWithRoom(marks, across, inner.width + right);
  const onMove = (event: PointerEvent) => {
    const box = place.current?.getBoundingClientRect();
    if (!box || stops.length === 0) return;
    const x = from + ((event.clientX - box.left - left) / inner.width) * (to - from);
    near.value = stops.reduce(
      (best, stop, i) => (Math.abs(stop.x - x) < Math.abs((stops[best]?.x ?? 0) - x) ? i : best),
      0,
    );
  };
  const stop = stops[near.value];
  return (
    <Figure title={title} head={head} rows={rows}>
      {layers.length > 1 && (
        <ul class="plot-legend" aria-hidden="true">
          {layers.map((layer) => (
            <li key={layer.label} class={`key-${layer.kind} tone-${layer.tone ?? 0}`}>
              {layer.label}
            </li>
          ))}
        </ul>
      )}
      <div
        ref={place}
        class="plot"
        onPointerMove={onMove}
        onPointerDown={onMove}
        onPointerLeave={() => (near.value = -1)}
      >
        <svg
          width={width.value}
          height={height}
          viewBox={`0 0 ${width.value} ${height}`}
          role="img"
          aria-label={`${title}; the table says the same`}
        >
          {ticks.map((tick) => (
            <g key={tick}>
              <line
                class="plot-grid"
                x1={left}
                x2={left + inner.width}
                y1={top + down(tick)}
                y2={top + down(tick)}
              />
              <text class="plot-text" x={left - 8} y={top + down(tick) + 4} text-anchor="end">
                {tick.toLocaleString("en")}
              </text>
            </g>
          ))}
          {written.map((mark) => (
            <text
              key={mark.x}
              class="plot-text"
              x={left + across(mark.x)}
              y={height - 7}
              text-anchor="middle"
            >
              {mark.text}
            </text>
          ))}
          <svg
            x={left}
            y={top - 2}
            width={inner.width}
            height={inner.height + 4}
            viewBox={`0 -2 ${inner.width} ${inner.height + 4}`}
          >
            {layers.map(draw)}
            {stop && (
              <line
                class="plot-stop"
                x1={across(stop.x)}
                x2={across(stop.x)}
                y1={0}
                y2={inner.height}
              />
            )}
          </svg>
          {stop && <Tip x={left + across(stop.x)} width={width.value} text={stop.text} />}
        </svg>
      </div>
    </Figure>
  );
}

interface BarListProps {
  title: string;
  unit: string;
  rows: { label: string; value: number; text: string }[];
}

/** Bars that lie, one below the other, for names. */
export function BarList({ title, unit, rows }: BarListProps) {
  const most = Math.max(...rows.map((row) => row.value), 1e-9);
  return (
    <Figure title={title} head={["Name", unit]} rows={rows.map((row) => [row.label, row.text])}>
      <ul class="bar-list">
        {rows.map((row) => (
          <li key={row.label} title={`${row.label}: ${row.text}`}>
            <span>{row.label}</span>
            <svg
              viewBox="0 0 100 8"
              preserveAspectRatio="none"
              aria-hidden="true"
              focusable="false"
            >
              <rect class="plot-bars tone-0" width={(row.value / most) * 100} height={8} rx={1} />
            </svg>
            <span class="numeric">{row.text}</span>
          </li>
        ))}
      </ul>
    </Figure>
  );
}
