// Whom a library is shared with, and what they see.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Problem } from "../shared/api";
import { dayText } from "../shared/dates";
import { FormProblem, SubmitButton, TextField, useForm } from "../shared/form";
import { changed, touch } from "../shared/live";
import { hueOf, Loading, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { attempt, done } from "../shared/toast";
import { atField } from "./editing";
import { Crumbs, NotHere } from "./pieces";
import {
  changeLibrary,
  getLibrary,
  isLibraryLeaving,
  type Library,
  listShares,
  type Share,
  share,
  unshare,
} from "./server";

const aboutEmail = { "user-not-found": "email", "already-exists": "email", semantic: "email" };

function ShareForm({ library }: { library: Library }) {
  const form = useRef<HTMLFormElement>(null);
  const { state, onSubmit } = useForm(async (data) => {
    const email = String(data.get("email") ?? "").trim();
    await atField(aboutEmail, () => share(library.id, email));
    done(`${email} sees ${library.libraryName} now`);
    form.current?.reset();
    touch();
  });
  return (
    <form ref={form} class="card form" onSubmit={onSubmit} noValidate>
      <div class="share-row">
        <TextField
          label="E-mail address"
          name="email"
          type="email"
          state={state.value}
          placeholder="somebody@example.org"
          hint="Of somebody who has an account here"
        />
        <SubmitButton state={state.value}>Share</SubmitButton>
      </div>
      {Object.keys(state.value.fields).length === 0 && <FormProblem state={state.value} />}
    </form>
  );
}

// Who no longer may see something must not see it from now on, not in nine seconds.
function Person({ library, person }: { library: Library; person: Share }) {
  const isBusy = useSignal(false);
  const end = async () => {
    isBusy.value = true;
    await attempt(async () => {
      await unshare(library.id, person.email);
      done(`${person.email} no longer sees ${library.libraryName}`, async () => {
        await share(library.id, person.email);
        touch();
      });
    });
    isBusy.value = false;
    touch();
  };
  return (
    <li class="share">
      <span class={`avatar ${hueOf(person.email)}`} aria-hidden="true">
        {person.email.charAt(0).toUpperCase()}
      </span>
      <span class="item-words">
        <strong>{person.email}</strong>
        <small>since {dayText(person.since)}</small>
      </span>
      <button
        type="button"
        class="small"
        aria-label={`Stop sharing with ${person.email}`}
        disabled={isBusy.value}
        aria-busy={isBusy.value}
        onClick={() => void end()}
      >
        Stop sharing
      </button>
    </li>
  );
}

function WhatTheySee({ library }: { library: Library }) {
  const isBusy = useSignal(false);
  const chosen = useSignal<boolean | undefined>(undefined);
  useEffect(() => void (chosen.value = undefined), [library.version]);
  const change = async (showBorrower: boolean) => {
    isBusy.value = true;
    chosen.value = showBorrower;
    await attempt(async () => {
      try {
        await changeLibrary(library, { showBorrower });
      } catch (error) {
        chosen.value = undefined;
        if (!(error instanceof Problem) || error.status !== 412) throw error;
        throw new Error("the library was changed elsewhere; look at it and choose again");
      }
      done(showBorrower ? "They see who has what" : "They see only that something is lent");
    });
    isBusy.value = false;
    touch();
  };
  return (
    <section class="card stack" aria-labelledby="see">
      <h2 id="see">What they see</h2>
      <p>
        Everything in {library.libraryName}, and that something is lent. They change nothing, and
        they do not see whom else you share it with.
      </p>
      <label class="check">
        <input
          type="checkbox"
          checked={chosen.value ?? library.showBorrower ?? false}
          disabled={isBusy.value}
          onChange={(event) => void change(event.currentTarget.checked)}
        />
        They also see who has it
      </label>
    </section>
  );
}

export function SharingPage({ libraryId }: { libraryId: string }) {
  const { data, error, reload } = useLoad(
    async (signal) => {
      const [library, shares] = await Promise.all([
        getLibrary(libraryId, signal),
        listShares(libraryId, signal),
      ]);
      return { library, shares };
    },
    [libraryId, changed.value],
  );
  const isGone = error instanceof Problem && error.status === 404;
  if (isLibraryLeaving(libraryId) || isGone) return <NotHere what="library" />;
  if (error !== undefined) return <ProblemBox error={error} onRetry={reload} />;
  if (!data) return <Loading />;
  const { library, shares } = data;
  return (
    <div class="narrow stack">
      <Crumbs library={library} />
      <PageTitle
        title="Sharing"
        line={`Others can look at ${library.libraryName}, without changing it.`}
      />
      <ShareForm library={library} />
      {shares.length === 0 ? (
        <p class="soft">Nobody else sees it.</p>
      ) : (
        <ul class="card shares" aria-label="Shared with">
          {shares.map((person) => (
            <Person key={person.email} library={library} person={person} />
          ))}
        </ul>
      )}
      <WhatTheySee library={library} />
    </div>
  );
}
