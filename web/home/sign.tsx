import { useSignal } from "@preact/signals";
import { signIn, signUp } from "../shared/api";
import { FormProblem, SubmitButton, TextField, useForm } from "../shared/form";
import { PageTitle } from "../shared/pieces";
import { Link, query } from "../shared/router";

// Where to go on: an address of this server, whatever the query says.
function goOn(): void {
  const next = query.value.get("next") ?? "/";
  location.assign(/^\/(?![/\\])/.test(next) ? next : "/");
}

const text = (data: FormData, name: string) => String(data.get(name) ?? "");

export function SignIn() {
  const { state, onSubmit } = useForm(async (data) => {
    await signIn(text(data, "email"), text(data, "password"));
    goOn();
  });
  return (
    <div class="sign stack">
      <PageTitle title="Sign in" />
      <form class="card form" onSubmit={onSubmit} noValidate>
        <TextField
          label="E-mail"
          name="email"
          type="email"
          autocomplete="username"
          state={state.value}
          required
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autocomplete="current-password"
          state={state.value}
          required
        />
        <FormProblem state={state.value} />
        <SubmitButton state={state.value}>Sign in</SubmitButton>
      </form>
      <p>
        No account yet? <Link href={`/signup${location.search}`}>Make one</Link>
      </p>
    </div>
  );
}

const answers: Record<string, string> = {
  UNCONFIRMED:
    "Your account is made. A code is on its way to your address; confirm it, then sign in.",
  PENDING_APPROVAL:
    "Your account is made. An administrator has to approve it before you can sign in.",
};

export function SignUp() {
  const told = useSignal("");
  const { state, onSubmit } = useForm(async (data) => {
    const fields = {
      name: text(data, "name"),
      email: text(data, "email"),
      password: text(data, "password"),
    };
    const status = await signUp(fields);
    if (status !== "CONFIRMED") {
      told.value = answers[status] ?? status;
      return;
    }
    await signIn(fields.email, fields.password);
    goOn();
  });
  return (
    <div class="sign stack">
      <PageTitle title="Make an account" />
      {told.value ? (
        <p class="card" role="status">
          {told.value}
        </p>
      ) : (
        <form class="card form" onSubmit={onSubmit} noValidate>
          <TextField label="Name" name="name" autocomplete="name" state={state.value} required />
          <TextField
            label="E-mail"
            name="email"
            type="email"
            autocomplete="username"
            state={state.value}
            required
          />
          <TextField
            label="Password"
            name="password"
            type="password"
            autocomplete="new-password"
            hint="10 to 128 characters"
            state={state.value}
            required
          />
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
