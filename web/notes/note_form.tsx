// Writing a note and changing one. A change sends what differs, on condition that nobody else has
// changed the note since it was read.

import { useSignal } from "@preact/signals";
import { useId, useMemo, useRef } from "preact/hooks";
import { draftOf, dropDraft, keepDraft } from "../shared/drafts";
import { useEditing } from "../shared/editing";
import { FormProblem, type FormState, SubmitButton, TextField, useForm } from "../shared/form";
import { touch } from "../shared/live";
import { hueOf, Loading, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { Link, navigate, query } from "../shared/router";
import { done } from "../shared/toast";
import { clockOf, dayOf, isDate, isDay, momentOf } from "./days";
import { NoteText } from "./note_text";
import { addNote, changeNote, getNote, type Note } from "./server";
import { TextTools, useTextKeys } from "./text_tools";

const names = ["title", "content", "deadline", "tags", "remindAt"] as const;
type Name = (typeof names)[number];
/** The fields as they stand in the form. A deadline is "", "2026-05-31" or "2026-05-31 10:00". */
type Typed = Record<Name, string>;

const labels: Record<Name, string> = {
  title: "Title",
  content: "Text",
  deadline: "Deadline",
  tags: "Tags",
  remindAt: "Reminder",
};

const wallOf = (moment: string) => `${dayOf(moment)} ${clockOf(moment)}`;

function typedOf(note: Note | undefined): Typed {
  const deadline = note?.deadline ?? "";
  return {
    title: note?.title ?? "",
    content: note?.content ?? "",
    deadline: deadline && !isDay(deadline) ? wallOf(deadline) : deadline,
    tags: (note?.tags ?? []).join(", "),
    remindAt: note?.remindAt ? wallOf(note.remindAt) : "",
  };
}

const tagsOf = (text: string) =>
  text
    .split(",")
    .map((tag) => tag.trim().replace(/^#/, ""))
    .filter(Boolean);

const timeOf = (wall: string): string | null => {
  if (!wall) return null;
  const [date = "", time] = wall.split(" ");
  return time === undefined ? date : momentOf(date, time);
};

function valueOf(name: string, text: string): unknown {
  if (name === "title") return text;
  if (name === "content") return text || null;
  return name === "tags" ? tagsOf(text) : timeOf(text);
}

function readForm(data: FormData): Typed {
  const text = (name: string) => String(data.get(name) ?? "");
  const kind = text("kind");
  const remindAt = text("remindAt").replace("T", " ");
  return {
    title: text("title").trim(),
    // A form's text has its lines end in two characters.
    content: text("content").replaceAll("\r\n", "\n"),
    deadline:
      kind === "none"
        ? ""
        : kind === "day"
          ? text("deadline") || "no day"
          : `${text("deadline")} ${text("time")}`,
    tags: tagsOf(text("tags")).join(", "),
    remindAt,
  };
}

type Kind = "none" | "day" | "time";
const kinds: [Kind, string][] = [
  ["none", "None"],
  ["day", "A day"],
  ["time", "A day and a time"],
];

function DeadlineFields({ typed, state }: { typed: Typed; state: FormState }) {
  const [said = "", time = ""] = typed.deadline.split(" ");
  const date = isDate(said) ? said : "";
  const kind = useSignal<Kind>(typed.deadline.includes(":") ? "time" : said ? "day" : "none");
  return (
    <fieldset class="plain stack deadline-fields">
      <legend class="label">Deadline</legend>
      <div class="kinds">
        {kinds.map(([value, label]) => (
          <label key={value} class="check">
            <input
              type="radio"
              name="kind"
              value={value}
              checked={kind.value === value}
              onChange={() => (kind.value = value)}
            />
            {label}
          </label>
        ))}
      </div>
      {kind.value !== "none" && (
        <div class="form-row">
          <TextField label="Day" name="deadline" type="date" state={state} defaultValue={date} />
          {kind.value === "time" && (
            <TextField label="Time" name="time" type="time" defaultValue={time || "09:00"} />
          )}
        </div>
      )}
    </fieldset>
  );
}

function ContentField({ typed, state }: { typed: Typed; state: FormState }) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const text = useSignal(typed.content);
  const isPreview = useSignal(false);
  const error = state.fields.content;
  const onInput = () => (text.value = area.current?.value ?? "");
  const onKeyDown = useTextKeys(area, onInput);
  return (
    <div class={`field writer ${isPreview.value ? "shows-preview" : ""}`}>
      <div class="writer-head">
        <label for={id}>Text</label>
        <TextTools area={area} onChange={onInput} />
        <button
          type="button"
          class="quiet small writer-switch"
          aria-pressed={isPreview.value}
          onClick={() => (isPreview.value = !isPreview.value)}
        >
          {isPreview.value ? "Write" : "Preview"}
        </button>
      </div>
      <div class="writer-both">
        <textarea
          ref={area}
          id={id}
          name="content"
          rows={16}
          defaultValue={typed.content}
          onInput={onInput}
          onKeyDown={onKeyDown}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : `${id}-hint`}
        />
        <section class="writer-preview" aria-label="Preview" tabIndex={0}>
          {text.value.trim() ? (
            <NoteText text={text.value} />
          ) : (
            <p class="soft">What you write is shown here as it will look.</p>
          )}
        </section>
      </div>
      <p class="hint" id={`${id}-hint`}>
        **bold**, *italic*, # headings, - lists, - [ ] things to tick off, &gt; quotations, `code`
      </p>
      {error && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

function TagsField({ typed, state }: { typed: Typed; state: FormState }) {
  const tags = useSignal(tagsOf(typed.tags));
  return (
    <TextField
      label="Tags"
      name="tags"
      state={state}
      defaultValue={typed.tags}
      placeholder="home, garden"
      onInput={(text) => (tags.value = tagsOf(text))}
      hint={
        tags.value.length > 0 ? (
          <span class="row tight">
            {tags.value.map((tag, i) => (
              <span key={i} class={`chip tag ${hueOf(tag)}`}>
                {tag}
              </span>
            ))}
          </span>
        ) : (
          "With commas between them"
        )
      }
    />
  );
}

function NoteFieldsOf({ typed, state }: { typed: Typed; state: FormState }) {
  return (
    <>
      <TextField label="Title" name="title" state={state} defaultValue={typed.title} required />
      <ContentField typed={typed} state={state} />
      <div class="writer-more">
        <DeadlineFields typed={typed} state={state} />
        <div class="stack">
          <TagsField typed={typed} state={state} />
          <TextField
            label="Remind me"
            name="remindAt"
            type="datetime-local"
            state={state}
            defaultValue={typed.remindAt.replace(" ", "T")}
          />
        </div>
      </div>
    </>
  );
}

// Ctrl and Enter save from anywhere in a form.
const saveKey = (event: KeyboardEvent) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  (event.currentTarget as HTMLFormElement).requestSubmit();
};

/** What was typed before and not saved is in the form again; `clear` begins anew. */
function useDraft(id: string, from: Typed) {
  const turn = useSignal(0);
  const draft = useMemo(() => draftOf(id), [id, turn.value]);
  const onInput = (event: { currentTarget: HTMLFormElement }) =>
    keepDraft(id, from, readForm(new FormData(event.currentTarget)));
  const clear = () => {
    dropDraft(id);
    turn.value += 1;
  };
  const words = draft && (
    <p class="note row spread" role="status">
      What you had typed and not saved is here again.
      <button type="button" class="small" onClick={clear}>
        Start over
      </button>
    </p>
  );
  return { typed: { ...from, ...draft } as Typed, turn: turn.value, onInput, words };
}

export function AddPage() {
  const date = query.value.get("date") ?? "";
  const { typed, turn, onInput, words } = useDraft("new", {
    ...typedOf(undefined),
    title: query.value.get("title") ?? "",
    deadline: isDate(date) ? date : "",
  });
  const { state, onSubmit } = useForm(async (data) => {
    const given = Object.entries(readForm(data)).filter(([, text]) => text !== "");
    const fields = given.map(([name, text]) => [name, valueOf(name, text)]);
    const note = await addNote({ title: "", ...Object.fromEntries(fields) });
    dropDraft("new");
    done(`${note.title} is saved`);
    touch();
    navigate(`/notes/note/${note.id}`, { replace: true });
  });
  return (
    <div class="note-form stack">
      <PageTitle title="Write a note" />
      {words}
      <form
        class="card form"
        key={turn}
        onSubmit={onSubmit}
        onInput={onInput}
        onKeyDown={saveKey}
        noValidate
      >
        <NoteFieldsOf typed={typed} state={state.value} />
        <FormProblem state={state.value} />
        <div class="form-end">
          <span class="form-leave" onClickCapture={() => dropDraft("new")}>
            <Link class="button" href="/notes">
              Cancel
            </Link>
          </span>
          <SubmitButton state={state.value}>Save note</SubmitButton>
        </div>
      </form>
    </div>
  );
}

function EditForm({ note }: { note: Note }) {
  const draft = useDraft(note.id, typedOf(note));
  const { submit, conflict, typed, isChosen, turn } = useEditing<Note>({
    what: "note",
    item: note,
    labels,
    typedOf,
    valueOf,
    read: () => getNote(note.id),
    change: changeNote,
    onSaved: (after) => {
      dropDraft(note.id);
      done(`${after.title} is saved`);
      touch();
      navigate(`/notes/note/${note.id}`, { replace: true });
    },
  });
  const { state, onSubmit } = useForm((data) => submit(readForm(data)));
  if (conflict) return conflict;
  return (
    <>
      {!isChosen && draft.words}
      <form
        class="card form"
        key={`${turn} ${draft.turn}`}
        onSubmit={onSubmit}
        onInput={draft.onInput}
        onKeyDown={saveKey}
        noValidate
      >
        <NoteFieldsOf typed={isChosen ? (typed as Typed) : draft.typed} state={state.value} />
        <FormProblem state={state.value} />
        <div class="form-end">
          <span class="form-leave" onClickCapture={() => dropDraft(note.id)}>
            <Link class="button" href={`/notes/note/${note.id}`}>
              Cancel
            </Link>
          </span>
          <SubmitButton state={state.value}>Save</SubmitButton>
        </div>
      </form>
    </>
  );
}

export function EditPage({ id }: { id: string }) {
  // Read once: what comes later is a conflict, not a new start.
  const { data, error, reload } = useLoad((signal) => getNote(id, signal), [id]);
  return (
    <div class="note-form stack">
      <PageTitle title={data ? `Edit ${data.title}` : "Edit"} />
      {error !== undefined && <ProblemBox error={error} onRetry={reload} />}
      {!data && error === undefined && <Loading />}
      {data && <EditForm note={data} />}
    </div>
  );
}
