// Small pieces of this app's screens: covers, spines, who has it.

import type { ComponentChildren } from "preact";
import { dateOf, dateText } from "../shared/dates";
import { Icon } from "../shared/icons";
import { Empty, hueOf, manyText } from "../shared/pieces";
import { isUploaded } from "../shared/picture";
import { Link } from "../shared/router";
import type { Item, Library } from "./server";

export const hrefOf = {
  library: (id: string) => `/library/in/${id}`,
  item: (it: { libraryId: string; id: string }) => `/library/in/${it.libraryId}/item/${it.id}`,
  collection: (it: { libraryId: string; id: string }) =>
    `/library/in/${it.libraryId}/collection/${it.id}`,
};

/** Who made it: "Jane Austen", "Fritz Lang, 1927". */
export function makersText(item: Item): string {
  const people = (item.type === "book" ? item.authors : item.directors) ?? [];
  return [people.join(", "), item.releaseYear].filter(Boolean).join(", ");
}

const dayMs = 86_400_000;
export const daysUntil = (date: string) =>
  Math.round((Date.parse(`${date}T00:00Z`) - Date.parse(`${dateOf(Date.now())}T00:00Z`)) / dayMs);

/** What is nearer than this is counted in days. */
export const soonDays = 15;

/** "due in 3 days", "5 days late" */
export function dueText(date: string): string {
  const days = daysUntil(date);
  if (days === 0) return "due today";
  if (days < 0) return `${manyText(-days, "day")} late`;
  return days < soonDays ? `due in ${manyText(days, "day")}` : `due ${dateText(date)}`;
}

export function LentChip({ item, isShort }: { item: Item; isShort?: boolean }) {
  if (!item.lent) return null;
  const isLate = item.dueDate !== undefined && daysUntil(item.dueDate) < 0;
  const due = item.dueDate && !isShort ? `, ${dueText(item.dueDate)}` : "";
  return (
    <span class={`chip lent-chip ${isLate ? "is-late" : ""}`}>
      {item.lentTo ? `with ${item.lentTo}` : "lent"}
      {due}
    </span>
  );
}

interface CoverProps {
  item: Pick<Item, "title" | "type" | "pictureUrl">;
  makers?: string;
  className?: string;
  /** Where the title does not stand beside it. */
  alt?: string;
}

/** Its picture; without one, cloth for books and a case with holes for videos. */
export function Cover({ item, makers, className = "", alt = "" }: CoverProps) {
  if (isUploaded(item.pictureUrl)) {
    return (
      <img
        class={`piece piece-photo ${className}`}
        src={item.pictureUrl}
        alt={alt}
        loading="lazy"
      />
    );
  }
  return (
    <span class={`piece ${hueOf(item.title)} piece-${item.type} ${className}`} aria-hidden="true">
      <span class="piece-title">{item.title}</span>
      {makers && <span class="piece-makers">{makers}</span>}
    </span>
  );
}

/** A row of backs, as a shelf shows them. */
export function Spines({ titles, total }: { titles: string[]; total: number }) {
  const most = 26;
  return (
    <span class="spines" aria-hidden="true">
      {titles.slice(0, most).map((title, i) => (
        <span key={i} class={`spine ${hueOf(title)} spine-${(title.length * 7 + i * 3) % 6}`} />
      ))}
      {total > most && <span class="spines-more">+{total - most}</span>}
    </span>
  );
}

/** Where something is: the way back to it. */
export function Crumbs({ library, children }: { library?: Library; children?: ComponentChildren }) {
  return (
    <nav class="crumbs" aria-label="Where this is">
      <Link href="/library">Libraries</Link>
      {library && (
        <>
          <Icon name="next" />
          <Link href={hrefOf.library(library.id)}>{library.libraryName}</Link>
        </>
      )}
      {children}
    </nav>
  );
}

export function NotHere({ what }: { what: string }) {
  return (
    <Empty isPage title={`This ${what} is not here`}>
      <p>It was deleted, or it is no longer shared with you.</p>
      <Link class="button" href="/library">
        All libraries
      </Link>
    </Empty>
  );
}

/** Runs of numbers as people write them: [2, 3, 4, 7] is "2–4, 7". */
export function runsOf(numbers: number[]): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last && last.to === number - 1) last.to = number;
    else runs.push({ from: number, to: number });
  }
  return runs;
}
export const runText = ({ from, to }: { from: number; to: number }) =>
  from === to ? String(from) : `${from}–${to}`;
