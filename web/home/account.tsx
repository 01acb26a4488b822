// The account itself, which is the same for all applications.

import { useSignal } from "@preact/signals";
import { get, patch, post, Problem, remove, signOut, type User, user } from "../shared/api";
import { dayText } from "../shared/dates";
import { Dialog } from "../shared/dialog";
import { EmailChange } from "../shared/email_change";
import { FormProblem, SubmitButton, TextField, useForm } from "../shared/form";
import { Loading, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { openApps } from "../shared/shell";
import { done } from "../shared/toast";
import { SignInFirst } from "../shared/views";
import { NewPasswordField } from "./fields";

const root = "/auth/v1";

interface Account extends User {
  email: string;
  name: string;
  createdAt: string;
  version: number;
}

interface PartProps {
  account: Account;
  onChange: (account: Account) => void;
}

const text = (data: FormData, name: string) => String(data.get(name) ?? "");

function Name({ account, onChange }: PartProps) {
  const { state, onSubmit } = useForm(async (data) => {
    const fields = { name: text(data, "name").trim() };
    try {
      onChange((await patch<Account>(`${root}/me`, fields, `"${account.version}"`)).data);
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 412) throw error;
      onChange((await get<Account>(`${root}/me`)).data);
      throw new Error("your account was changed elsewhere; look at what you typed and save again");
    }
    done("Your name is saved");
  });
  return (
    <section class="card stack" aria-labelledby="name">
      <h2 id="name">Name</h2>
      <form class="form" onSubmit={onSubmit} noValidate>
        <TextField
          label="What others see"
          name="name"
          autocomplete="name"
          defaultValue={account.name}
          state={state.value}
        />
        <FormProblem state={state.value} />
        <div class="form-end">
          <SubmitButton state={state.value}>Save name</SubmitButton>
        </div>
      </form>
    </section>
  );
}

function Email({ account, onChange }: PartProps) {
  const ask = (newEmail: string, password: string) =>
    post(`${root}/change-email`, { newEmail, password });
  const confirm = async (code: string) => {
    const { data: now } = await post<Account>(`${root}/change-email/confirm`, { code });
    onChange(now);
    return now.email;
  };
  return <EmailChange email={account.email} ask={ask} confirm={confirm} />;
}

function Password({ account }: { account: Account }) {
  const turn = useSignal(0);
  const { state, onSubmit } = useForm(async (data) => {
    await post(`${root}/change-password`, {
      currentPassword: text(data, "currentPassword"),
      newPassword: text(data, "newPassword"),
    });
    turn.value += 1;
    done("Your password is changed; other devices have to sign in again");
  });
  return (
    <section class="card stack" aria-labelledby="password">
      <h2 id="password">Password</h2>
      <form class="form" key={turn.value} onSubmit={onSubmit} noValidate>
        <input type="hidden" name="username" autocomplete="username" value={account.email} />
        <TextField
          label="Password now"
          name="currentPassword"
          type="password"
          autocomplete="current-password"
          state={state.value}
        />
        <NewPasswordField label="New password" name="newPassword" state={state.value} />
        <FormProblem state={state.value} />
        <div class="form-end">
          <SubmitButton state={state.value}>Change password</SubmitButton>
        </div>
      </form>
    </section>
  );
}

function Leave({ account }: { account: Account }) {
  const isOpen = useSignal(false);
  const { state, onSubmit } = useForm(async (data) => {
    if (text(data, "sure").trim().toLowerCase() !== account.email.toLowerCase())
      throw new Error("this is not the address of the account");
    await remove(`${root}/me`, `"${account.version}"`);
    await signOut();
    location.assign("/");
  });
  const names = openApps.value.map((app) => app.title);
  return (
    <section class="card stack" aria-labelledby="leave">
      <h2 id="leave">Delete the account</h2>
      <p>
        With it goes everything that is yours in{" "}
        {names.length > 0 ? names.join(", ") : "the applications"}. Each of them can give you a file
        with all of it first.
      </p>
      <div class="form-end">
        <button type="button" class="danger" onClick={() => (isOpen.value = true)}>
          Delete account
        </button>
      </div>
      <Dialog
        title="Delete your account?"
        isOpen={isOpen.value}
        onClose={() => (isOpen.value = false)}
      >
        <form class="form" onSubmit={onSubmit} noValidate>
          <p>
            The account of <strong>{account.email}</strong> and all that is kept for it will be
            gone. This has no way back.
          </p>
          <TextField label="Type the address of the account" name="sure" state={state.value} />
          <FormProblem state={state.value} />
          <div class="form-end">
            <button type="button" onClick={() => (isOpen.value = false)}>
              Keep it
            </button>
            <SubmitButton state={state.value} isDanger>
              Delete for good
            </SubmitButton>
          </div>
        </form>
      </Dialog>
    </section>
  );
}

export function AccountView() {
  const sub = user.value?.sub;
  const changed = useSignal<Account | undefined>(undefined);
  const { data, error, reload } = useLoad(
    async (signal) => (sub ? (await get<Account>(`${root}/me`, { signal })).data : undefined),
    [sub],
  );
  if (user.value === undefined) return <Loading />;
  if (user.value === null) {
    return (
      <SignInFirst title="Your account">
        Name, address and password, once for all applications. Sign in to see them.
      </SignInFirst>
    );
  }
  if (error !== undefined) return <ProblemBox error={error} onRetry={reload} />;
  const account = changed.value ?? data;
  if (!account) return <Loading />;
  const onChange = (now: Account) => {
    changed.value = now;
    user.value = now;
  };
  return (
    <>
      <PageTitle
        title="Your account"
        line={`One for all applications, since ${dayText(account.createdAt)}.`}
      />
      <div class="account">
        <Name account={account} onChange={onChange} />
        <Email account={account} onChange={onChange} />
        <Password account={account} />
        <Leave account={account} />
      </div>
    </>
  );
}
