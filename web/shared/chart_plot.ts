// Loaded with the first chart of a page.

import uPlot from "uplot";
import type { Series } from "./chart";

interface Plot {
  x: number[];
  series: Series[];
  isTime: boolean;
  height: number;
  onHover: (index: number | null) => void;
}

export interface Drawn {
  show(x: number[], series: Series[]): void;
  end(): void;
}

// Dates as everywhere here: 2026-01-31, 13:05.
const day = "\n{YYYY}-{MM}-{DD}";
const rest = [null, null, null, null, null, 1];
const times = [
  [31_536_000, "{YYYY}", null, ...rest],
  [2_419_200, "{MMM}", "\n{YYYY}", ...rest],
  [86_400, "{MM}-{DD}", "\n{YYYY}", ...rest],
  [60, "{HH}:{mm}", day, null, day, null, null, null, 1],
  [1, "{HH}:{mm}:{ss}", day, null, day, null, null, null, 1],
  [0.001, "{ss}.{fff}", day, null, day, null, null, null, 1],
];

/** A single point stands in the middle of its day, and not of the years around it. */
function around(first: number, last: number, isTime: boolean): uPlot.Range.MinMax {
  if (first !== last || first === null) return [first, last];
  const half = isTime ? 43_200 : 1;
  return [first - half, last + half];
}

export function plot(element: HTMLElement, options: Plot): Drawn {
  const { x, series, isTime, height, onHover } = options;
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const axis = {
    stroke: colour("--ink-soft"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
  };
  const paths = uPlot.paths;
  const draw = (kind: Series["kind"]) => {
    if (kind === "bars") return paths.bars?.({ size: [0.7, 40], radius: 0.15 });
    return kind === "step" ? paths.stepped?.({ align: 1 }) : paths.linear?.();
  };
  const chart = new uPlot(
    {
      width: Math.max(element.clientWidth, 120),
      height,
      scales: {
        x: { time: isTime, range: (_, first, last) => around(first, last, isTime) },
        y: { range: (_, least, most) => [Math.min(0, least), most > 0 ? most * 1.05 : 1] },
      },
      axes: [
        isTime ? { ...axis, values: times as uPlot.Axis.Values } : axis,
        { ...axis, size: 48 },
      ],
      legend: { show: false },
      cursor: { y: false, points: { size: 7 } },
      hooks: { setCursor: [(self) => onHover(self.cursor.idx ?? null)] },
      series: [
        {},
        ...series.map((it, i) => ({
          label: it.label,
          stroke: colour(`--plot-${i % 4}`),
          fill:
            it.kind === "bars" || it.kind === "area" ? `${colour(`--plot-${i % 4}`)}55` : undefined,
          width: it.kind === "bars" ? 0 : 2,
          dash: it.isDashed ? [6, 5] : undefined,
          paths: draw(it.kind),
          points: { show: false },
        })),
      ],
    },
    [x, ...series.map((it) => it.values)],
    element,
  );
  const observer = new ResizeObserver(() =>
    chart.setSize({ width: Math.max(element.clientWidth, 120), height }),
  );
  observer.observe(element);
  return {
    show: (nextX, next) => chart.setData([nextX, ...next.map((it) => it.values)]),
    end() {
      observer.disconnect();
      chart.destroy();
    },
  };
}
