// Changing something: sends what differs, on condition that nobody else has changed it since it was
// read; when somebody has, both are shown side by side.

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Problem } from "../shared/api";
import { Conflict, type Difference } from "../shared/conflict";
import { FormProblem, type FormState, SubmitButton, useForm } from "../shared/form";

export type Typed = Record<string, string>;
export type FieldOf = (name: string) => {
  label: string;
  name: string;
  state: FormState;
  defaultValue: string;
};

interface EditFormProps<Item> {
  /** As one names it: "list". */
  what: string;
  item: Item;
  labels: Record<string, string>;
  /** The fields as they stand in the form. */
  typedOf: (item: Item) => Typed;
  /** What the API takes for a field. */
  valueOf: (name: string, text: string) => unknown;
  /** As it is now. */
  read: () => Promise<Item>;
  change: (from: Item, fields: object) => Promise<Item>;
  onSaved: (after: Item) => void;
  children: (field: FieldOf) => ComponentChildren;
  /** Beside the button that saves. */
  end?: ComponentChildren;
}

export const readTyped = (names: string[], data: FormData): Typed =>
  Object.fromEntries(names.map((name) => [name, String(data.get(name) ?? "").trim()]));

export const fieldsIn =
  (labels: Record<string, string>, typed: Typed, state: FormState): FieldOf =>
  (name) => ({ label: labels[name] ?? name, name, state, defaultValue: typed[name] ?? "" });

export function EditForm<Item>(props: EditFormProps<Item>) {
  const { what, item, labels, typedOf, valueOf, read, change, onSaved } = props;
  const names = Object.keys(labels);
  // What the form is compared with, and what it starts from.
  const base = useSignal(item);
  const typed = useSignal(typedOf(item));
  const conflict = useSignal<{ current: Item; mine: Typed; fields: object } | null>(null);
  const turn = useSignal(0);

  const start = (from: Item, shown: Typed) => {
    base.value = from;
    typed.value = shown;
    conflict.value = null;
    turn.value += 1;
  };
  const save = async (from: Item, fields: object) => {
    const after = Object.keys(fields).length > 0 ? await change(from, fields) : from;
    start(after, typedOf(after));
    onSaved(after);
  };
  const { state, onSubmit } = useForm(async (data) => {
    const mine = readTyped(names, data);
    const before = typedOf(base.value);
    const fields = Object.fromEntries(
      names
        .filter((name) => mine[name] !== before[name])
        .map((name) => [name, valueOf(name, mine[name] ?? "")]),
    );
    try {
      await save(base.value, fields);
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 412) throw error;
      const current = await read();
      const now = typedOf(current);
      // Something of it has changed that this form does not show.
      if (names.every((name) => now[name] === before[name])) await save(current, fields);
      else conflict.value = { current, mine, fields };
    }
  });
  if (conflict.value) {
    const { current, mine, fields } = conflict.value;
    const theirs = typedOf(current);
    const before = typedOf(base.value);
    const differences: Difference[] = names
      .filter((name) => mine[name] !== theirs[name])
      .map((name) => ({
        label: labels[name] ?? name,
        before: before[name] ?? "",
        mine: mine[name] ?? "",
        theirs: theirs[name] ?? "",
        isMine: name in fields,
      }));
    return (
      <Conflict
        what={what}
        differences={differences}
        onMine={() => save(current, fields)}
        onTheirs={() => start(current, theirs)}
        onEdit={() => {
          const kept = names.map((name) => [name, name in fields ? mine[name] : theirs[name]]);
          start(current, Object.fromEntries(kept) as Typed);
        }}
      />
    );
  }
  return (
    <form class="card form" key={turn.value} onSubmit={onSubmit} noValidate>
      {props.children(fieldsIn(labels, typed.value, state.value))}
      <FormProblem state={state.value} />
      <div class="form-end">
        {props.end}
        <SubmitButton state={state.value}>Save</SubmitButton>
      </div>
    </form>
  );
}
