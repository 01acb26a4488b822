// Small pieces of this app's screens.

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useId } from "preact/hooks";
import { user } from "../shared/api";
import { agoText } from "../shared/dates";
import { Icon } from "../shared/icons";
import { touch } from "../shared/live";
import { hueOf, manyText } from "../shared/pieces";
import { Link, navigate } from "../shared/router";
import { attempt } from "../shared/toast";
import { Art, Strip } from "./art";
import {
  type ContentType,
  idOf,
  isSeen,
  type Mark,
  setWatched,
  type Summary,
  type Title,
  typeOf,
  type Watchlist,
  yearOf,
} from "./server";

/** "2 h 13 min" */
export function minutesText(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

export const kindText = (type: ContentType) => (type === "SHOW" ? "Series" : "Film");

/** "1979 · 2 h 42 min", "2002–2008 · 5 seasons · 60 episodes" */
export function factsText(title: Summary): string {
  const years =
    title.endYear !== undefined && title.endYear !== title.startYear
      ? `${title.startYear}–${title.endYear}`
      : yearOf(title);
  return [
    years,
    title.runtime !== undefined && minutesText(title.runtime),
    title.numberOfSeasons !== undefined && manyText(title.numberOfSeasons, "season"),
    title.numberOfEpisodes !== undefined && manyText(title.numberOfEpisodes, "episode"),
  ]
    .filter(Boolean)
    .join(" · ");
}

export const listHref = (id: string) => `/watch/list/${encodeURIComponent(id)}`;
export const titleHref = (type: ContentType, id: string) =>
  `/watch/${type === "SHOW" ? "show" : "movie"}/${encodeURIComponent(id)}`;
export const curatorHref = (id: string) => `/watch/curator/${encodeURIComponent(id)}`;
export const tagHref = (tag: string) => `/watch?tag=${encodeURIComponent(tag)}`;
export const genreHref = (genre: string) => `/watch/titles?genre=${encodeURIComponent(genre)}`;

export const signInHref = () =>
  `/signin?next=${encodeURIComponent(location.pathname + location.search)}`;

/** Whoever is not signed in goes and does that first. */
export function signedIn(): boolean {
  if (user.value) return true;
  navigate(signInHref());
  return false;
}

const starPath = "M12 3.2l2.7 5.6 6.1.8-4.5 4.2 1.2 6-5.5-3-5.5 3 1.2-6L3.2 9.6l6.1-.8z";

/** Ten points as five stars. */
export function Stars({ rating }: { rating: number }) {
  const id = useId();
  return (
    <span class="stars" role="img" aria-label={`${rating} of 10`}>
      {[0, 1, 2, 3, 4].map((i) => {
        const part = Math.min(1, Math.max(0, rating / 2 - i));
        return (
          <svg key={i} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
            <clipPath id={`${id}-${i}`}>
              <rect x={0} y={0} width={24 * part} height={24} />
            </clipPath>
            <path class="star-empty" d={starPath} />
            <path class="star-full" d={starPath} clip-path={`url(#${id}-${i})`} />
          </svg>
        );
      })}
    </span>
  );
}

/** "★ 8.7", short. */
export function Score({ title }: { title: Summary }) {
  if (title.rating === undefined) return null;
  return (
    <span class="score" title={`${title.rating} of 10, ${manyText(title.ratingCount, "rating")}`}>
      <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
        <path class="star-full" d={starPath} />
      </svg>
      <span class="visually-hidden">Rated </span>
      {title.rating}
    </span>
  );
}

const words = "awful, bad, weak, so-so, fair, decent, good, very good, great, a favourite".split(
  ", ",
);

/** Five stars in halves: ten choices. */
export function StarPicker({
  value,
  isBusy,
  onPick,
}: {
  value?: number;
  isBusy: boolean;
  onPick: (rating: number) => void;
}) {
  const id = useId();
  const near = useSignal(0);
  const shown = near.value || value || 0;
  return (
    <fieldset class="picker plain" disabled={isBusy} onPointerLeave={() => (near.value = 0)}>
      <legend class="visually-hidden">Your rating, 1 to 10</legend>
      <span class="picker-stars">
        {Array.from({ length: 10 }, (_, i) => i + 1).map((points) => (
          <label
            key={points}
            class={`half half-${points % 2 ? "left" : "right"} ${points <= shown ? "is-full" : ""}`}
            onPointerEnter={() => (near.value = points)}
          >
            <input
              type="radio"
              name={id}
              class="visually-hidden"
              checked={value === points}
              onChange={() => onPick(points)}
            />
            <span class="visually-hidden">
              {points}, {words[points - 1]}
            </span>
            <svg
              viewBox={points % 2 ? "0 0 12 24" : "12 0 12 24"}
              aria-hidden="true"
              focusable="false"
            >
              <path d={starPath} />
            </svg>
          </label>
        ))}
      </span>
      <span class="picker-words" aria-hidden="true">
        {shown ? (
          <>
            <strong>{shown}</strong> {words[shown - 1]}
          </>
        ) : (
          "Not rated"
        )}
      </span>
    </fieldset>
  );
}

/** A title as a poster on the wall. */
export function Poster({ title }: { title: Title }) {
  return (
    <li class="poster-tile">
      <Link href={titleHref(typeOf(title), idOf(title))} class={`poster ${hueOf(title.title)}`}>
        <Art seed={title.title} genres={title.genres} src={title.posterUrl} />
        <span class="poster-title">{title.title}</span>
        <span class="poster-year">{yearOf(title) ?? kindText(typeOf(title))}</span>
      </Link>
      <span class="poster-foot">
        <Score title={title} />
        <small>
          {typeOf(title) === "SHOW" ? "Series" : factsText({ ...title, releaseYear: undefined })}
        </small>
      </span>
    </li>
  );
}

const tagsShown = 6;

/** A list as a card with a strip of film. */
export function ListCard({ list, children }: { list: Watchlist; children?: ComponentChildren }) {
  return (
    <li class="list-card">
      <Link href={listHref(list.watchlistId)} class="list-card-link">
        <Strip seed={list.title} count={list.itemCount} src={list.coverImageUrl} />
        <h3>
          {!list.isPublic && <Icon name="lock" />}
          {!list.isPublic && <span class="visually-hidden">Private: </span>}
          {list.title}
        </h3>
      </Link>
      {list.description && <p class="list-card-about">{list.description}</p>}
      <p class="list-card-foot">
        {list.curatorName && (
          <>
            by <Link href={curatorHref(list.curatorId)}>{list.curatorName}</Link>
          </>
        )}
        <span>{manyText(list.itemCount, "title")}</span>
        {list.saveCount > 0 && <span>{manyText(list.saveCount, "save")}</span>}
        {!list.isPublic && <span>private</span>}
      </p>
      {list.tags.length > 0 && <Tags tags={list.tags.slice(0, tagsShown)} />}
      {children}
    </li>
  );
}

export function Tags({ tags }: { tags: string[] }) {
  return (
    <ul class="tags" aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag}>
          <Link class={`chip ${hueOf(tag)}`} href={tagHref(tag)}>
            {tag}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Says that a title was seen, or not. What is rated was. */
export function SeenButton({
  name,
  type,
  id,
  mark,
}: {
  name: string;
  type: ContentType;
  id: string;
  mark?: Mark;
}) {
  const isBusy = useSignal(false);
  if (mark?.rating !== undefined) {
    return (
      <Link class="seen is-seen" href={titleHref(type, id)} title="What is rated counts as seen">
        <Icon name="check" /> <span>Rated {mark.rating}</span>
      </Link>
    );
  }
  const isOn = isSeen({ me: mark });
  const change = async () => {
    if (!signedIn()) return;
    isBusy.value = true;
    await attempt(() => setWatched(type, id, !isOn));
    isBusy.value = false;
    touch();
  };
  return (
    <button
      type="button"
      class={`seen ${isOn ? "is-seen" : ""}`}
      aria-pressed={isOn}
      aria-label={`Seen: ${name}`}
      aria-busy={isBusy.value}
      disabled={isBusy.value}
      title={isOn ? "Not seen after all" : "Mark as seen"}
      onClick={() => void change()}
    >
      <Icon name="check" /> <span>Seen</span>
    </button>
  );
}

/** What the page is about, for whoever links to it. */
export function useDescription(text: string | undefined): void {
  useEffect(() => {
    if (!text) return;
    const meta = document.createElement("meta");
    meta.name = "description";
    meta.content = text;
    document.head.append(meta);
    return () => meta.remove();
  }, [text]);
}

export function Ago({ time }: { time: string }) {
  return <time dateTime={time}>{agoText(time)}</time>;
}
