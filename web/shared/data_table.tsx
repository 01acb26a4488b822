// Tables of any length: only the rows in sight are in the page.

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

export interface Column<T> {
  name: string;
  title?: ComponentChildren;
  cell: (row: T, index: number) => ComponentChildren;
  isNumeric?: boolean;
  className?: string;
}

interface DataTableProps<T> {
  label: string;
  columns: Column<T>[];
  rows: T[];
  rowKey: (row: T, index: number) => string;
  onOpen?: (row: T) => void;
  /** Called when the last rows come into sight. */
  onEnd?: () => void;
  rowHeight?: number;
  /** Shows all rows and takes as much room as they need. */
  isShort?: boolean;
  rowClass?: (row: T) => string;
}

const extraRows = 12;

// What is in a row does what it does itself.
const isPlain = (event: MouseEvent) => !(event.target as Element).closest("a, button");

export function DataTable<T>(props: DataTableProps<T>) {
  const { label, columns, rows, rowKey, onOpen, onEnd, rowHeight = 36, isShort, rowClass } = props;
  const box = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const height = useSignal(640);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => (height.value = element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const first = isShort ? 0 : Math.max(0, Math.floor(top.value / rowHeight) - extraRows);
  const last = isShort
    ? rows.length
    : Math.min(rows.length, Math.ceil((top.value + height.value) / rowHeight) + extraRows);
  useEffect(() => {
    if (!isShort && last >= rows.length && rows.length > 0) onEnd?.();
  }, [last, rows.length]);

  const onKeyDown = (event: KeyboardEvent) => {
    const row = (event.target as HTMLElement).closest("tr");
    if (!row || !(event.target instanceof HTMLTableRowElement)) return;
    const go = (next: Element | null) =>
      next instanceof HTMLElement && next.tabIndex >= 0 && next.focus();
    if (event.key === "ArrowDown") go(row.nextElementSibling);
    else if (event.key === "ArrowUp") go(row.previousElementSibling);
    else if (event.key === "Enter") row.click();
    else return;
    event.preventDefault();
  };
  const spacer = (count: number) =>
    count > 0 && (
      <tr class="spacer" aria-hidden="true">
        <td colSpan={columns.length} style={{ height: `${count * rowHeight}px` }} />
      </tr>
    );
  return (
    <div
      class={`data-table ${isShort ? "is-short" : ""}`}
      ref={box}
      tabIndex={0}
      role="region"
      aria-label={label}
      onScroll={(event) => (top.value = event.currentTarget.scrollTop)}
    >
      <table aria-rowcount={rows.length + 1} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col" class={column.isNumeric ? "numeric" : ""}>
                {column.title ?? column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {spacer(first)}
          {rows.slice(first, last).map((row, i) => (
            <tr
              key={rowKey(row, first + i)}
              aria-rowindex={first + i + 2}
              tabIndex={onOpen ? 0 : undefined}
              class={`${onOpen ? "opens" : ""} ${rowClass?.(row) ?? ""}`}
              onClick={onOpen && ((event) => isPlain(event) && onOpen(row))}
            >
              {columns.map((column) => (
                <td
                  key={column.name}
                  class={`${column.isNumeric ? "numeric" : ""} ${column.className ?? ""}`}
                >
                  {column.cell(row, first + i)}
                </td>
              ))}
            </tr>
          ))}
          {spacer(rows.length - last)}
        </tbody>
      </table>
    </div>
  );
}
