// Changing something: sends what differs, on condition that nobody else has changed it since it was
// read; when somebody has, both are shown side by side.

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Problem } from "./api";
import { Conflict } from "./conflict";
import { FormProblem, type FormState, SubmitButton, useForm } from "./form";

/** The fields as they stand in the form. */
export type Typed = Record<string, string>;

export interface FieldSet<T> {
  /** In the order in which they are shown. */
  labels: Record<string, string>;
  typedOf: (item: T) => Typed;
  /** What the API takes for a field. */
  valueOf: (name: string, text: string) => unknown;
  /** What stands for a text where people compare. */
  shownOf?: (name: string, text: string) => string;
}

export interface Editing<T> extends FieldSet<T> {
  /** As one names it: "list". */
  what: string;
  item: T;
  /** As it is now. */
  read: () => Promise<T>;
  change: (from: T, fields: Record<string, unknown>) => Promise<T>;
  onSaved: (after: T) => void;
  /** The form goes on from these after a conflict, for who keeps them elsewhere. */
  onStart?: (typed: Typed) => void;
}

export function useEditing<T>(editing: Editing<T>) {
  const { what, item, labels, typedOf, valueOf, shownOf = (_, text) => text } = editing;
  const names = Object.keys(labels);
  // What the form is compared with, and what it starts from when that is something else.
  const base = useSignal(item);
  const typed = useSignal<Typed | null>(null);
  const conflict = useSignal<{ current: T; mine: Typed; changed: string[] } | null>(null);
  const turn = useSignal(0);

  const start = (from: T, shown: Typed | null) => {
    base.value = from;
    typed.value = shown;
    conflict.value = null;
    turn.value += 1;
  };
  const save = async (from: T, mine: Typed, changed: string[]) => {
    const fields = Object.fromEntries(
      changed.map((name) => [name, valueOf(name, mine[name] ?? "")]),
    );
    const after = changed.length > 0 ? await editing.change(from, fields) : from;
    start(after, null);
    editing.onSaved(after);
  };
  const submit = async (mine: Typed) => {
    const before = typedOf(base.value);
    const changed = names.filter((name) => mine[name] !== before[name]);
    try {
      await save(base.value, mine, changed);
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 412) throw error;
      const current = await editing.read();
      const now = typedOf(current);
      // Something of it has changed that this form does not show.
      if (names.every((name) => now[name] === before[name])) await save(current, mine, changed);
      else conflict.value = { current, mine, changed };
    }
  };
  const choice = () => {
    if (!conflict.value) return null;
    const { current, mine, changed } = conflict.value;
    const theirs = typedOf(current);
    const before = typedOf(base.value);
    const text = (from: Typed, name: string) => shownOf(name, from[name] ?? "");
    const goOn = (shown: Typed) => {
      start(current, shown);
      editing.onStart?.(shown);
    };
    return (
      <Conflict
        what={what}
        differences={names
          .filter((name) => mine[name] !== theirs[name])
          .map((name) => ({
            label: labels[name] ?? name,
            before: text(before, name),
            mine: text(mine, name),
            theirs: text(theirs, name),
            isMine: changed.includes(name),
          }))}
        onMine={() => save(current, mine, changed)}
        onTheirs={() => goOn(theirs)}
        onEdit={() => {
          const kept = changed.map((name) => [name, mine[name] ?? ""]);
          goOn({ ...theirs, ...(Object.fromEntries(kept) as Typed) });
        }}
      />
    );
  };
  return {
    submit,
    /** What to show instead of the form, when there is something to choose. */
    conflict: choice(),
    /** As it was when the form began. */
    base: base.value,
    typed: typed.value ?? typedOf(base.value),
    /** Whether what the form starts from was chosen in a conflict. */
    isChosen: typed.value !== null,
    /** A form with another one begins anew. */
    turn: turn.value,
  };
}

export const readTyped = (names: string[], data: FormData): Typed =>
  Object.fromEntries(names.map((name) => [name, String(data.get(name) ?? "").trim()]));

export type FieldOf = (name: string) => {
  label: string;
  name: string;
  state: FormState;
  defaultValue: string;
};
export const fieldsIn =
  (labels: Record<string, string>, typed: Typed, state: FormState): FieldOf =>
  (name) => ({ label: labels[name] ?? name, name, state, defaultValue: typed[name] ?? "" });

interface EditFormProps<T> extends Editing<T> {
  children: (typed: Typed, state: FormState) => ComponentChildren;
  /** Beside the button that saves. */
  end?: ComponentChildren;
}

/** A form whose fields keep what is typed themselves. */
export function EditForm<T>(props: EditFormProps<T>) {
  const { submit, conflict, typed, turn } = useEditing(props);
  const { state, onSubmit } = useForm((data) => submit(readTyped(Object.keys(props.labels), data)));
  if (conflict) return conflict;
  return (
    <form class="card form" key={turn} onSubmit={onSubmit} noValidate>
      {props.children(typed, state.value)}
      <FormProblem state={state.value} />
      <div class="form-end">
        {props.end}
        <SubmitButton state={state.value}>Save</SubmitButton>
      </div>
    </form>
  );
}
