// What can be done with a note from anywhere, each with its way back.

import { signal } from "@preact/signals";
import { removeSoon } from "../shared/leaving";
import { touch } from "../shared/live";
import { attempt, done } from "../shared/toast";
import { deadlineText, dayOf, nearDay } from "./days";
import { changeNote, markDone, moveToDay, type Note, notePath, snooze, tagOf } from "./server";

// Shown as done, or not, before the server has said so.
const marking = signal<ReadonlyMap<string, { version: number; isDone: boolean }>>(new Map());
/** Whether a note is done, as somebody just said or as it was read. */
export function isDone(note: Note): boolean {
  const said = marking.value.get(note.id);
  return said?.version === note.version ? said.isDone : note.done;
}

/** Runs a change and its way back; whatever comes of it, what is shown is read again. */
async function change(
  run: () => Promise<Note>,
  text: (after: Note) => string,
  undo: (after: Note) => Promise<unknown>,
): Promise<Note | undefined> {
  const after = await attempt(run);
  touch();
  if (after) done(text(after), () => undo(after).finally(touch));
  return after;
}

export async function setDone(note: Note, wanted: boolean): Promise<void> {
  const say = (isSaid: boolean) => {
    const next = new Map(marking.value);
    if (isSaid) next.set(note.id, { version: note.version, isDone: wanted });
    else next.delete(note.id);
    marking.value = next;
  };
  say(true);
  const after = await change(
    () => markDone(note, wanted),
    () => (wanted ? `${note.title} is done` : `${note.title} is open again`),
    (now) => markDone(now, !wanted),
  );
  if (!after) say(false);
}

export function move(note: Note, date: string): Promise<Note | undefined> {
  const before = note.deadline;
  return change(
    () => moveToDay(note, date),
    (after) => `${note.title}: ${deadlineText(after.deadline ?? date)}`,
    (after) => (before ? moveToDay(after, dayOf(before)) : changeNote(after, { deadline: null })),
  );
}

/** To a deadline of another kind or time. */
export const moveTo = (note: Note, deadline: string): Promise<Note | undefined> =>
  change(
    () => changeNote(note, { deadline }),
    (after) => `${note.title}: ${deadlineText(after.deadline ?? deadline)}`,
    (after) => changeNote(after, { deadline: note.deadline ?? null }),
  );

/** Several at once, and all of them back. */
export async function moveAll(notes: Note[], date: string): Promise<void> {
  const moved: { before: string; after: Note }[] = [];
  await attempt(async () => {
    for (const note of notes)
      moved.push({ before: dayOf(note.deadline ?? date), after: await moveToDay(note, date) });
  });
  touch();
  if (moved.length === 0) return;
  const what = moved.length === 1 ? "1 note" : `${moved.length} notes`;
  done(`${what}: ${nearDay(date)}`, async () => {
    for (const { before, after } of moved) await moveToDay(after, before);
    touch();
  });
}

export const dropDeadline = (note: Note) =>
  change(
    () => changeNote(note, { deadline: null }),
    () => `${note.title} has no deadline`,
    (after) => changeNote(after, { deadline: note.deadline ?? null }),
  );

export const remind = (note: Note, at: string) =>
  change(
    () => snooze(note, at),
    () => `You will be reminded: ${deadlineText(at)}`,
    (after) => changeNote(after, { remindAt: note.remindAt ?? null }),
  );

export const dropReminder = (note: Note) =>
  change(
    () => changeNote(note, { remindAt: null }),
    () => `No reminder of ${note.title}`,
    (after) => changeNote(after, { remindAt: note.remindAt ?? null }),
  );

export const removeNoteSoon = (note: Note) =>
  removeSoon(notePath(note.id), tagOf(note), `${note.title} is deleted`);
