// Small pieces of this app's screens.

import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { Icon } from "../shared/icons";
import { isUploaded } from "../shared/picture";
import { countText, hueOf, manyText } from "../shared/pieces";
import { Link } from "../shared/router";
import type { Badge, Rating, Status, Story } from "./server";

export const ratingNames: Record<Rating, string> = {
  G: "Everyone",
  PG: "PG",
  PG_13: "13 and older",
  M: "Mature",
  ADULT_18_PLUS: "Adults only",
};
export const statusNames: Record<Status, string> = {
  DRAFT: "Draft",
  PUBLISHED: "Open",
  COMPLETED: "Complete",
};
export const badgeNames: Record<Badge, string> = {
  AUTHOR: "By the author",
  APPROVED: "Approved",
  VISION: "Author's vision",
};

export const storyHref = (id: string) => `/stories/story/${encodeURIComponent(id)}`;
export const readHref = (id: string, node: string) =>
  `${storyHref(id)}/read/${encodeURIComponent(node)}`;
export const personHref = (id: string) => `/stories/people/${encodeURIComponent(id)}`;

/** What a place in the tree counts as: the strongest of its badges. */
export type Tone = "vision" | "approved" | "author" | "plain" | "removed";
export const toneNames: Record<Tone, string> = {
  author: "By the story's author",
  vision: "The author's vision",
  approved: "Approved by the author",
  plain: "By others",
  removed: "Removed",
};
export function toneOf(it: { badges: Badge[]; removed?: boolean }): Tone {
  if (it.removed) return "removed";
  if (it.badges.includes("VISION")) return "vision";
  if (it.badges.includes("APPROVED")) return "approved";
  return it.badges.includes("AUTHOR") ? "author" : "plain";
}

export function Badges({ badges }: { badges: Badge[] }) {
  return (
    <>
      {badges.map((badge) => (
        <span key={badge} class={`badge badge-${badge.toLowerCase()}`}>
          <Icon name={badge === "VISION" ? "star" : badge === "APPROVED" ? "check" : "design"} />
          {badgeNames[badge]}
        </span>
      ))}
    </>
  );
}

export const AuthorLink = ({ id, name }: { id: string; name: string }) => (
  <Link class="author" href={personHref(id)}>
    {name}
  </Link>
);

// A number from 0 to 1 after the other, always the same for the same text.
function dice(text: string): () => number {
  let state = 2166136261;
  for (const letter of text) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 16777619);
  return () => {
    state = Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9;
    return ((state ^ (state >>> 13)) >>> 0) / 4294967296;
  };
}

function grow(text: string) {
  const roll = dice(text);
  const bushy = roll() * 0.45;
  const spread = 0.45 + roll() * 0.35;
  const shrink = 0.66 + roll() * 0.08;
  const trunk = 30 + roll() * 10;
  const stems: string[] = [];
  const leaves: { x: number; y: number; r: number }[] = [];
  const branch = (x: number, y: number, angle: number, length: number, left: number) => {
    const endX = x + Math.sin(angle) * length;
    const endY = y - Math.cos(angle) * length;
    const bend = (roll() - 0.5) * length * 0.5;
    const at = (value: number) => value.toFixed(1);
    stems.push(
      `M${at(x)} ${at(y)}Q${at((x + endX) / 2 + bend)} ${at((y + endY) / 2)} ` +
        `${at(endX)} ${at(endY)}`,
    );
    if (left === 0) {
      leaves.push({ x: endX, y: endY, r: 1.6 + roll() * 2.2 });
      return;
    }
    const count = roll() < bushy ? 3 : 2;
    for (let i = 0; i < count; i += 1) {
      const turn = (i - (count - 1) / 2) * (spread + roll() * 0.35) + (roll() - 0.5) * 0.3;
      branch(endX, endY, angle * 0.62 + turn, length * (shrink + roll() * 0.14), left - 1);
    }
  };
  branch(50, 140, (roll() - 0.5) * 0.3, trunk, 4);
  return { stems: stems.join(""), leaves };
}

interface CoverProps {
  title: string;
  src?: string;
  alt?: string;
  children?: ComponentChildren;
}

/** A story's picture; without one its title grows a tree of its own. */
export function Cover({ title, src, alt = "", children }: CoverProps) {
  const { stems, leaves } = useMemo(() => grow(title), [title]);
  if (isUploaded(src)) return <img class="story-cover" src={src} alt={alt} loading="lazy" />;
  return (
    <div class={`story-cover ${hueOf(title)}`} aria-hidden="true">
      <svg viewBox="0 0 100 140" preserveAspectRatio="xMidYMax meet" focusable="false">
        <path d={stems} />
        {leaves.map((leaf, i) => (
          <circle key={i} cx={leaf.x.toFixed(1)} cy={leaf.y.toFixed(1)} r={leaf.r.toFixed(1)} />
        ))}
      </svg>
      {children}
    </div>
  );
}

export function Labels({ story }: { story: Story }) {
  return (
    <p class="labels">
      {[story.genre, ...story.genres].map((genre) => (
        <Link
          key={genre}
          class={`chip ${hueOf(genre)}`}
          href={`/stories?genre=${encodeURIComponent(genre)}`}
        >
          {genre}
        </Link>
      ))}
      <span class="chip">{ratingNames[story.ageRating]}</span>
      {story.status !== "PUBLISHED" && (
        <span class={`chip ${story.status === "DRAFT" ? "chip-draft" : ""}`}>
          {statusNames[story.status]}
        </span>
      )}
      {story.contentWarnings.map((warning) => (
        <span key={warning} class="chip chip-warning">
          {warning}
        </span>
      ))}
    </p>
  );
}

export function Figures({ story }: { story: Story }) {
  if (!story.stats) return null;
  const { totalChapters, totalReads, totalUpvotes } = story.stats;
  return (
    <p class="figures">
      <span>{manyText(totalChapters, "chapter")}</span>
      <span>{manyText(totalReads, "read")}</span>
      <span title={`${countText(totalUpvotes)} upvotes`}>
        <Icon name="up" />
        {countText(totalUpvotes)}
        <span class="visually-hidden"> upvotes</span>
      </span>
    </p>
  );
}

export function StoryCard({ story, note }: { story: Story; note?: ComponentChildren }) {
  return (
    <li class="story-card">
      <Cover title={story.title} src={story.coverImageUrl} />
      <div class="story-words">
        <h3>
          <Link href={storyHref(story.storyId)}>{story.title}</Link>
        </h3>
        <p class="by">
          by <AuthorLink id={story.authorId} name={story.authorName} />
        </p>
        <p class="synopsis">{story.synopsis}</p>
        <Labels story={story} />
        <Figures story={story} />
        {note}
      </div>
    </li>
  );
}

/** Minutes it takes to read: 230 words in each. */
export const minutesText = (text: string) => {
  const words = text.trim().split(/\s+/).length;
  return `${Math.max(1, Math.round(words / 230))} min`;
};
