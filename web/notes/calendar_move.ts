// Moving notes from day to day and from hour to hour: by dragging them, or with the keyboard.

import { type Signal, useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { type Drag, dragProps } from "../shared/drag";
import { move, moveTo } from "./actions";
import { addDays, clockOf, dayOf, isDay, longDay, momentOf } from "./days";
import type { Note } from "./server";

/** A day, and a time of it; "" is the whole day. */
export interface Spot {
  date: string;
  time: string;
}

export interface Moving {
  /** What is on its way, and where it would be put down. */
  held: { note: Note; spot: Spot | undefined } | null;
  /** Where a note is: as it was put a moment ago, or as it was read. */
  spotOf: (note: Note) => Spot | undefined;
  handlersOf: (note: Note, isHandle?: boolean) => object;
}

const wholeDay = "";
const stepMinutes = 15;
const morning = "09:00";
const lastMinute = 24 * 60 - stepMinutes;

export const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const two = (count: number) => String(count).padStart(2, "0");
const timeOf = (minutes: number) => {
  const within = Math.max(0, Math.min(lastMinute, minutes));
  return `${two(Math.floor(within / 60))}:${two(within % 60)}`;
};

/** The place below a point. Where there are no hours, a note keeps its time. */
function spotAt(x: number, y: number, own: string): Spot | undefined {
  const place = document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-day]");
  const { day, times } = place?.dataset ?? {};
  if (!place || !day) return undefined;
  if (times === undefined) return { date: day, time: own };
  if (times === "none") return { date: day, time: wholeDay };
  const box = place.getBoundingClientRect();
  const minutes = ((y - box.top) / box.height) * 24 * 60;
  return { date: day, time: timeOf(Math.floor(minutes / stepMinutes) * stepMinutes) };
}

const days: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };
const weeks: Record<string, number> = { ...days, ArrowUp: -7, ArrowDown: 7 };
const minutes: Record<string, number> = {
  ArrowUp: -stepMinutes,
  ArrowDown: stepMinutes,
  PageUp: -60,
  PageDown: 60,
};

/** Where a key leads from a spot. */
function stepped(spot: Spot, key: string, hasHours: boolean): Spot | undefined {
  const byDay = (hasHours ? days : weeks)[key];
  if (byDay !== undefined) return { ...spot, date: addDays(spot.date, byDay) };
  if (!hasHours) return undefined;
  if (key === "Home") return { ...spot, time: wholeDay };
  const by = minutes[key];
  if (by === undefined) return undefined;
  if (spot.time === wholeDay) return by > 0 ? { ...spot, time: morning } : spot;
  const next = minutesOf(spot.time) + by;
  return { ...spot, time: next < 0 ? wholeDay : timeOf(next) };
}

interface Where {
  /** The days that are shown. */
  days: string[];
  /** For what has none. */
  chosen: string;
  hasHours: boolean;
  /** What somebody hears who sees nothing of it. */
  said: Signal<string>;
  scroller?: () => Element | null;
}

export function useMoving({ days: shown, chosen, hasHours, said, scroller }: Where): Moving {
  const dragged = useSignal<{ note: Note; spot: Spot | undefined } | null>(null);
  const picked = useSignal<{ note: Note; spot: Spot } | null>(null);
  // Where notes were put, for as long as what was read is older than that.
  const moved = useSignal<ReadonlyMap<string, { until: number; spot: Spot }>>(new Map());
  const toFocus = useRef<string | null>(null);
  // While somebody drags or chooses, what is shown may be read anew.
  const latest = useRef(new Map<string, Note>());

  useLayoutEffect(() => {
    if (!toFocus.current) return;
    document.querySelector<HTMLElement>(`[data-event="${CSS.escape(toFocus.current)}"]`)?.focus();
    toFocus.current = null;
  });

  const spotOf = (note: Note): Spot | undefined => {
    const it = moved.value.get(note.id);
    if (it && note.version < it.until) return it.spot;
    if (!note.deadline) return undefined;
    const time = isDay(note.deadline) ? wholeDay : clockOf(note.deadline);
    return { date: dayOf(note.deadline), time };
  };
  const put = async (id: string, spot: Spot) => {
    const note = latest.current.get(id);
    if (!note) return;
    const before = spotOf(note);
    if (before?.date === spot.date && before.time === spot.time) return;
    const mine = { until: Infinity, spot };
    moved.value = new Map(moved.value).set(id, mine);
    const isSameTime = (before?.time ?? wholeDay) === spot.time;
    const deadline = spot.time === wholeDay ? spot.date : momentOf(spot.date, spot.time);
    const after = await (isSameTime ? move(note, spot.date) : moveTo(note, deadline));
    // By now it may have been moved once more.
    if (moved.value.get(id) !== mine) return;
    moved.value = new Map(moved.value).set(id, { ...mine, until: after?.version ?? 0 });
  };
  const text = ({ date, time }: Spot) =>
    `${longDay(date)}${hasHours ? `, ${time || "the whole day"}` : ""}`;
  const pick = (note: Note) => {
    const spot = spotOf(note) ?? { date: chosen, time: wholeDay };
    picked.value = { note, spot };
    said.value =
      `${note.title} is taken up, ${text(spot)}. ` +
      `Arrows choose the ${hasHours ? "day and the time" : "day"}, ` +
      "Enter puts it down, Escape leaves it.";
  };
  const drop = () => {
    const it = picked.value;
    picked.value = null;
    if (!it) return;
    toFocus.current = it.note.id;
    said.value = `${it.note.title} is put down, ${text(it.spot)}.`;
    void put(it.note.id, it.spot);
  };
  const leave = () => {
    if (!picked.value) return;
    said.value = `${picked.value.note.title} stays where it was.`;
    picked.value = null;
  };
  const onKeyDown = (note: Note) => (event: KeyboardEvent) => {
    const it = picked.value?.note.id === note.id ? picked.value : null;
    const next = it && stepped(it.spot, event.key, hasHours);
    if (event.key === " ") it ? drop() : pick(note);
    else if (!it) return;
    else if (event.key === "Enter") drop();
    else if (event.key === "Escape") leave();
    else if (next) {
      if (shown.includes(next.date)) {
        picked.value = { note, spot: next };
        said.value = text(next);
      }
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const dragOf = (note: Note): Drag => ({
    scroller,
    onMove: (x, y) => {
      const spot = spotAt(x, y, spotOf(note)?.time ?? wholeDay);
      const last = dragged.value;
      const isSame = last?.spot?.date === spot?.date && last?.spot?.time === spot?.time;
      if (!last || !isSame) dragged.value = { note, spot };
    },
    onEnd: (isDropped) => {
      const spot = dragged.value?.spot;
      dragged.value = null;
      if (isDropped && spot) void put(note.id, spot);
    },
  });
  return {
    held: picked.value ?? dragged.value,
    spotOf,
    handlersOf: (note, isHandle) => {
      latest.current.set(note.id, note);
      return {
        onKeyDown: onKeyDown(note),
        onBlur: leave,
        ...dragProps(dragOf(note), isHandle),
      };
    },
  };
}
