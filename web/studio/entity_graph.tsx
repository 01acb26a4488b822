// The entities of a design: parents left of their children, a line for each relation.

import { Figure } from "../shared/chart";
import { hueOf } from "./pick_design";
import type { Design, Kind } from "./server";

const width = 210;
const height = 78;
const gapX = 72;
const gapY = 26;

// How far a kind is from one without parents; what belongs to itself in a circle stops somewhere.
function depthOf(kind: Kind, kinds: Kind[], seen: Set<string> = new Set()): number {
  if (seen.has(kind.name)) return 0;
  const above = [
    ...kind.relations.map((relation) => relation.parent),
    ...(kind.mirrorOf ? [kind.mirrorOf] : []),
  ];
  const parents = kinds.filter((other) => above.includes(other.name) && other.name !== kind.name);
  const inner = new Set([...seen, kind.name]);
  return parents.length === 0
    ? 0
    : 1 + Math.max(...parents.map((parent) => depthOf(parent, kinds, inner)));
}

const cut = (text: string, length: number) =>
  text.length > length ? `${text.slice(0, length - 1)}…` : text;

export function EntityGraph({ design }: { design: Design }) {
  const rows: number[] = [];
  const places = new Map<string, { x: number; y: number }>();
  for (const kind of design.entities) {
    const depth = depthOf(kind, design.entities);
    rows[depth] ??= 0;
    places.set(kind.name, {
      x: depth * (width + gapX) + 8,
      y: (rows[depth] ?? 0) * (height + gapY) + 8,
    });
    rows[depth] = (rows[depth] ?? 0) + 1;
  }
  const lines = design.entities.flatMap((kind) => [
    ...kind.relations.map((relation) => ({
      child: kind.name,
      parent: relation.parent,
      label: relation.onDelete,
      isMirror: false,
    })),
    ...(kind.mirrorOf
      ? [{ child: kind.name, parent: kind.mirrorOf, label: "mirror", isMirror: true }]
      : []),
  ]);
  const totalWidth = rows.length * (width + gapX) - gapX + 16;
  const totalHeight = Math.max(1, ...rows.map((count) => count ?? 0)) * (height + gapY) - gapY + 16;
  return (
    <Figure
      title={`Entities of ${design.name}`}
      head={["Entity", "Partition key", "Sort key", "Belongs to"]}
      rows={design.entities.map((kind) => [
        kind.name,
        kind.keys[0]?.partitionKey ?? "",
        kind.keys[0]?.sortKey ?? "",
        [
          ...kind.relations.map(
            (relation) => `${relation.parent} by ${relation.by.join(", ")} (${relation.onDelete})`,
          ),
          kind.mirrorOf ? `mirror of ${kind.mirrorOf}` : "",
        ]
          .filter(Boolean)
          .join("; "),
      ])}
    >
      <div class="graph" tabIndex={0} role="region" aria-label={`Entities of ${design.name}`}>
        <svg
          width={totalWidth}
          height={totalHeight}
          viewBox={`0 0 ${totalWidth} ${totalHeight}`}
          role="img"
          aria-label="Entities and what they belong to; the table says the same"
        >
          {lines.map(({ child, parent, label, isMirror }, i) => {
            const from = places.get(parent);
            const to = places.get(child);
            if (!from || !to || child === parent) return null;
            // Several lines of one child arrive below each other.
            const nth = lines.slice(0, i).filter((other) => other.child === child).length;
            const [x1, y1] = [from.x + width, from.y + height / 2];
            const [x2, y2] = [to.x, to.y + 20 + 19 * nth];
            const middle = (x1 + x2) / 2;
            return (
              <g key={`${parent}-${child}-${label}`}>
                <path
                  class={isMirror ? "edge edge-mirror" : "edge"}
                  d={`M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`}
                />
                <text class="edge-label" x={x2 - 8} y={y2 - 4} text-anchor="end">
                  {label}
                </text>
              </g>
            );
          })}
          {design.entities.map((kind) => {
            const place = places.get(kind.name);
            if (!place) return null;
            return (
              <g
                key={kind.name}
                class={hueOf(design.entities, kind.name)}
                transform={`translate(${place.x} ${place.y})`}
              >
                <rect class="hue-fill" width={width} height={height} rx={9} stroke-width={1.5} />
                <text class="node-name" x={12} y={23}>
                  {cut(kind.name, 24)}
                </text>
                <text class="node-key" x={12} y={45}>
                  {cut(kind.keys[0]?.partitionKey ?? "", 27)}
                </text>
                <text class="node-key" x={12} y={63}>
                  {cut(kind.keys[0]?.sortKey ?? "", 27)}
                </text>
              </g>
            );
          })}
        </svg>
      </div>
    </Figure>
  );
}
