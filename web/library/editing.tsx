// Changing something: what differs is sent, on condition that nobody else has changed it since it
// was read. Who was slower sees both and chooses.

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Problem } from "../shared/api";
import { Conflict, type Difference } from "../shared/conflict";
import { FormProblem, type FormState, SubmitButton, useForm } from "../shared/form";
import { touch } from "../shared/live";
import { Link } from "../shared/router";
import { done } from "../shared/toast";

/** The fields as they stand in the form. */
export type Typed = Record<string, string>;

export interface FieldSet<T> {
  /** In the order in which they are shown. */
  labels: Record<string, string>;
  typedOf: (item: T) => Typed;
  /** What goes to the server for a text. */
  valueOf: (name: string, text: string) => unknown;
  /** What stands for a text where people compare. */
  shownOf?: (name: string, text: string) => string;
}

export function readForm(data: FormData, names: string[]): Typed {
  return Object.fromEntries(names.map((name) => [name, String(data.get(name) ?? "").trim()]));
}

/** A failure of one of several names in a field is the field's. */
export async function forFields<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const errors = error.errors.map((it) => ({
      ...it,
      pointer: it.pointer.replace(/(\/\d+)+$/, ""),
    }));
    const { status, code, message, body } = error;
    throw new Problem({ status, code, message, errors, body });
  }
}

/** A refusal that is about one field stands beside it. */
export async function atField<T>(codes: Record<string, string>, run: () => Promise<T>): Promise<T> {
  try {
    return await forFields(run);
  } catch (error) {
    const field = error instanceof Problem ? codes[error.code] : undefined;
    if (!field || !(error instanceof Problem) || error.errors.length > 0) throw error;
    const { status, code, message, body } = error;
    const errors = [{ pointer: `/${field}`, code, message }];
    throw new Problem({ status, code, message, errors, body });
  }
}

interface EditFormProps<T> extends FieldSet<T> {
  /** As one names it: "book". */
  what: string;
  item: T;
  nameOf: (item: T) => string;
  read: () => Promise<T>;
  change: (item: T, fields: object) => Promise<T>;
  onSaved: (after: T) => void;
  back: string;
  fields: (typed: Typed, state: FormState) => ComponentChildren;
}

export function EditForm<T>(props: EditFormProps<T>) {
  const { what, item, labels, typedOf, valueOf, shownOf = (_, text) => text } = props;
  const names = Object.keys(labels);
  // What the form is compared with, and what it starts from.
  const base = useSignal(item);
  const typed = useSignal(typedOf(item));
  const conflict = useSignal<{ current: T; mine: Typed; changed: string[] } | null>(null);
  const turn = useSignal(0);

  const save = async (from: T, changed: string[], mine: Typed) => {
    const fields = Object.fromEntries(
      changed.map((name) => [name, valueOf(name, mine[name] ?? "")]),
    );
    const after = changed.length > 0 ? await props.change(from, fields) : from;
    done(`${props.nameOf(after)} is saved`);
    touch();
    props.onSaved(after);
  };
  const { state, onSubmit } = useForm(async (data) => {
    const mine = readForm(data, names);
    const before = typedOf(base.value);
    const changed = names.filter((name) => mine[name] !== before[name]);
    try {
      await forFields(() => save(base.value, changed, mine));
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 412) throw error;
      conflict.value = { current: await props.read(), mine, changed };
    }
  });
  const start = (from: T, shown: Typed) => {
    base.value = from;
    typed.value = shown;
    conflict.value = null;
    turn.value += 1;
  };
  if (conflict.value) {
    const { current, mine, changed } = conflict.value;
    const theirs = typedOf(current);
    const before = typedOf(base.value);
    const text = (from: Typed, name: string) => shownOf(name, from[name] ?? "");
    const differences: Difference[] = names
      .filter((name) => mine[name] !== theirs[name])
      .map((name) => ({
        label: labels[name] ?? name,
        before: text(before, name),
        mine: text(mine, name),
        theirs: text(theirs, name),
        isMine: changed.includes(name),
      }));
    return (
      <Conflict
        what={what}
        differences={differences}
        onMine={() => save(current, changed, mine)}
        onTheirs={() => start(current, theirs)}
        onEdit={() => {
          const kept = names.map((name) => [name, (changed.includes(name) ? mine : theirs)[name]]);
          start(current, Object.fromEntries(kept) as Typed);
        }}
      />
    );
  }
  return (
    <form class="card form" key={turn.value} onSubmit={onSubmit} noValidate>
      {props.fields(typed.value, state.value)}
      <FormProblem state={state.value} />
      <div class="form-end">
        <Link class="button" href={props.back}>
          Cancel
        </Link>
        <SubmitButton state={state.value}>Save</SubmitButton>
      </div>
    </form>
  );
}
