// A session ends while somebody is at work: they sign in where they are, and what they wanted goes
// on.

import { askAgain, signIn, user } from "./api";
import { Dialog } from "./dialog";
import { FormProblem, SubmitButton, TextField, useForm } from "./form";

export function SignInAgain() {
  const email = user.value?.email ?? "";
  const { state, onSubmit } = useForm(async (data) => {
    await signIn(email, String(data.get("password") ?? ""));
    askAgain.value?.(true);
  });
  return (
    <Dialog title="Sign in again" isOpen onClose={() => askAgain.value?.(false)}>
      <form class="form" onSubmit={onSubmit} noValidate>
        <p>
          Your session is over. Nothing that you have typed is lost: sign in, and it goes on from
          here.
        </p>
        <input type="hidden" name="username" autocomplete="username" value={email} />
        <TextField
          label={`Password of ${email}`}
          name="password"
          type="password"
          autocomplete="current-password"
          state={state.value}
        />
        <FormProblem state={state.value} />
        <div class="form-end">
          <SubmitButton state={state.value}>Sign in</SubmitButton>
        </div>
      </form>
    </Dialog>
  );
}
