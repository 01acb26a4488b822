// Time charts. Each can be read as a table too.

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import type { Drawn } from "./chart_plot";
import { part } from "./part";
import { theme } from "./theme";

export interface Series {
  label: string;
  values: (number | null)[];
  kind?: "line" | "bars" | "step" | "area";
  isDashed?: boolean;
}

interface ChartProps {
  title: string;
  /** Seconds since 1970, or plain numbers with `isTime` false. */
  x: number[];
  series: Series[];
  isTime?: boolean;
  xText?: (x: number) => string;
  valueText?: (value: number) => string;
  height?: number;
}

const day = (x: number) => new Date(x * 1000).toISOString().slice(0, 10);

export function Chart({
  title,
  x,
  series,
  isTime = true,
  xText = isTime ? day : String,
  valueText = String,
  height = 240,
}: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const tip = useSignal("");
  const drawn = useRef<Drawn | null>(null);
  const latest = useRef({ x, series, onHover: (_: number | null) => undefined as void });
  latest.current = { x, series, onHover: (i) => (tip.value = i === null ? "" : line(i)) };
  const shape = series.map((it) => `${it.label} ${it.kind} ${it.isDashed}`).join();
  const isEmpty = x.length === 0;
  useEffect(() => {
    const element = place.current;
    if (!element || isEmpty) return;
    let isOver = false;
    void part(() => import("./chart_plot")).then(({ plot }) => {
      if (isOver) return;
      const onHover = (i: number | null) => latest.current.onHover(i);
      drawn.current = plot(element, { ...latest.current, isTime, height, onHover });
    });
    return () => {
      isOver = true;
      drawn.current?.end();
      drawn.current = null;
    };
  }, [shape, isEmpty, theme.value, height]);
  useEffect(() => drawn.current?.show(x, series), [x, series]);
  const line = (i: number) =>
    [
      xText(x[i] ?? 0),
      ...series.map(
        (it) => `${it.label} ${it.values[i] == null ? "none" : valueText(it.values[i] ?? 0)}`,
      ),
    ].join(" · ");
  return (
    <Figure
      title={title}
      head={[isTime ? "Time" : "Value", ...series.map((it) => it.label)]}
      rows={x.map((at, i) => [
        xText(at),
        ...series.map((it) => (it.values[i] == null ? "" : valueText(it.values[i] ?? 0))),
      ])}
    >
      {series.length > 1 && (
        <ul class="chart-legend">
          {series.map((it, i) => (
            <li key={it.label} class={`plot-${i % 4}`}>
              {it.label}
            </li>
          ))}
        </ul>
      )}
      <div ref={place} class="plot" style={{ minHeight: `${height}px` }} />
      <p class="tip" aria-hidden="true">
        {tip.value || " "}
      </p>
    </Figure>
  );
}

interface FigureProps {
  title: string;
  head: string[];
  rows: string[][];
  /** Parts of the picture have a title, which is shown below it: fingers have no pointer. */
  hasTips?: boolean;
  children: ComponentChildren;
}

const titleAt = (target: EventTarget | null) =>
  (target as Element).closest(":has(> title)")?.querySelector(":scope > title")?.textContent ?? "";

function Tips({ children }: { children: ComponentChildren }) {
  const tip = useSignal("");
  const show = (event: PointerEvent) => (tip.value = titleAt(event.target));
  return (
    <div
      class="tips"
      onPointerOver={show}
      onPointerDown={show}
      onPointerLeave={() => (tip.value = "")}
    >
      {children}
      <p class="tip" aria-hidden="true">
        {tip.value || " "}
      </p>
    </div>
  );
}

/** A picture with the table that says the same. */
export function Figure({ title, head, rows, hasTips, children }: FigureProps) {
  const isTable = useSignal(false);
  const id = useId();
  return (
    <figure class="figure" aria-labelledby={id}>
      <figcaption id={id}>
        {title}
        <button
          type="button"
          class="small"
          aria-pressed={isTable.value}
          onClick={() => (isTable.value = !isTable.value)}
        >
          {isTable.value ? "Picture" : "Table"}
        </button>
      </figcaption>
      {isTable.value ? (
        <div
          class="data-table is-short"
          tabIndex={0}
          role="region"
          aria-label={`${title}, as a table`}
        >
          <table>
            <thead>
              <tr>
                {head.map((text) => (
                  <th key={text} scope="col">
                    {text}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((cells, i) => (
                <tr key={i}>
                  {cells.map((text, j) => (
                    <td key={j}>{text}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : hasTips ? (
        <Tips>{children}</Tips>
      ) : (
        children
      )}
    </figure>
  );
}
