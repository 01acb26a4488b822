// What is done with a code that came by e-mail: an address is confirmed, a password is replaced.

import type { ComponentChildren } from "preact";
import { post, signIn } from "../shared/api";
import { CodeField } from "../shared/email_change";
import { FormProblem, type FormState, SubmitButton, useForm } from "../shared/form";
import { PageTitle } from "../shared/pieces";
import { Link, navigate, query, setQuery } from "../shared/router";
import { attempt, done } from "../shared/toast";
import { EmailField, NewPasswordField } from "./fields";
import { goOn, text, typedPassword } from "./sign";

const root = "/auth/v1";

const toSignIn = () => {
  const next = new URLSearchParams(query.value);
  next.delete("email");
  return next.size > 0 ? `/signin?${next}` : "/signin";
};

interface CodeFormProps {
  email: string;
  /** Sends another code. */
  again: () => Promise<unknown>;
  submit: (code: string, data: FormData) => Promise<void>;
  button: string;
  children?: (state: FormState) => ComponentChildren;
}

function CodeForm({ email, again, submit, button, children }: CodeFormProps) {
  const { state, onSubmit } = useForm((data) => submit(text(data, "code").trim(), data));
  const sendAgain = () =>
    attempt(async () => {
      await again();
      done("Another code is on its way; there is at most one a minute");
    });
  return (
    <form class="card form" onSubmit={onSubmit} noValidate>
      <p role="status">
        If there is an account for <strong>{email}</strong>, a code is on its way there. It is good
        for 15 minutes.
      </p>
      <CodeField state={state.value} />
      {children?.(state.value)}
      <FormProblem state={state.value} />
      <div class="form-end">
        <button type="button" class="quiet" onClick={() => void sendAgain()}>
          Send another code
        </button>
        <SubmitButton state={state.value}>{button}</SubmitButton>
      </div>
    </form>
  );
}

function AskForm({ ask }: { ask: (email: string) => Promise<unknown> }) {
  const { state, onSubmit } = useForm(async (data) => {
    const email = text(data, "email").trim();
    await ask(email);
    setQuery({ email }, { replace: false });
  });
  return (
    <form class="card form" onSubmit={onSubmit} noValidate>
      <EmailField state={state.value} />
      <FormProblem state={state.value} />
      <SubmitButton state={state.value}>Send a code</SubmitButton>
    </form>
  );
}

const Back = () => (
  <p>
    <Link href={toSignIn()}>Back to signing in</Link>
  </p>
);

export function Confirm() {
  const email = query.value.get("email") ?? "";
  const again = (address: string) => post(`${root}/resend-code`, { email: address });
  return (
    <div class="sign stack">
      <PageTitle title="Confirm your address" />
      {email ? (
        <CodeForm
          email={email}
          again={() => again(email)}
          button="Confirm"
          submit={async (code) => {
            await post(`${root}/confirm`, { email, code });
            if (typedPassword.current) {
              await signIn(email, typedPassword.current);
              goOn();
            } else {
              done("Your address is confirmed");
              navigate(toSignIn());
            }
          }}
        />
      ) : (
        <AskForm ask={again} />
      )}
      <Back />
    </div>
  );
}

export function Forgot() {
  const email = query.value.get("email") ?? "";
  const ask = (address: string) => post(`${root}/forgot`, { email: address });
  return (
    <div class="sign stack">
      <PageTitle title="A new password" />
      {email ? (
        <CodeForm
          email={email}
          again={() => ask(email)}
          button="Set the password"
          submit={async (code, data) => {
            const newPassword = text(data, "newPassword");
            await post(`${root}/reset`, { email, code, newPassword });
            await signIn(email, newPassword);
            goOn();
          }}
        >
          {(state) => (
            <>
              <input type="hidden" name="username" autocomplete="username" value={email} />
              <NewPasswordField label="New password" name="newPassword" state={state} />
            </>
          )}
        </CodeForm>
      ) : (
        <AskForm ask={ask} />
      )}
      <Back />
    </div>
  );
}
