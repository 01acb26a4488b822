// A note in the calendar.

import { hueOf } from "../shared/pieces";
import { Link, query } from "../shared/router";
import { isDone } from "./actions";
import type { Moving } from "./calendar_move";
import { isOverdue } from "./days";
import { noteHref } from "./pieces";
import type { Note } from "./server";

export function Event({ note, moving }: { note: Note; moving: Moving }) {
  const state = isDone(note) ? "is-done" : isOverdue(note) ? "is-late" : "";
  const hue = note.tags[0] === undefined ? "" : hueOf(note.tags[0]);
  const isPicked = moving.held?.note.id === note.id;
  const time = moving.spotOf(note)?.time ?? "";
  return (
    <Link
      class={`event ${hue} ${state} ${isPicked ? "is-picked" : ""}`}
      href={noteHref(note)}
      data-event={note.id}
      title={`${time ? `${time} ` : ""}${note.title}`}
      aria-describedby="move-help"
      {...moving.handlersOf(note)}
    >
      {time && <span class="event-time">{time}</span>} <span class="event-name">{note.title}</span>
    </Link>
  );
}

export const dayHref = (date: string) => {
  const next = new URLSearchParams(query.value);
  next.set("date", date);
  return `/notes/calendar?${next}`;
};
