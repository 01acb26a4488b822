// How a story is doing.

import { dateText } from "../shared/dates";
import { HeatMap } from "../shared/heat_map";
import { countText, manyText } from "../shared/pieces";
import { type Layer, Plot } from "../shared/plot";
import type { Statistics } from "./server";

const dayMs = 86_400_000;
const timeOf = (date: string) => Date.parse(`${date}T00:00:00Z`);
const dateAt = (time: number) => new Date(time).toISOString().slice(0, 10);

// About eight days with their dates below.
function dayMarks(dates: string[]): { x: number; text: string }[] {
  const step = Math.max(1, Math.ceil(dates.length / 8));
  return dates
    .filter((_, i) => (dates.length - 1 - i) % step === 0)
    .map((date) => ({
      x: timeOf(date),
      text: new Date(timeOf(date)).toLocaleDateString("en-GB", {
        day: "numeric",
        month: "short",
        timeZone: "UTC",
      }),
    }));
}

/** Reads as bars, upvotes as a line, day by day. */
export function ReadsAndVotes({ stats, days }: { stats: Statistics; days: number }) {
  const end = timeOf(stats.to);
  const known = new Map(stats.days.map((day) => [day.date, day]));
  const all = Array.from({ length: days }, (_, i) => {
    const date = dateAt(end - (days - 1 - i) * dayMs);
    const { reads = 0, upvotes = 0, branches = 0 } = known.get(date) ?? {};
    return { date, x: timeOf(date), reads, upvotes: Math.max(0, upvotes), branches };
  });
  const layers: Layer[] = [
    {
      kind: "bars",
      label: "Reads",
      width: dayMs,
      points: all.map(({ x, reads }) => ({ x, y: reads })),
    },
    {
      kind: "line",
      label: "Upvotes",
      tone: 1,
      points: all.map(({ x, upvotes }) => ({ x, y: upvotes })),
    },
  ];
  return (
    <Plot
      title="Reads and votes over time"
      from={end - (days - 0.5) * dayMs}
      to={end + dayMs / 2}
      layers={layers}
      marks={dayMarks(all.map((it) => it.date))}
      stops={all.map((it) => ({
        x: it.x,
        text: [dateText(it.date), manyText(it.reads, "read"), manyText(it.upvotes, "upvote")].join(
          " · ",
        ),
      }))}
      head={["Day", "Reads", "Upvotes", "Branches"]}
      rows={all
        .map((it) => [it.date, String(it.reads), String(it.upvotes), String(it.branches)])
        .reverse()}
    />
  );
}

/** Reads at each distance from the beginning: where they fall, readers have left. */
export function WhereReadersLeave({ stats }: { stats: Statistics }) {
  const { depths } = stats;
  const first = depths[0]?.reads ?? 0;
  const percent = (reads: number) => (first > 0 ? `${Math.round((reads / first) * 100)} %` : "–");
  const last = depths.at(-1)?.depth ?? 0;
  return (
    <Plot
      title="Where readers leave"
      height={210}
      from={-0.6}
      to={last + 0.6}
      layers={[
        {
          kind: "bars",
          label: "Reads",
          width: 1,
          points: depths.map(({ depth, reads }) => ({ x: depth, y: reads })),
        },
        {
          kind: "step",
          label: "Chapters",
          tone: 2,
          points: depths.map(({ depth, chapters }) => ({ x: depth, y: chapters })),
        },
      ]}
      marks={depths.map(({ depth }) => ({ x: depth, text: String(depth + 1) }))}
      stops={depths.map(({ depth, reads, chapters }) => ({
        x: depth,
        text: [
          `Chapter ${depth + 1}`,
          `${manyText(reads, "read")}, ${percent(reads)} of the first`,
          manyText(chapters, "chapter"),
        ].join(" · "),
      }))}
      head={["Chapter", "Reads", "Of the first", "Chapters there"]}
      rows={depths.map(({ depth, reads, chapters }) => [
        String(depth + 1),
        countText(reads),
        percent(reads),
        countText(chapters),
      ])}
    />
  );
}

export function BranchHeat({ stats }: { stats: Statistics }) {
  const days = new Map(stats.days.map((day) => [day.date, day.branches]));
  return (
    <HeatMap title="A year of branches" days={days} until={stats.to} unit="branches" one="branch" />
  );
}
