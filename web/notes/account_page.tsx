import { useSignal } from "@preact/signals";
import { EmailChange } from "../shared/email_change";
import { Problem, user, wait } from "../shared/api";
import { ownZone } from "../shared/dates";
import { Dialog } from "../shared/dialog";
import { download } from "../shared/download";
import { FormProblem, SubmitButton, TextField, useForm } from "../shared/form";
import { touch } from "../shared/live";
import { CopyButton, manyText, PageTitle } from "../shared/pieces";
import { navigate } from "../shared/router";
import { attempt, done, failed } from "../shared/toast";
import {
  askForEmail,
  changePerson,
  confirmEmail,
  endFeed,
  eraseAll,
  exportText,
  importText,
  makeFeed,
  person,
  readJob,
  readPerson,
} from "./server";

const zones = Intl.supportedValuesOf?.("timeZone") ?? [ownZone];
const pollMs = 400;
const text = (data: FormData, name: string) => String(data.get(name) ?? "").trim();

async function saveProfile(data: FormData): Promise<void> {
  try {
    await changePerson(person.value!, {
      name: text(data, "name"),
      timeZone: text(data, "timeZone"),
      mailReminders: data.has("mailReminders"),
    });
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 412) throw error;
    await readPerson();
    throw new Error("your profile was changed elsewhere; look at what you typed and save again");
  }
  done("Your profile is saved");
  touch();
}

function Profile() {
  const { state, onSubmit } = useForm(saveProfile);
  const now = person.value!;
  const useOwnZone = (event: MouseEvent) => {
    const form = (event.currentTarget as HTMLElement).closest("form");
    const input = form?.elements.namedItem("timeZone");
    if (input instanceof HTMLInputElement) input.value = ownZone;
  };
  return (
    <section class="card stack" aria-labelledby="profile">
      <h2 id="profile">You</h2>
      <form class="form" onSubmit={onSubmit} noValidate>
        <TextField
          label="Name"
          name="name"
          autocomplete="name"
          defaultValue={now.name}
          state={state.value}
        />
        <TextField
          label="Time zone"
          name="timeZone"
          defaultValue={now.timeZone}
          state={state.value}
          {...{ list: "zones" }}
          hint={
            now.timeZone !== ownZone ? (
              <>
                This device is in{" "}
                <button type="button" class="small" onClick={useOwnZone}>
                  {ownZone}
                </button>
              </>
            ) : (
              "Days begin at midnight there"
            )
          }
        />
        <datalist id="zones">
          {zones.map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
        <label class="check">
          <input type="checkbox" name="mailReminders" defaultChecked={now.mailReminders} />
          Send me reminders by e-mail, too
        </label>
        <FormProblem state={state.value} />
        <div class="form-end">
          <SubmitButton state={state.value}>Save profile</SubmitButton>
        </div>
      </form>
    </section>
  );
}

// Many notes move as a job; they can be read meanwhile, and not written.
async function follow(job: string, onPart: (words: string) => void): Promise<void> {
  for (;;) {
    const { state, done: count, total } = await readJob(job);
    if (state === "FAILED" || state === "CANCELLED") throw new Error("the notes did not move");
    if (state === "DONE") return;
    onPart(total ? `${count} of ${manyText(total, "note")} are there` : "Your notes are moving");
    await wait(pollMs);
  }
}

function Email() {
  const part = useSignal("");
  const confirm = async (code: string) => {
    const before = person.value!.email;
    try {
      const job = await confirmEmail(code);
      if (job) {
        part.value = "Your notes are moving";
        await follow(job, (words) => (part.value = words));
      }
    } catch (error) {
      // The account tells of its new address too, and may have been faster.
      if ((await readPerson()).email === before) throw error;
    } finally {
      part.value = "";
    }
    const now = await readPerson();
    if (user.value) user.value = { ...user.value, email: now.email };
    touch();
    return now.email;
  };
  return (
    <EmailChange
      email={person.value!.email}
      ask={askForEmail}
      confirm={confirm}
      hint="You sign in with it, and your notes are kept under it."
      progress={part.value}
    >
      {person.value!.isMoving && !part.value && (
        <p class="note" role="status">
          Your notes are on their way to another address. They can be read, and soon changed again.
        </p>
      )}
    </EmailChange>
  );
}

function Feed() {
  const url = useSignal("");
  const isBusy = useSignal(false);
  const has = person.value!.hasCalendarFeed;
  const run = async (action: () => Promise<void>) => {
    isBusy.value = true;
    await attempt(action);
    await readPerson().catch(() => undefined);
    isBusy.value = false;
  };
  const make = () =>
    run(async () => {
      url.value = await makeFeed();
      done("The address is made");
    });
  const end = () =>
    run(async () => {
      await endFeed();
      url.value = "";
      done("The address has ended");
    });
  return (
    <section class="card stack" aria-labelledby="feed">
      <h2 id="feed">In your calendar</h2>
      <p>
        A secret address that calendar programs read: open notes as entries, those without a day as
        tasks. Whoever has it can read them.
      </p>
      {url.value ? (
        <>
          <div class="field">
            <label for="feed-url">Subscribe to this address</label>
            <div class="row tight">
              <input
                id="feed-url"
                class="feed-url"
                readOnly
                value={url.value}
                onFocus={(event) => event.currentTarget.select()}
              />
              <CopyButton text={url.value} />
            </div>
          </div>
          <p class="hint">It is shown once. If it is lost or known to others, make a new one.</p>
        </>
      ) : (
        has && (
          <p class="soft">
            There is an address. It was shown when it was made; a new one ends the one before.
          </p>
        )
      )}
      <div class="form-end">
        {has && (
          <button type="button" class="danger" disabled={isBusy.value} onClick={() => void end()}>
            End the address
          </button>
        )}
        <button
          type="button"
          class={has ? "" : "primary"}
          disabled={isBusy.value}
          aria-busy={isBusy.value}
          onClick={() => void make()}
        >
          {has ? "Make a new address" : "Make an address"}
        </button>
      </div>
    </section>
  );
}

function Files() {
  const problems = useSignal<string[]>([]);
  const isBusy = useSignal(false);
  const take = (format: "json" | "csv") =>
    attempt(async () => {
      download(await exportText(format), `notes.${format}`);
      done(`notes.${format} is on its way to your downloads`);
    });
  const bring = async (files: File[]) => {
    isBusy.value = true;
    problems.value = [];
    let created = 0;
    for (const file of files) {
      try {
        const type = /\.json$/i.test(file.name) ? "application/json" : "text/markdown";
        const job = await importText(await file.text(), type);
        created += job.result?.created ?? 0;
        problems.value = [...problems.value, ...job.errors.map((it) => `${file.name}, ${it}`)];
      } catch (error) {
        failed(error);
        problems.value = [...problems.value, `${file.name}: ${(error as Error).message}`];
      }
    }
    isBusy.value = false;
    if (created > 0) done(`${manyText(created, "note")} came in`);
    touch();
  };
  return (
    <section class="card stack" aria-labelledby="files">
      <h2 id="files">In and out</h2>
      <div class="field">
        <label for="bring">Bring notes in</label>
        <input
          id="bring"
          type="file"
          multiple
          accept=".md,.markdown,.txt,.json"
          disabled={isBusy.value}
          aria-describedby="bring-hint"
          onChange={(event) => {
            const input = event.currentTarget;
            void bring([...(input.files ?? [])]).then(() => (input.value = ""));
          }}
        />
        <p class="hint" id="bring-hint">
          Files of Markdown, a note each, or an export with up to 5,000 notes
        </p>
      </div>
      {problems.value.length > 0 && (
        <div class="problem" role="alert">
          <ul class="import-problems">
            {problems.value.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </div>
      )}
      <p class="label">Take everything along</p>
      <p class="row tight">
        <button type="button" onClick={() => void take("csv")}>
          Export as CSV
        </button>
        <button type="button" onClick={() => void take("json")}>
          Export as JSON
        </button>
      </p>
    </section>
  );
}

function Erase() {
  const isOpen = useSignal(false);
  const { state, onSubmit } = useForm(async (data) => {
    if (text(data, "sure").toLowerCase() !== "delete") throw new Error("type the word: delete");
    const job = await eraseAll();
    if (job) await follow(job, () => undefined).catch(() => undefined);
    isOpen.value = false;
    done("All your notes are deleted");
    touch();
    navigate("/notes");
  });
  const { open, done: closed } = person.value!.counts;
  return (
    <section class="card stack" aria-labelledby="erase">
      <h2 id="erase">Leave</h2>
      <p>
        Deletes all your notes, for good. Your <a href="/account">account</a> stays.
      </p>
      <div class="form-end">
        <button type="button" class="danger" onClick={() => (isOpen.value = true)}>
          Delete all notes
        </button>
      </div>
      <Dialog
        title="Delete all notes?"
        isOpen={isOpen.value}
        onClose={() => (isOpen.value = false)}
      >
        <form class="form" onSubmit={onSubmit} noValidate>
          <p>
            {manyText(open + closed, "note")} will be gone. This has no way back: take an export
            first.
          </p>
          <TextField label="Type the word delete" name="sure" state={state.value} />
          <FormProblem state={state.value} />
          <div class="form-end">
            <button type="button" onClick={() => (isOpen.value = false)}>
              Keep them
            </button>
            <SubmitButton state={state.value}>Delete for good</SubmitButton>
          </div>
        </form>
      </Dialog>
    </section>
  );
}

export function AccountPage() {
  return (
    <>
      <PageTitle title="Account" line="Your days, your address, your calendar and your files." />
      <div class="account">
        <Profile />
        <Email />
        <Feed />
        <Files />
        <Erase />
      </div>
    </>
  );
}
