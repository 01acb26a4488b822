// Small pieces of this app's screens.

import type { ComponentChildren } from "preact";
import { Icon } from "../shared/icons";
import { hueOf } from "../shared/pieces";
import { Link } from "../shared/router";
import { isDone, setDone } from "./actions";
import { deadlineText, isOverdue } from "./days";
import { firstWords, tasksOf } from "./note_text";
import type { Note } from "./server";

export const noteHref = (note: { id: string }) => `/notes/note/${note.id}`;

/** The circle that is ticked when something is done. */
export function Tick({ note, isLarge }: { note: Note; isLarge?: boolean }) {
  const isTicked = isDone(note);
  return (
    <button
      type="button"
      class={`tick ${isLarge ? "tick-large" : ""}`}
      role="checkbox"
      aria-checked={isTicked}
      aria-label={`Done: ${note.title}`}
      title={isTicked ? "Open it again" : "Mark as done"}
      onClick={() => void setDone(note, !isTicked)}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
        <path d="M6.5 12.5l3.7 3.7 7.3-8" />
      </svg>
    </button>
  );
}

export function Tags({ tags, isLinked }: { tags: string[]; isLinked?: boolean }) {
  return (
    <>
      {tags.map((tag) =>
        isLinked ? (
          <Link
            key={tag}
            class={`chip tag ${hueOf(tag)}`}
            href={`/notes?tag=${encodeURIComponent(tag)}`}
          >
            {tag}
          </Link>
        ) : (
          <span key={tag} class={`chip tag ${hueOf(tag)}`}>
            {tag}
          </span>
        ),
      )}
    </>
  );
}

export function Due({ note }: { note: Note }) {
  if (!note.deadline) return null;
  return (
    <span class={`due ${isOverdue(note) ? "is-late" : ""}`}>
      <Icon name="clock" />
      {deadlineText(note.deadline)}
    </span>
  );
}

interface RowProps {
  note: Note;
  /** Where the heading says the day already. */
  due?: ComponentChildren;
  children?: ComponentChildren;
}

/** One note in a list. */
export function NoteRow({ note, due = <Due note={note} />, children }: RowProps) {
  const tasks = tasksOf(note.content);
  const words = firstWords(note.content);
  return (
    <li class={`note-row ${isDone(note) ? "is-done" : ""}`} data-note={note.id}>
      <Tick note={note} />
      <div class="note-words">
        <Link class="note-name" href={noteHref(note)}>
          {note.title}
        </Link>
        {words && <p class="note-line">{words}</p>}
        {(note.deadline || note.tags.length > 0 || tasks.all > 0) && (
          <p class="note-facts">
            {due}
            {note.remindAt && !note.done && (
              <span class="due" title={`Reminder: ${deadlineText(note.remindAt)}`}>
                <Icon name="bell" />
                <span class="visually-hidden">Reminder: {deadlineText(note.remindAt)}</span>
              </span>
            )}
            {tasks.all > 0 && (
              <span class="due">
                <Icon name="tasks" />
                {tasks.done} of {tasks.all}
              </span>
            )}
            <Tags tags={note.tags} />
          </p>
        )}
      </div>
      {children && <div class="note-tools">{children}</div>}
    </li>
  );
}
