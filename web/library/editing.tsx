// Changing something in a library.

import type { ComponentChildren } from "preact";
import { Problem } from "../shared/api";
import { EditForm as AnyEditForm, type Editing, type Typed } from "../shared/editing";
import type { FormState } from "../shared/form";
import { touch } from "../shared/live";
import { Link } from "../shared/router";
import { done } from "../shared/toast";

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

interface EditFormProps<T> extends Editing<T> {
  nameOf: (item: T) => string;
  back: string;
  fields: (typed: Typed, state: FormState) => ComponentChildren;
}

export function EditForm<T>(props: EditFormProps<T>) {
  return (
    <AnyEditForm
      {...props}
      change={(item, fields) => forFields(() => props.change(item, fields))}
      onSaved={(after) => {
        done(`${props.nameOf(after)} is saved`);
        touch();
        props.onSaved(after);
      }}
      end={
        <Link class="button" href={props.back}>
          Cancel
        </Link>
      }
    >
      {props.fields}
    </AnyEditForm>
  );
}
