import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface VirtualListProps<T> {
  label: string;
  items: T[];
  itemKey: (item: T) => string;
  rowHeight: number;
  row: (item: T, index: number) => ComponentChildren;
  /** Called when the last rows come into sight. */
  onEnd?: () => void;
}

const extraRows = 8;

/** A list of any length with rows of one height, of which only those in sight are in the page. */
export function VirtualList<T>({
  label,
  items,
  itemKey,
  rowHeight,
  row,
  onEnd,
}: VirtualListProps<T>) {
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
  const first = Math.max(0, Math.floor(top.value / rowHeight) - extraRows);
  const last = Math.min(
    items.length,
    Math.ceil((top.value + height.value) / rowHeight) + extraRows,
  );
  useEffect(() => {
    if (last >= items.length && items.length > 0) onEnd?.();
  }, [last, items.length]);
  return (
    <div
      class="virtual-list"
      ref={box}
      tabIndex={0}
      role="region"
      aria-label={label}
      onScroll={(event) => (top.value = event.currentTarget.scrollTop)}
    >
      <ul
        style={{
          paddingTop: `${first * rowHeight}px`,
          paddingBottom: `${(items.length - last) * rowHeight}px`,
        }}
      >
        {items.slice(first, last).map((item, i) => (
          <li
            key={itemKey(item)}
            aria-setsize={items.length}
            aria-posinset={first + i + 1}
            style={{ height: `${rowHeight}px` }}
          >
            {row(item, first + i)}
          </li>
        ))}
      </ul>
    </div>
  );
}
