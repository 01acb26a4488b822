import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { FormProblem, type FormState, SubmitButton, TextField, useForm } from "./form";
import { done } from "./toast";

interface EmailChangeProps {
  email: string;
  ask: (newEmail: string, password: string) => Promise<unknown>;
  /** -> the address that it is then. */
  confirm: (code: string) => Promise<string>;
  /** Said below the address. */
  hint?: ComponentChildren;
  /** How far it is, while it goes on. */
  progress?: string;
  children?: ComponentChildren;
}

export function CodeField({ state }: { state: FormState }) {
  return (
    <TextField
      label="Code"
      name="code"
      autocomplete="one-time-code"
      placeholder="123456"
      state={state}
    />
  );
}

/** Changes an address: asks for a code that is sent to the new one, and takes it. */
export function EmailChange(props: EmailChangeProps) {
  const asked = useSignal("");
  const ask = useForm(async (data) => {
    const newEmail = String(data.get("newEmail") ?? "").trim();
    await props.ask(newEmail, String(data.get("password") ?? ""));
    asked.value = newEmail;
  });
  const confirm = useForm(async (data) => {
    const now = await props.confirm(String(data.get("code") ?? "").trim());
    asked.value = "";
    done(`Your address is ${now}`);
  });
  return (
    <section class="card stack" aria-labelledby="email">
      <h2 id="email">E-mail address</h2>
      <p>
        <strong>{props.email}</strong>
        {props.hint && (
          <>
            <br />
            <span class="soft">{props.hint}</span>
          </>
        )}
      </p>
      {props.children}
      {asked.value ? (
        <form class="form" key="confirm" onSubmit={confirm.onSubmit} noValidate>
          <p role="status">
            A code is on its way to <strong>{asked.value}</strong>. It is good for 15 minutes.
          </p>
          <CodeField state={confirm.state.value} />
          {props.progress && (
            <p class="note" role="status">
              {props.progress}
            </p>
          )}
          <FormProblem state={confirm.state.value} />
          <div class="form-end">
            <button type="button" onClick={() => (asked.value = "")}>
              Cancel
            </button>
            <SubmitButton state={confirm.state.value}>Change address</SubmitButton>
          </div>
        </form>
      ) : (
        <form class="form" key="ask" onSubmit={ask.onSubmit} noValidate>
          <TextField
            label="New address"
            name="newEmail"
            type="email"
            autocomplete="email"
            state={ask.state.value}
          />
          <TextField
            label="Your password"
            name="password"
            type="password"
            autocomplete="current-password"
            state={ask.state.value}
          />
          <FormProblem state={ask.state.value} />
          <div class="form-end">
            <SubmitButton state={ask.state.value}>Send a code</SubmitButton>
          </div>
        </form>
      )}
    </section>
  );
}
