// The tree as rows, for screens without room, for the keyboard, and for who cannot see a picture.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { countText, manyText } from "../shared/pieces";
import { badgeNames, toneNames } from "./pieces";
import type { Twig } from "./tree_layout";

interface TreeListProps {
  rows: Twig[];
  closed: ReadonlySet<string>;
  selected?: string;
  way: ReadonlySet<string>;
  found: ReadonlySet<string>;
  marksUnread: boolean;
  onSelect: (id: string) => void;
  onOpen: (id: string) => void;
  onFold: (id: string, isClosed: boolean) => void;
}

const rowHeight = 46;
const extraRows = 6;
const stepsMax = 9;

export function TreeList(props: TreeListProps) {
  const { rows, closed, selected, way, found, marksUnread, onSelect, onOpen, onFold } = props;
  const box = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const height = useSignal(600);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => (height.value = element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const at = rows.findIndex((twig) => twig.node.id === selected);
  useEffect(() => {
    const element = box.current;
    if (!element || at < 0) return;
    const from = at * rowHeight;
    if (from < element.scrollTop || from + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = Math.max(0, from - element.clientHeight / 2);
  }, [selected, rows]);
  const first = Math.max(0, Math.floor(top.value / rowHeight) - extraRows);
  const last = Math.min(rows.length, Math.ceil((top.value + height.value) / rowHeight) + extraRows);

  const onKeyDown = (event: KeyboardEvent) => {
    const twig = rows[at];
    const go = (next: Twig | undefined) => next && onSelect(next.node.id);
    const id = twig?.node.id ?? "";
    const isFolded = closed.has(id);
    if (event.key === "ArrowDown") go(rows[at + 1]);
    else if (event.key === "ArrowUp") go(rows[Math.max(0, at - 1)]);
    else if (event.key === "Home") go(rows[0]);
    else if (event.key === "End") go(rows.at(-1));
    else if (event.key === "ArrowRight") {
      if (isFolded) onFold(id, false);
      else go(twig?.below[0]);
    } else if (event.key === "ArrowLeft") {
      if (twig && twig.below.length > 0 && !isFolded) onFold(id, true);
      else go(twig?.parent);
    } else if (event.key === "Enter" && twig) onOpen(id);
    else return;
    event.preventDefault();
  };
  const row = (twig: Twig, index: number) => {
    const { node, tone, below, parent } = twig;
    const isFolded = closed.has(node.id);
    const isUnread = marksUnread && !node.readByMe;
    const classes = [
      "tree-row",
      way.has(node.id) ? "is-way" : "",
      found.has(node.id) ? "is-found" : "",
      isUnread ? "is-unread" : "",
    ];
    const said = [
      manyText(node.reads, "read"),
      manyText(node.score, "point"),
      ...node.badges.map((badge) => badgeNames[badge]),
      isUnread ? "unread" : "",
    ];
    return (
      <div
        key={node.id}
        id={`twig-${node.id}`}
        role="treeitem"
        class={classes.join(" ")}
        style={{ height: `${rowHeight}px` }}
        aria-level={node.depth + 1}
        aria-setsize={parent?.below.length ?? 1}
        aria-posinset={parent ? parent.below.indexOf(twig) + 1 : 1}
        aria-expanded={below.length > 0 ? !isFolded : undefined}
        aria-selected={node.id === selected}
        data-row={index}
        onClick={() => (node.id === selected ? onOpen(node.id) : onSelect(node.id))}
      >
        <span
          class="tree-step"
          style={{ width: `${Math.min(node.depth, stepsMax) * 0.7}rem` }}
          aria-hidden="true"
        />
        <span
          class={`tree-fold ${below.length > 0 ? "" : "is-leaf"}`}
          aria-hidden="true"
          onClick={(event) => {
            if (below.length === 0) return;
            event.stopPropagation();
            onFold(node.id, !isFolded);
          }}
        >
          {below.length === 0 ? "" : isFolded ? "▸" : "▾"}
        </span>
        <span class={`tree-dot dot-${tone}`} title={toneNames[tone]} aria-hidden="true" />
        <span class="tree-title">
          <strong>{node.title}</strong>
          <small>
            {node.author}
            {isFolded && twig.total > 0 && ` · ${manyText(twig.total, "chapter")} folded away`}
          </small>
        </span>
        <span class="visually-hidden">{`, ${said.filter(Boolean).join(", ")}`}</span>
        <span class="tree-figures" aria-hidden="true">
          <span>{manyText(node.reads, "read")}</span>
          <span>{countText(node.score)} ▲</span>
          <span>{node.children > 0 ? manyText(node.children, "branch", "branches") : ""}</span>
        </span>
      </div>
    );
  };
  const isActiveShown = at >= first && at < last;
  return (
    <div
      ref={box}
      class="tree-list"
      role="tree"
      tabIndex={0}
      aria-label={`All ${countText(rows.length)} chapters`}
      aria-activedescendant={isActiveShown ? `twig-${selected}` : undefined}
      onKeyDown={onKeyDown}
      onScroll={(event) => (top.value = event.currentTarget.scrollTop)}
    >
      <div
        role="none"
        style={{
          paddingTop: `${first * rowHeight}px`,
          paddingBottom: `${(rows.length - last) * rowHeight}px`,
        }}
      >
        {rows.slice(first, last).map((twig, i) => row(twig, first + i))}
      </div>
    </div>
  );
}
