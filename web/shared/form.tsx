// Forms that say beside each field what the server said about it.

import { useSignal } from "@preact/signals";
import type { ComponentChildren, TargetedSubmitEvent } from "preact";
import { useId } from "preact/hooks";
import { Problem, sentenceOf } from "./api";

export interface FormState {
  isBusy: boolean;
  problem: string | null;
  fields: Record<string, string>;
}

/** Runs `submit`; what it throws is shown in the form. */
export function useForm(submit: (data: FormData) => Promise<void>) {
  const state = useSignal<FormState>({ isBusy: false, problem: null, fields: {} });
  const onSubmit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (state.value.isBusy) return;
    const form = event.currentTarget;
    state.value = { isBusy: true, problem: null, fields: {} };
    try {
      await submit(new FormData(form));
      state.value = { isBusy: false, problem: null, fields: {} };
    } catch (error) {
      const fields: Record<string, string> = {};
      if (error instanceof Problem) {
        for (const failure of error.errors) {
          fields[failure.pointer.split("/").pop()?.replace(/^\?/, "") ?? ""] ??= failure.message;
        }
      }
      state.value = { isBusy: false, problem: sentenceOf(error), fields };
      requestAnimationFrame(() => form.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
    }
  };
  return { state, onSubmit };
}

interface FieldProps {
  label: string;
  name: string;
  state?: FormState;
  hint?: ComponentChildren;
  children?: ComponentChildren;
}

interface TextFieldProps extends FieldProps {
  type?:
    | ("text" | "email" | "password" | "number" | "url" | "search")
    | ("date" | "time" | "datetime-local");
  autocomplete?: string;
  placeholder?: string;
  required?: boolean;
  spellcheck?: boolean;
  defaultValue?: string;
  value?: string;
  min?: string;
  max?: string;
  step?: string;
  onInput?: (value: string) => void;
}

function Around({ label, id, hint, error, children }: FieldProps & { id: string; error?: string }) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

const described = (id: string, hint: unknown, error: unknown) =>
  [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ") || undefined;

export function TextField({
  label,
  name,
  state,
  hint,
  type = "text",
  onInput,
  ...rest
}: TextFieldProps) {
  const id = useId();
  const error = state?.fields[name];
  return (
    <Around {...{ label, name, id, hint, error }}>
      <input
        id={id}
        name={name}
        type={type as "text"}
        autocomplete="off"
        {...rest}
        onInput={onInput && ((event) => onInput(event.currentTarget.value))}
        aria-invalid={error ? true : undefined}
        aria-describedby={described(id, hint, error)}
      />
    </Around>
  );
}

interface AreaProps extends FieldProps {
  rows?: number;
  defaultValue?: string;
  required?: boolean;
  onInput?: (value: string) => void;
}

export function AreaField({ label, name, state, hint, onInput, ...rest }: AreaProps) {
  const id = useId();
  const error = state?.fields[name];
  return (
    <Around {...{ label, name, id, hint, error }}>
      <textarea
        id={id}
        name={name}
        {...rest}
        onInput={onInput && ((event) => onInput(event.currentTarget.value))}
        aria-invalid={error ? true : undefined}
        aria-describedby={described(id, hint, error)}
      />
    </Around>
  );
}

type SelectProps = FieldProps & {
  options: (string | { value: string; label: string })[];
  value?: string;
  onChange?: (value: string) => void;
};

export function SelectField({ label, name, state, hint, options, value, onChange }: SelectProps) {
  const id = useId();
  const error = state?.fields[name];
  return (
    <Around {...{ label, name, id, hint, error }}>
      <select
        id={id}
        name={name}
        value={value}
        onChange={(event) => onChange?.(event.currentTarget.value)}
        aria-invalid={error ? true : undefined}
        aria-describedby={described(id, hint, error)}
      >
        {options.map((option) => {
          const { value: own, label: text } =
            typeof option === "string" ? { value: option, label: option } : option;
          return (
            <option key={own} value={own}>
              {text}
            </option>
          );
        })}
      </select>
    </Around>
  );
}

export function FormProblem({ state }: { state: FormState }) {
  return (
    <p class="form-problem" role="alert">
      {state.problem}
    </p>
  );
}

interface SubmitButtonProps {
  state: FormState;
  /** What it does has no way back. */
  isDanger?: boolean;
  children: ComponentChildren;
}

export function SubmitButton({ state, isDanger, children }: SubmitButtonProps) {
  return (
    <button
      class={isDanger ? "danger" : "primary"}
      type="submit"
      aria-busy={state.isBusy}
      disabled={state.isBusy}
    >
      {state.isBusy ? "Working…" : children}
    </button>
  );
}
