import { useSignal } from "@preact/signals";
import { Problem, signIn, signUp } from "../shared/api";
import { FormProblem, SubmitButton, TextField, useForm } from "../shared/form";
import { PageTitle } from "../shared/pieces";
import { Link, navigate, query } from "../shared/router";
import { EmailField, NewPasswordField } from "./fields";

/** Where to go on: an address of this server, whatever the query says. */
export function goOn(): void {
  const next = query.value.get("next") ?? "/";
  location.assign(/^\/(?![/\\])/.test(next) ? next : "/");
}

export const text = (data: FormData, name: string) => String(data.get(name) ?? "");

/** What was typed a moment ago, so that nobody has to type it again. */
export const typedPassword = { current: "" };

/** Where an address is confirmed with a code. */
function confirmHref(email: string): string {
  const next = new URLSearchParams(query.value);
  next.set("email", email);
  return `/confirm?${next}`;
}

export function SignIn() {
  const pending = useSignal("");
  const { state, onSubmit } = useForm(async (data) => {
    const email = text(data, "email");
    typedPassword.current = text(data, "password");
    try {
      await signIn(email, typedPassword.current);
    } catch (error) {
      pending.value = error instanceof Problem && error.code === "account-pending" ? email : "";
      throw error;
    }
    goOn();
  });
  return (
    <div class="sign stack">
      <PageTitle title="Sign in" />
      <form class="card form" onSubmit={onSubmit} noValidate>
        <EmailField state={state.value} />
        <TextField
          label="Password"
          name="password"
          type="password"
          autocomplete="current-password"
          state={state.value}
          required
        />
        <FormProblem state={state.value} />
        {pending.value && (
          <p>
            <Link href={confirmHref(pending.value)}>I have a code</Link>
          </p>
        )}
        <SubmitButton state={state.value}>Sign in</SubmitButton>
      </form>
      <p class="row spread">
        <span>
          No account yet? <Link href={`/signup${location.search}`}>Make one</Link>
        </span>
        <Link href={`/forgot${location.search}`}>Forgot your password?</Link>
      </p>
    </div>
  );
}

export function SignUp() {
  const isWaiting = useSignal(false);
  const { state, onSubmit } = useForm(async (data) => {
    const fields = {
      name: text(data, "name"),
      email: text(data, "email"),
      password: text(data, "password"),
    };
    const status = await signUp(fields);
    typedPassword.current = fields.password;
    if (status === "PENDING_APPROVAL") isWaiting.value = true;
    else if (status === "UNCONFIRMED") navigate(confirmHref(fields.email));
    else {
      await signIn(fields.email, fields.password);
      goOn();
    }
  });
  return (
    <div class="sign stack">
      <PageTitle title="Make an account" />
      {isWaiting.value ? (
        <p class="card" role="status">
          Your account is made. An administrator has to approve it before you can sign in.
        </p>
      ) : (
        <form class="card form" onSubmit={onSubmit} noValidate>
          <TextField label="Name" name="name" autocomplete="name" state={state.value} required />
          <EmailField state={state.value} />
          <NewPasswordField label="Password" name="password" state={state.value} />
          <FormProblem state={state.value} />
          <SubmitButton state={state.value}>Make account</SubmitButton>
        </form>
      )}
      <p>
        Have one already? <Link href={`/signin${location.search}`}>Sign in</Link>
      </p>
    </div>
  );
}
