// A week by the hour: what is due at a time stands at its time, what is due on a day above.

import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../shared/icons";
import { Link } from "../shared/router";
import { dayHref, Event } from "./calendar_event";
import { minutesOf, type Moving, type Spot } from "./calendar_move";
import { clockOf, longDay, now, shortDay, today, weekdayText } from "./days";
import type { Note } from "./server";

const hourRem = 3;
const firstHour = 7;
/** How long an entry takes up room. */
const roomMinutes = 30;
const hours = Array.from({ length: 24 }, (_, i) => `${String(i).padStart(2, "0")}:00`);

const remOf = (minutes: number) => `${(minutes / 60) * hourRem}rem`;

interface Lane {
  note: Note;
  minutes: number;
  lane: number;
  lanes: number;
}

/** What is close together stands side by side. */
export function lanesOf(timed: { note: Note; minutes: number }[]): Lane[] {
  const sorted = [...timed].sort((a, b) => a.minutes - b.minutes);
  const all: Lane[] = [];
  let cluster: Lane[] = [];
  let ends: number[] = [];
  const close = () => {
    for (const it of cluster) it.lanes = ends.length;
    cluster = [];
    ends = [];
  };
  for (const { note, minutes } of sorted) {
    if (ends.every((end) => end <= minutes)) close();
    const free = ends.findIndex((end) => end <= minutes);
    const lane = free < 0 ? ends.length : free;
    ends[lane] = minutes + roomMinutes;
    const it = { note, minutes, lane, lanes: 1 };
    cluster.push(it);
    all.push(it);
  }
  close();
  return all;
}

interface DayProps {
  date: string;
  notes: Note[];
  moving: Moving;
}

const isAt = (spot: Spot | undefined, date: string, isTimed: boolean) =>
  spot?.date === date && (spot.time !== "") === isTimed;

function Day({ date, notes, moving }: DayProps) {
  const timeOf = (note: Note) => moving.spotOf(note)?.time ?? "";
  const whole = notes.filter((note) => !timeOf(note));
  const timed = notes
    .filter(timeOf)
    .map((note) => ({ note, minutes: Math.min(minutesOf(timeOf(note)), 24 * 60 - roomMinutes) }));
  const spot = moving.held?.spot;
  const isToday = date === today();
  return (
    <li class={`hour-day ${isToday ? "is-today" : ""}`}>
      <h2 class="hour-head" data-day={date} data-times="none">
        <span>{weekdayText(date)}</span>{" "}
        <Link href={dayHref(date)} aria-current={isToday ? "date" : undefined}>
          {Number(date.slice(8))}
        </Link>
        <Link
          class="hour-add"
          href={`/notes/new?date=${date}`}
          aria-label={`Write a note for ${longDay(date)}`}
        >
          <Icon name="plus" />
        </Link>
      </h2>
      <div
        class={`hour-whole ${isAt(spot, date, false) ? "is-target" : ""}`}
        data-day={date}
        data-times="none"
      >
        <ul class="events">
          {whole.map((note) => (
            <li key={note.id}>
              <Event note={note} moving={moving} />
            </li>
          ))}
        </ul>
      </div>
      <div class="hour-column" data-day={date} data-times="all">
        <ul class="events">
          {lanesOf(timed).map(({ note, minutes, lane, lanes }) => (
            <li
              key={note.id}
              class={lanes > 1 ? "is-tight" : ""}
              style={{
                top: remOf(minutes),
                left: `${(lane / lanes) * 100}%`,
                width: `${100 / lanes}%`,
              }}
            >
              <Event note={note} moving={moving} />
            </li>
          ))}
        </ul>
        {isToday && (
          <div
            class="hour-now"
            aria-hidden="true"
            style={{ top: remOf(minutesOf(clockOf(new Date(now.value).toISOString()))) }}
          />
        )}
        {spot && isAt(spot, date, true) && (
          <div class="hour-target" aria-hidden="true" style={{ top: remOf(minutesOf(spot.time)) }}>
            {spot.time}
          </div>
        )}
      </div>
    </li>
  );
}

interface GridProps {
  days: string[];
  notesOf: (date: string) => Note[];
  moving: Moving;
}

export const scrollerOf = () => document.querySelector(".hours");

export function WeekGrid({ days, notesOf, moving }: GridProps) {
  const place = useRef<HTMLDivElement>(null);
  const first = days[0] ?? "";
  // The day begins in the morning, unless something is due before.
  useEffect(() => {
    const times = days.flatMap((date) => notesOf(date).map((it) => moving.spotOf(it)?.time ?? ""));
    const earliest = Math.min(firstHour * 60, ...times.filter(Boolean).map(minutesOf));
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    if (place.current) place.current.scrollTop = (Math.floor(earliest / 60) - 0.25) * hourRem * rem;
  }, [first]);
  return (
    <div
      class="hours"
      ref={place}
      tabIndex={0}
      role="region"
      aria-label={`Week of ${shortDay(first)}, by the hour`}
    >
      <div class="hour-names" aria-hidden="true">
        <span class="hour-head" />
        <span class="hour-whole">all day</span>
        <div class="hour-column">
          {hours.slice(1).map((hour, i) => (
            <span key={hour} style={{ top: remOf((i + 1) * 60) }}>
              {hour}
            </span>
          ))}
        </div>
      </div>
      <ol>
        {days.map((date) => (
          <Day key={date} date={date} notes={notesOf(date)} moving={moving} />
        ))}
      </ol>
    </div>
  );
}
