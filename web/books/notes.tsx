import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { dayText, timeText } from "../shared/dates";
import { Problem } from "../shared/api";
import { AreaField, FormProblem, SubmitButton, useForm } from "../shared/form";
import { useShortcut } from "../shared/keys";
import { Markdown } from "../shared/markdown";
import { Loading, ProblemBox, useLoad } from "../shared/pieces";
import { query } from "../shared/router";
import { attempt, done } from "../shared/toast";
import { leaving, removeSoon } from "../shared/leaving";
import { changed, touch } from "../shared/live";
import { addNote, type Book, changeNote, listNotes, type Note, notePath, tagOf } from "./server";

interface NoteFormProps {
  label: string;
  text: string;
  save: (content: string) => Promise<unknown>;
  onEnd: () => void;
}

function NoteForm({ label, text, save, onEnd }: NoteFormProps) {
  const isPreview = useSignal(false);
  const typed = useSignal(text);
  const { state, onSubmit } = useForm(async () => {
    try {
      await save(typed.value);
    } catch (error) {
      if (error instanceof Problem && error.status === 412) {
        throw new Error(
          "this note was changed elsewhere meanwhile; copy your text, close this and open it again",
        );
      }
      throw error;
    }
    touch();
    onEnd();
  });
  return (
    <form class="card form" onSubmit={onSubmit} noValidate>
      {isPreview.value ? (
        <div class="note-preview">
          <Markdown text={typed.value} />
        </div>
      ) : (
        <AreaField
          label={label}
          name="content"
          rows={6}
          state={state.value}
          defaultValue={typed.value}
          hint="**bold**, *italic*, lists, > quotations, `code`"
          onInput={(value) => (typed.value = value)}
        />
      )}
      <FormProblem state={state.value} />
      <div class="form-end">
        <button
          type="button"
          class="quiet"
          aria-pressed={isPreview.value}
          onClick={() => (isPreview.value = !isPreview.value)}
        >
          {isPreview.value ? "Write" : "Preview"}
        </button>
        <button type="button" onClick={onEnd}>
          Cancel
        </button>
        <SubmitButton state={state.value}>Save note</SubmitButton>
      </div>
    </form>
  );
}

function OneNote({ note }: { note: Note }) {
  const isEditing = useSignal(false);
  const isWanted = query.value.get("note") === note.id;
  useEffect(() => {
    if (isWanted) document.getElementById(`note-${note.id}`)?.scrollIntoView({ block: "center" });
  }, [isWanted]);
  if (isEditing.value) {
    return (
      <li>
        <NoteForm
          label="Note"
          text={note.content}
          save={(content) => changeNote(note, content)}
          onEnd={() => (isEditing.value = false)}
        />
      </li>
    );
  }
  const isChanged = note.updatedAt !== note.createdAt;
  return (
    <li id={`note-${note.id}`} class={`card book-note ${isWanted ? "is-wanted" : ""}`}>
      <Markdown text={note.content} />
      <footer class="row spread">
        <small>
          {dayText(note.createdAt)}, {timeText(note.createdAt)}
          {isChanged && ", edited"}
        </small>
        <span>
          <button type="button" class="quiet small" onClick={() => (isEditing.value = true)}>
            Edit note
          </button>
          <button
            type="button"
            class="quiet small"
            onClick={() => removeSoon(notePath(note), tagOf(note), "The note is deleted")}
          >
            Delete note
          </button>
        </span>
      </footer>
    </li>
  );
}

export function Notes({ book }: { book: Book }) {
  const isAdding = useSignal(false);
  const more = useSignal<Note[]>([]);
  const cursor = useSignal<string | undefined>(undefined);
  const { data, error, reload } = useLoad(
    async (signal) => {
      const list = await listNotes(book.id, undefined, signal);
      more.value = [];
      cursor.value = list.nextCursor;
      return list.items;
    },
    [book.id, changed.value],
  );
  useShortcut("m", "Write a note", () => (isAdding.value = true));
  const readMore = () =>
    attempt(async () => {
      const list = await listNotes(book.id, cursor.value);
      more.value = [...more.value, ...list.items];
      cursor.value = list.nextCursor;
    });
  const notes = [...(data ?? []), ...more.value].filter(
    (note) => !leaving.value.has(notePath(note)),
  );
  return (
    <section class="stack" aria-labelledby="notes">
      <div class="row spread">
        <h2 id="notes">Notes</h2>
        {!isAdding.value && (
          <button type="button" onClick={() => (isAdding.value = true)}>
            Write a note
          </button>
        )}
      </div>
      {isAdding.value && (
        <NoteForm
          label="New note"
          text=""
          save={async (content) => {
            await addNote(book.id, content);
            done("The note is saved");
          }}
          onEnd={() => (isAdding.value = false)}
        />
      )}
      {error !== undefined && <ProblemBox error={error} onRetry={reload} />}
      {!data && error === undefined && <Loading />}
      {data && notes.length === 0 && !isAdding.value && (
        <p class="soft">Nothing noted. A sentence to keep, a question, who lent it to you.</p>
      )}
      <ul class="stack">
        {notes.map((note) => (
          <OneNote key={note.id} note={note} />
        ))}
      </ul>
      {cursor.value && (
        <button type="button" onClick={() => void readMore()}>
          Older notes
        </button>
      )}
    </section>
  );
}
