// Which numbers of a series are there, at home or lent, and which are missing.

import { Figure } from "../shared/chart";
import { runsOf, runText } from "./pieces";

export interface Series {
  id: string;
  label: string;
  orders: number[];
  lent: number[];
}

const cell = 14;
// A strip of more cells would have none that can be seen.
const cellsMax = 200;

const kindNames = { here: "at home", lent: "lent", missing: "missing" };

export function Completeness({ title, rows }: { title: string; rows: Series[] }) {
  const parts = rows.map((row) => {
    const has = new Set(row.orders);
    const lent = new Set(row.lent);
    const last = Math.max(0, ...row.orders);
    const all = Array.from({ length: last }, (_, i) => i + 1);
    return { ...row, has, lent, last, missing: all.filter((order) => !has.has(order)), all };
  });
  const missingText = (missing: number[]) => runsOf(missing).map(runText).join(", ") || "none";
  return (
    <Figure
      title={title}
      head={["Collection", "Here", "Up to", "Lent", "Missing"]}
      rows={parts.map((it) => [
        it.label,
        String(it.has.size),
        String(it.last),
        String(it.lent.size),
        missingText(it.missing),
      ])}
      hasTips
    >
      <ul class="plot-legend" aria-hidden="true">
        <li class="key-cell cell-here">at home</li>
        <li class="key-cell cell-lent">lent</li>
        <li class="key-cell cell-missing">missing</li>
      </ul>
      <ul class="strips">
        {parts.map((it) => {
          const shown = it.all.slice(0, cellsMax);
          const missing = missingText(it.missing);
          const said = `${it.label}: ${it.has.size} of ${it.last}, missing ${missing}`;
          return (
            <li key={it.id}>
              <span class="strip-name">{it.label}</span>
              <svg
                class="strip"
                viewBox={`0 0 ${Math.max(shown.length, 1) * cell} 18`}
                height={18}
                width={Math.max(shown.length, 1) * cell}
                role="img"
                aria-label={said}
              >
                {shown.map((order) => {
                  const kind = !it.has.has(order)
                    ? "missing"
                    : it.lent.has(order)
                      ? "lent"
                      : "here";
                  return (
                    <rect
                      key={order}
                      class={`cell-${kind}`}
                      x={(order - 1) * cell + 1}
                      y={1}
                      width={cell - 3}
                      height={16}
                      rx={2}
                    >
                      <title>{`${it.label}, ${order}: ${kindNames[kind]}`}</title>
                    </rect>
                  );
                })}
              </svg>
              <span class="numeric strip-count">
                {it.has.size} of {it.last}
              </span>
            </li>
          );
        })}
      </ul>
    </Figure>
  );
}
