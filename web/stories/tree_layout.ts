// Where each chapter stands in the picture of a story's tree.

import { hierarchy, tree } from "d3-hierarchy";
import { type Tone, toneOf } from "./pieces";
import type { TreeNode } from "./server";

export interface Twig {
  node: TreeNode;
  tone: Tone;
  parent?: Twig;
  below: Twig[];
  /** How many chapters are behind it, at any distance. */
  total: number;
}

export interface Placed {
  twig: Twig;
  /** From the left: how deep it is. */
  x: number;
  y: number;
  parent?: Placed;
  radius: number;
}

export interface Grown {
  root: Twig;
  byId: Map<string, Twig>;
}

export const rowGap = 34;
export const columnGap = 210;
// Small trees have the room to spread.
const roomy = [
  { most: 12, gap: 84 },
  { most: 40, gap: 52 },
];
const smallest = 5;
const largest = 13;

/** Parents come before their children. */
export function grow(nodes: TreeNode[]): Grown | undefined {
  const byId = new Map<string, Twig>();
  let root: Twig | undefined;
  for (const node of nodes) {
    const parent = node.parent === null ? undefined : byId.get(node.parent);
    const twig: Twig = { node, tone: toneOf(node), parent, below: [], total: 0 };
    byId.set(node.id, twig);
    if (parent) parent.below.push(twig);
    else root ??= twig;
  }
  for (let i = nodes.length - 1; i >= 0; i -= 1) {
    const twig = byId.get(nodes[i]?.id ?? "");
    if (twig?.parent) twig.parent.total += twig.total + 1;
  }
  return root && { root, byId };
}

export function layOut({ root, byId }: Grown, closed: ReadonlySet<string>): Placed[] {
  let most = 1;
  for (const { node } of byId.values()) most = Math.max(most, node.reads);
  const radiusOf = (reads: number) =>
    smallest + (largest - smallest) * Math.sqrt(Math.max(0, reads) / most);
  const top = hierarchy(root, (twig) => (closed.has(twig.node.id) ? [] : twig.below));
  const gap = roomy.find(({ most }) => byId.size <= most)?.gap ?? rowGap;
  tree<Twig>()
    .nodeSize([gap, columnGap])
    .separation((a, b) => (a.parent === b.parent ? 1 : 1.3))(top);
  const places = new Map<unknown, Placed>();
  return top.descendants().map((it) => {
    const placed = {
      twig: it.data,
      x: it.y,
      y: it.x,
      parent: places.get(it.parent),
      radius: radiusOf(it.data.node.reads),
    };
    places.set(it, placed);
    return placed;
  });
}

/** The chapters in the order of reading, without what is folded away. */
export function rowsOf({ root }: Grown, closed: ReadonlySet<string>): Twig[] {
  const rows: Twig[] = [];
  const waiting = [root];
  for (let twig = waiting.pop(); twig; twig = waiting.pop()) {
    rows.push(twig);
    if (!closed.has(twig.node.id)) waiting.push(...[...twig.below].reverse());
  }
  return rows;
}

/** From the first chapter to this one. */
export function wayTo(twig: Twig | undefined): Set<string> {
  const way = new Set<string>();
  for (let it = twig; it; it = it.parent) way.add(it.node.id);
  return way;
}

export function found(nodes: TreeNode[], words: string): string[] {
  const asked = words.trim().toLocaleLowerCase("en");
  if (!asked) return [];
  return nodes
    .filter((node) => `${node.title}\n${node.author}`.toLocaleLowerCase("en").includes(asked))
    .map((node) => node.id);
}
