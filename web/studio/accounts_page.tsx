// Who has an account here, who waits for one, and what they may do.

import { useSignal } from "@preact/signals";
import { user } from "../shared/api";
import { dayText } from "../shared/dates";
import { Dialog } from "../shared/dialog";
import { FormProblem, SubmitButton, TextField, useForm } from "../shared/form";
import { touch } from "../shared/live";
import { usePages } from "../shared/pages";
import { Empty, Loading, PageTitle, ProblemBox } from "../shared/pieces";
import { ReadOn } from "../shared/read_on";
import { Link, query, setQuery } from "../shared/router";
import { attempt, done } from "../shared/toast";
import {
  type Account,
  type AccountStatus,
  approve,
  disable,
  listAccounts,
  setGroups,
  statuses,
} from "./operator";

const labels: Record<AccountStatus, string> = {
  CONFIRMED: "In use",
  PENDING_APPROVAL: "Waiting",
  UNCONFIRMED: "Not confirmed",
  DISABLED: "Disabled",
};
const groupsOf = (text: string) =>
  [...new Set(text.split(/[\s,]+/))].filter((group) => group !== "");

function GroupsForm({ account, onEnd }: { account: Account; onEnd: () => void }) {
  const { state, onSubmit } = useForm(async (data) => {
    const before = account.groups;
    const now = await setGroups(account, groupsOf(String(data.get("groups") ?? "")));
    const text =
      now.groups.length > 0
        ? `${now.name} is in ${now.groups.join(", ")}`
        : `${now.name} is in no group`;
    done(text, () => setGroups(account, before).then(touch));
    onEnd();
    touch();
  });
  return (
    <form class="form" onSubmit={onSubmit} noValidate>
      <TextField
        label="Groups"
        name="groups"
        spellcheck={false}
        defaultValue={account.groups.join(", ")}
        state={state.value}
        hint="With commas between. admin may do everything, moderator decides about reports. It
          counts from the next token on, within the hour."
      />
      <FormProblem state={state.value} />
      <div class="form-end">
        <button type="button" onClick={onEnd}>
          Cancel
        </button>
        <SubmitButton state={state.value}>Save groups</SubmitButton>
      </div>
    </form>
  );
}

function AccountRow({ account }: { account: Account }) {
  const isAsking = useSignal(false);
  const isBusy = useSignal(false);
  const act = async (
    action: () => Promise<unknown>,
    text: string,
    back: () => Promise<unknown>,
  ) => {
    isBusy.value = true;
    await attempt(async () => {
      await action();
      done(text, () => back().then(touch));
    });
    isBusy.value = false;
    touch();
  };
  const isOwn = account.sub === user.value?.sub;
  const letIn = () => approve(account);
  const lockOut = () => disable(account);
  const name = account.name || account.email;
  return (
    <li class="card account-row">
      <div>
        <p>
          <strong>{name}</strong> <span class="soft">{account.email}</span>
        </p>
        <p>
          <small>since {dayText(account.createdAt)}</small>{" "}
          {account.groups.map((group) => (
            <span key={group} class="chip">
              {group}
            </span>
          ))}
        </p>
      </div>
      <div class="row">
        <Link
          class="button"
          href={`/studio/audit?target=${encodeURIComponent(account.sub)}`}
          aria-label={`Audit of ${name}`}
        >
          Audit
        </Link>
        <button
          type="button"
          aria-label={`Groups of ${name}`}
          onClick={() => (isAsking.value = true)}
        >
          Groups
        </button>
        {account.status === "CONFIRMED" ? (
          !isOwn && (
            <button
              type="button"
              class="danger"
              disabled={isBusy.value}
              aria-label={`Disable ${name}`}
              onClick={() => void act(lockOut, `${name} cannot sign in any more`, letIn)}
            >
              Disable
            </button>
          )
        ) : (
          <button
            type="button"
            class="primary"
            disabled={isBusy.value}
            aria-label={`Let in: ${name}`}
            onClick={() => void act(letIn, `${name} may sign in`, lockOut)}
          >
            Let in
          </button>
        )}
      </div>
      <Dialog
        title={`Groups of ${name}`}
        isOpen={isAsking.value}
        onClose={() => (isAsking.value = false)}
      >
        <GroupsForm account={account} onEnd={() => (isAsking.value = false)} />
      </Dialog>
    </li>
  );
}

export function AccountsPage() {
  const asked = query.value.get("status");
  const email = query.value.get("email") ?? "";
  const status = statuses.find((it) => it === asked) ?? "CONFIRMED";
  const found = usePages(
    (cursor, signal) => listAccounts(email ? { email } : { status, cursor }, signal),
    [status, email],
  );
  const { state, onSubmit } = useForm(async (data) => {
    setQuery({ email: String(data.get("email") ?? "").trim() || null });
  });
  return (
    <>
      <PageTitle title="Accounts" line="Who has one, who waits for one, and what they may do." />
      <form class="row low" role="search" onSubmit={onSubmit} noValidate>
        <TextField
          key={email}
          label="E-mail"
          name="email"
          type="search"
          defaultValue={email}
          state={state.value}
        />
        <SubmitButton state={state.value}>Find</SubmitButton>
      </form>
      <nav class="tabs" aria-label="Accounts by state">
        {statuses.map((it) => (
          <Link
            key={it}
            href={it === "CONFIRMED" ? "/studio/accounts" : `/studio/accounts?status=${it}`}
            aria-current={it === status && !email ? "page" : undefined}
          >
            {labels[it]}
          </Link>
        ))}
      </nav>
      {found.error !== undefined && <ProblemBox error={found.error} onRetry={found.reload} />}
      {!found.first && found.error === undefined && <Loading />}
      {found.first && found.items.length === 0 && !found.cursor && <Empty title="Nobody" />}
      <ul class="stack" aria-label="Accounts">
        {found.items.map((account) => (
          <AccountRow key={account.sub} account={account} />
        ))}
      </ul>
      <ReadOn cursor={found.cursor} read={found.more} />
    </>
  );
}
