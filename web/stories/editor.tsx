// A place to write in, with what it will look like beside it.

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { agoText } from "../shared/dates";
import { type Editing, useEditing } from "../shared/editing";
import { FormProblem, type FormState, SubmitButton, useForm } from "../shared/form";
import { touch } from "../shared/live";
import { Markdown } from "../shared/markdown";
import { countText, manyText } from "../shared/pieces";
import { Link, navigate } from "../shared/router";
import { done } from "../shared/toast";
import { type Draft, useDraft } from "./draft";
import { lookClass } from "./look";
import { minutesText } from "./pieces";
import { contentMax, contentMin } from "./server";

// As the server counts: code points.
export const lengthOf = (text: string) => [...text].length;

export function LengthHint({ text, min, max }: { text: string; min: number; max: number }) {
  const length = lengthOf(text);
  const missing = min - length;
  if (length > 0 && missing > 0) return <span>{manyText(missing, "more character")} to go</span>;
  if (length > max) return <span class="bad">{countText(length - max)} too many</span>;
  return (
    <span>
      {countText(length)} of {countText(max)}
    </span>
  );
}

const tools = [
  { label: "Bold", sign: "B", around: "**" },
  { label: "Italic", sign: "I", around: "*" },
  { label: "Quotation", sign: "“ ”", before: "> " },
  { label: "Heading", sign: "H", before: "## " },
  { label: "A pause", sign: "—", block: "\n\n---\n\n" },
];

/** When it was saved on this device, said anew each half minute. */
function Saved({ draft }: { draft: Draft }) {
  const now = useSignal(Date.now());
  useEffect(() => {
    const timer = setInterval(() => (now.value = Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  const at = draft.savedAt.value;
  if (!at) return <small class="saved">Kept on this device as you write</small>;
  return (
    <small class="saved" role="status">
      Kept on this device, {agoText(at, Math.max(now.value, Date.parse(at)))}
    </small>
  );
}

function FoundDraft({ draft }: { draft: Draft }) {
  if (!draft.isFound.value) return null;
  return (
    <p class="note row spread" role="status">
      <span>Here is what you had written, as you left it.</span>
      <button type="button" class="small" onClick={draft.startOver}>
        Start over
      </button>
    </p>
  );
}

interface EditorProps {
  label: string;
  value: string;
  onInput: (value: string) => void;
  state: FormState;
  name?: string;
}

export function Editor({ label, value, onInput, state, name = "content" }: EditorProps) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const shown = useSignal<"both" | "text" | "preview">(
    matchMedia("(max-width: 52rem)").matches ? "text" : "both",
  );
  const error = state.fields[name];
  const apply = (tool: (typeof tools)[number]) => {
    const element = area.current;
    if (!element) return;
    const { selectionStart: from, selectionEnd: to } = element;
    const chosen = value.slice(from, to);
    let text = chosen;
    if (tool.around) text = `${tool.around}${chosen || "words"}${tool.around}`;
    if (tool.before) {
      const prefix = tool.before;
      text = (chosen || "words")
        .split("\n")
        .map((line) => prefix + line)
        .join("\n");
    }
    if (tool.block) text = chosen + tool.block;
    element.focus();
    element.setRangeText(text, from, to, "end");
    onInput(element.value);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey)) return;
    const tool = event.key === "b" ? tools[0] : event.key === "i" ? tools[1] : undefined;
    if (tool) {
      event.preventDefault();
      apply(tool);
    } else if (event.key === "Enter") {
      event.preventDefault();
      area.current?.form?.requestSubmit();
    }
  };
  const views = [
    ["both", "Both"],
    ["text", "Text"],
    ["preview", "Preview"],
  ] as const;
  return (
    <div class={`editor shows-${shown.value}`}>
      <div class="editor-bar">
        <label class="label" for={id}>
          {label}
        </label>
        <span class="editor-tools" role="group" aria-label="Form of the text">
          {tools.map((tool) => (
            <button
              key={tool.label}
              type="button"
              class="small quiet"
              aria-label={tool.label}
              title={tool.label}
              onClick={() => apply(tool)}
            >
              {tool.sign}
            </button>
          ))}
        </span>
        <span class="switch" role="group" aria-label="What is shown">
          {views.map(([view, text]) => (
            <button
              key={view}
              type="button"
              class={`small view-${view}`}
              aria-pressed={shown.value === view}
              onClick={() => (shown.value = view)}
            >
              {text}
            </button>
          ))}
        </span>
      </div>
      <div class="editor-panes">
        <textarea
          ref={area}
          id={id}
          name={name}
          value={value}
          placeholder="Once…"
          spellcheck
          onInput={(event) => onInput(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-hint ${error ? `${id}-error` : ""}`}
        />
        <div class="editor-preview" role="region" aria-label="Preview" tabIndex={0}>
          {value.trim() ? (
            <div class={lookClass()}>
              <Markdown text={value} />
            </div>
          ) : (
            <p class="soft">What you write appears here as readers will see it.</p>
          )}
        </div>
      </div>
      {error && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
      <p class="hint row spread" id={`${id}-hint`}>
        <LengthHint text={value} min={contentMin} max={contentMax} />
        <span>
          {value.trim() && `${minutesText(value)} to read · `}**bold**, *italic*, &gt; quotation
        </span>
      </p>
    </div>
  );
}

interface DraftFormProps {
  draft: Draft;
  form: ReturnType<typeof useForm>;
  /** Where who does not send it goes. */
  back: { href: string; label: string };
  button: string;
  children: ComponentChildren;
}

/** A form whose texts are kept on this device until they are sent. */
export function DraftForm({ draft, form, back, button, children }: DraftFormProps) {
  const state = form.state.value;
  return (
    <form class="card form" onSubmit={form.onSubmit} noValidate>
      <FoundDraft draft={draft} />
      {children}
      <FormProblem state={state} />
      <div class="form-end">
        <Saved draft={draft} />
        <Link class="button" href={back.href}>
          {back.label}
        </Link>
        <SubmitButton state={state}>{button}</SubmitButton>
      </div>
    </form>
  );
}

interface EditDraftProps<T> extends Omit<Editing<T>, "onSaved" | "onStart"> {
  /** Under which the draft is kept. */
  name: string;
  titleOf: (item: T) => string;
  href: string;
  children: (draft: Draft, state: FormState, base: T) => ComponentChildren;
}

/** Changing what one has written. */
export function EditDraft<T>({ name, titleOf, href, children, ...editing }: EditDraftProps<T>) {
  const draft = useDraft(name, editing.typedOf(editing.item));
  const { submit, conflict, base, turn } = useEditing<T>({
    ...editing,
    onStart: draft.set,
    onSaved: (after) => {
      draft.forget();
      done(`${titleOf(after)} is saved`);
      touch();
      navigate(href, { replace: true });
    },
  });
  const form = useForm(() => submit(draft.texts.value));
  if (conflict) return conflict;
  return (
    <DraftForm key={turn} draft={draft} form={form} back={{ href, label: "Cancel" }} button="Save">
      {children(draft, form.state.value, base)}
    </DraftForm>
  );
}
