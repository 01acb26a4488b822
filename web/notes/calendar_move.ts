// Moving notes from day to day: by dragging them, or with the keyboard.

import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { move } from "./actions";
import { addDays, dayOf, longDay } from "./days";
import type { Note } from "./server";

export interface Moving {
  /** What the keyboard has taken up. */
  picked: { note: Note; date: string } | null;
  /** The day on which it would be put down. */
  target: string | undefined;
  /** Where a note was put that the server has not moved yet. */
  dayOf: (note: Note) => string | undefined;
  handlersOf: (note: Note) => object;
  placeOf: (date: string) => object;
}

const steps: Record<string, number> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -7,
  ArrowDown: 7,
};

/** Among `days`, from `chosen` for what has no day; `said` is what is told of it. */
export function useMoving(days: string[], chosen: string, said: Signal<string>): Moving {
  const dragged = useSignal<Note | null>(null);
  const over = useSignal<string | undefined>(undefined);
  const picked = useSignal<{ note: Note; date: string } | null>(null);
  const moved = useSignal<ReadonlyMap<string, { version: number; date: string }>>(new Map());
  const toFocus = useRef<string | null>(null);

  useEffect(() => {
    if (!toFocus.current) return;
    document.querySelector<HTMLElement>(`[data-event="${CSS.escape(toFocus.current)}"]`)?.focus();
    toFocus.current = null;
  });

  const put = async (note: Note, date: string) => {
    if (note.deadline && dayOf(note.deadline) === date) return;
    moved.value = new Map(moved.value).set(note.id, { version: note.version, date });
    if (await move(note, date)) return;
    const next = new Map(moved.value);
    next.delete(note.id);
    moved.value = next;
  };
  const pick = (note: Note) => {
    const date = note.deadline ? dayOf(note.deadline) : chosen;
    picked.value = { note, date };
    said.value =
      `${note.title} is taken up, ${longDay(date)}. ` +
      "Arrows choose the day, Enter puts it down, Escape leaves it.";
  };
  const drop = () => {
    const it = picked.value;
    picked.value = null;
    if (!it) return;
    toFocus.current = it.note.id;
    said.value = `${it.note.title} is put down, ${longDay(it.date)}.`;
    void put(it.note, it.date);
  };
  const leave = () => {
    if (!picked.value) return;
    said.value = `${picked.value.note.title} stays where it was.`;
    picked.value = null;
  };
  const onKeyDown = (note: Note) => (event: KeyboardEvent) => {
    const it = picked.value?.note.id === note.id ? picked.value : null;
    const step = steps[event.key];
    if (event.key === " ") it ? drop() : pick(note);
    else if (!it) return;
    else if (event.key === "Enter") drop();
    else if (event.key === "Escape") leave();
    else if (step !== undefined) {
      const date = addDays(it.date, step);
      if (days.includes(date)) {
        picked.value = { note, date };
        said.value = longDay(date);
      }
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return {
    picked: picked.value,
    target: picked.value?.date ?? (dragged.value ? over.value : undefined),
    dayOf: (note) => {
      const it = moved.value.get(note.id);
      return it?.version === note.version ? it.date : undefined;
    },
    handlersOf: (note) => ({
      onKeyDown: onKeyDown(note),
      onBlur: leave,
      onDragStart: (event: DragEvent) => {
        dragged.value = note;
        event.dataTransfer?.setData("text/plain", note.title);
        if (event.dataTransfer) event.dataTransfer.effectAllowed = "move";
      },
      onDragEnd: () => {
        dragged.value = null;
        over.value = undefined;
      },
    }),
    placeOf: (date) => ({
      onDragOver: (event: DragEvent) => {
        if (!dragged.value) return;
        event.preventDefault();
        over.value = date;
      },
      onDrop: (event: DragEvent) => {
        event.preventDefault();
        const note = dragged.value;
        dragged.value = null;
        over.value = undefined;
        if (note) void put(note, date);
      },
    }),
  };
}
