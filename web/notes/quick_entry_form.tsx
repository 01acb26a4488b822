// A line for a new note, and how it is understood.

import { useSignal } from "@preact/signals";
import { useId, useRef } from "preact/hooks";
import { Problem, sentenceOf } from "../shared/api";
import { Icon } from "../shared/icons";
import { useShortcut } from "../shared/keys";
import { touch } from "../shared/live";
import { done } from "../shared/toast";
import { clockOf, deadlineText, momentOf, now, today } from "./days";
import { Tags } from "./pieces";
import { parseEntry } from "./quick_entry";
import { addNote, removeNote } from "./server";

export function QuickEntry() {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const line = useSignal("");
  const isPlain = useSignal(false);
  const underWay = useSignal(0);
  const problem = useSignal("");
  useShortcut("a", "Add a note in one line", () => input.current?.focus());

  const clock = clockOf(new Date(now.value).toISOString());
  const read = parseEntry(line.value, today(), clock);
  const entry = isPlain.value
    ? { title: line.value.trim(), tags: [], date: undefined, time: undefined }
    : read;
  const deadline = entry.date && (entry.time ? momentOf(entry.date, entry.time) : entry.date);
  const isRead = read.date !== undefined || read.tags.length > 0;

  const add = async () => {
    const sent = { line: line.value, isPlain: isPlain.value };
    const { title, tags } = entry;
    // The next line can be typed while this one is on its way.
    line.value = "";
    isPlain.value = false;
    problem.value = "";
    underWay.value += 1;
    try {
      const note = await addNote({ title, tags, ...(deadline && { deadline }) });
      done(`${note.title}${note.deadline ? `: ${deadlineText(note.deadline)}` : ""}`, () =>
        removeNote(note).finally(touch),
      );
      touch();
    } catch (error) {
      const said = error instanceof Problem ? error.errors[0]?.message : undefined;
      problem.value = said ?? sentenceOf(error);
      if (line.value === "") {
        line.value = sent.line;
        isPlain.value = sent.isPlain;
      }
    }
    underWay.value -= 1;
  };
  return (
    <form
      class="quick"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <div class="quick-line">
        <input
          ref={input}
          id={id}
          aria-label="New note in one line"
          aria-describedby={`${id}-read`}
          aria-invalid={problem.value ? true : undefined}
          placeholder="Call the dentist tomorrow 9:30 #health"
          autocomplete="off"
          value={line.value}
          onInput={(event) => {
            line.value = event.currentTarget.value;
            problem.value = "";
            if (!line.value) isPlain.value = false;
          }}
        />
        <button class="primary" type="submit" aria-busy={underWay.value > 0}>
          <Icon name="plus" /> {underWay.value > 0 ? "Working…" : "Add"}
        </button>
      </div>
      <div id={`${id}-read`} class="quick-read">
        {problem.value ? (
          <p class="field-error">{problem.value}</p>
        ) : line.value.trim() && isRead ? (
          <>
            <span class="quick-title">{entry.title}</span>
            {deadline && (
              <span class="chip">
                <Icon name="clock" /> {deadlineText(deadline)}
              </span>
            )}
            <Tags tags={entry.tags} />
            <button
              type="button"
              class="quiet small"
              onClick={() => {
                isPlain.value = !isPlain.value;
                input.current?.focus();
              }}
            >
              {isPlain.value ? "Read the day in it" : "Take it word for word"}
            </button>
          </>
        ) : (
          <p class="hint">
            Days such as <q>friday</q>, <q>in 2 weeks</q>, <q>3 May</q>, times such as <q>at 9</q>,
            and <q>#tags</q> are understood.
          </p>
        )}
      </div>
    </form>
  );
}
