// What a list is made of, and how far somebody is with it.

import { Figure } from "../shared/chart";
import { hueOf, manyText } from "../shared/pieces";
import { BarList, Plot } from "../shared/plot";
import { Art } from "./art";
import { minutesText } from "./pieces";
import { type Entry, isSeen, yearOf } from "./server";

const genresShown = 8;
const picturesMax = 60;
const nameOf = (entry: Entry) => entry.content?.title ?? "A title that is gone";

/** A frame for each title, in the list's order: it has its picture once it is seen. */
export function ProgressStrip({ entries }: { entries: Entry[] }) {
  const seen = entries.filter(isSeen).length;
  const isLong = entries.length > picturesMax;
  return (
    <Figure
      title="Progress"
      head={["Place", "Title", "Seen"]}
      rows={entries.map((entry, i) => [
        String(i + 1),
        nameOf(entry),
        entry.me?.rating !== undefined ? `rated ${entry.me.rating}` : isSeen(entry) ? "yes" : "no",
      ])}
    >
      <p class="progress-words">
        <strong>{seen}</strong> of {entries.length} seen
        <span class="soft"> · {Math.floor((seen / entries.length) * 100)} %</span>
      </p>
      <div
        class={`strip progress-strip ${isLong ? "is-long" : ""}`}
        role="img"
        aria-label={`${seen} of ${entries.length} seen; the table says which`}
      >
        {entries.map((entry, i) => (
          <span
            key={entry.contentType + entry.contentId}
            class={`frame-of ${isSeen(entry) ? hueOf(nameOf(entry)) : "is-empty"}`}
            title={`${i + 1}. ${nameOf(entry)}: ${isSeen(entry) ? "seen" : "not seen"}`}
          >
            {isSeen(entry) && !isLong && (
              <Art seed={nameOf(entry)} genres={entry.content?.genres} />
            )}
          </span>
        ))}
      </div>
    </Figure>
  );
}

/** Each film's minutes, those that are left in colour. */
export function RuntimeLeft({ entries }: { entries: Entry[] }) {
  const films = entries.filter((entry) => entry.content?.runtime !== undefined);
  if (films.length === 0) {
    return <p class="soft">No title here has a known length, so none is left to add up.</p>;
  }
  const minutes = (entry: Entry) => entry.content?.runtime ?? 0;
  const left = films.filter((entry) => !isSeen(entry));
  const sum = left.reduce((all, entry) => all + minutes(entry), 0);
  const series = entries.length - films.length;
  const points = (wanted: boolean) =>
    films.map((entry, x) => ({ x, y: isSeen(entry) === wanted ? minutes(entry) : 0 }));
  return (
    <section class="stack chart-part">
      <Plot
        title={left.length > 0 ? `Runtime left: ${minutesText(sum)}` : "Runtime left: none"}
        height={190}
        from={-0.6}
        to={films.length - 0.4}
        layers={[
          { kind: "bars", label: "Left", width: 1, points: points(false) },
          { kind: "bars", label: "Seen", tone: 2, width: 1, points: points(true) },
        ]}
        marks={films.map((_, x) => ({ x, text: String(x + 1) }))}
        stops={films.map((entry, x) => ({
          x,
          text:
            `${nameOf(entry)} · ${minutesText(minutes(entry))}` + (isSeen(entry) ? " · seen" : ""),
        }))}
        head={["Film", "Minutes", "Left"]}
        rows={films.map((entry) => [
          nameOf(entry),
          String(minutes(entry)),
          isSeen(entry) ? "0" : String(minutes(entry)),
        ])}
      />
      <p class="hint">
        Minutes of each film, in the list's order.
        {series > 0 && ` Not counted: ${manyText(series, "title")} without a known length.`}
      </p>
    </section>
  );
}

export function Genres({ entries }: { entries: Entry[] }) {
  const counts = new Map<string, number>();
  for (const genre of entries.flatMap((entry) => entry.content?.genres ?? []))
    counts.set(genre, (counts.get(genre) ?? 0) + 1);
  const rows = [...counts]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .map(([label, value]) => ({ label, value, text: String(value) }));
  if (rows.length === 0) return null;
  return <BarList title="Genres" unit="Titles" rows={rows.slice(0, genresShown)} />;
}

/** Titles per decade: years alone would be a comb with few teeth. */
export function Years({ entries }: { entries: Entry[] }) {
  const years = entries
    .map((entry) => entry.content && yearOf(entry.content))
    .filter((year): year is number => year !== undefined);
  if (years.length === 0) return null;
  const first = Math.floor(Math.min(...years) / 10);
  const last = Math.floor(Math.max(...years) / 10);
  const decades = Array.from({ length: last - first + 1 }, (_, i) => {
    const names = entries
      .filter(
        (entry) => entry.content && Math.floor((yearOf(entry.content) ?? 0) / 10) === first + i,
      )
      .map((entry) => `${nameOf(entry)} (${yearOf(entry.content!)})`);
    return { x: i, text: `${(first + i) * 10}s`, names };
  });
  return (
    <Plot
      title="Years"
      height={170}
      from={-0.6}
      to={decades.length - 0.4}
      layers={[
        {
          kind: "bars",
          label: "Titles",
          width: 1,
          points: decades.map(({ x, names }) => ({ x, y: names.length })),
        },
      ]}
      marks={decades}
      stops={decades.map(({ x, text, names }) => ({
        x,
        text: `${text} · ${manyText(names.length, "title")}`,
      }))}
      head={["Decade", "Titles", "Which"]}
      rows={decades
        .filter(({ names }) => names.length > 0)
        .map(({ text, names }) => [text, String(names.length), names.join(", ")])}
    />
  );
}
