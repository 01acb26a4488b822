// A curator's own lists; for everybody else, how to become one.

import { useSignal } from "@preact/signals";
import { ReadOn } from "../shared/read_on";
import { AreaField, FormProblem, SubmitButton, TextField, useForm } from "../shared/form";
import { dayText } from "../shared/dates";
import { Icon } from "../shared/icons";
import { ended, type Job, JobProgress } from "../shared/job";
import { useShortcut } from "../shared/keys";
import { leaving } from "../shared/leaving";
import { touch } from "../shared/live";
import { Markdown } from "../shared/markdown";
import { usePages } from "../shared/pages";
import { Empty, Loading, manyText, PageTitle, ProblemBox } from "../shared/pieces";
import { Link, navigate } from "../shared/router";
import { done } from "../shared/toast";
import { ListCard, listHref } from "./pieces";
import { apply, type Imported, isCurator, listPath, listsOf, me, startImport } from "./server";

function Application() {
  const { state, onSubmit } = useForm(async (data) => {
    await apply(String(data.get("statement") ?? "").trim());
    done("Your application is on its way");
    touch();
  });
  return (
    <div class="narrow stack">
      <PageTitle
        title="Become a curator"
        line="Curators make lists that everybody can read, save and talk about."
      />
      <ol class="steps">
        <li>
          <strong>Apply</strong> Say what you would like to make lists of.
        </li>
        <li>
          <strong>Wait</strong> An administrator reads it and decides.
        </li>
        <li>
          <strong>Make lists</strong> Choose titles, put them in order, say why.
        </li>
      </ol>
      <form class="card form" onSubmit={onSubmit} noValidate>
        <AreaField
          label="What would you like to share?"
          name="statement"
          rows={6}
          state={state.value}
          hint="A few sentences. Only administrators read them."
        />
        <FormProblem state={state.value} />
        <div class="form-end">
          <SubmitButton state={state.value}>Apply</SubmitButton>
        </div>
      </form>
    </div>
  );
}

function Waiting() {
  return (
    <div class="narrow stack">
      <PageTitle title="Become a curator" />
      <section class="card stack status-card">
        <span class="chip chip-new">waiting</span>
        <h2>Your application is with the administrators</h2>
        <p>
          You applied {me.value?.curatorAppliedAt && `on ${dayText(me.value.curatorAppliedAt)}`}.
          This page changes as soon as somebody has decided.
        </p>
        {me.value?.curatorStatement && (
          <div class="entry-note">
            <Markdown text={me.value.curatorStatement} />
          </div>
        )}
        <p>
          <Link class="button" href="/watch">
            Discover lists meanwhile
          </Link>
        </p>
      </section>
    </div>
  );
}

function Import() {
  const job = useSignal<Job<Imported> | null>(null);
  const { state, onSubmit } = useForm(async (data) => {
    const file = data.get("file");
    job.value = null;
    if (!(file instanceof File) || file.size === 0) throw new Error("choose a file first");
    const isCsv = !file.name.toLowerCase().endsWith(".json");
    const started = await startImport(
      await file.text(),
      isCsv,
      String(data.get("list") ?? "").trim(),
    );
    await ended("watch", started, (now) => (job.value = now));
    done("The file was read");
    touch();
  });
  const result = job.value?.result;
  return (
    <details class="card import">
      <summary>Make a list from a file</summary>
      <form class="form" onSubmit={onSubmit} noValidate>
        <div class="form-row">
          <TextField label="Title of the new list" name="list" state={state.value} />
          <div class="field">
            <label for="file">File</label>
            <input id="file" name="file" type="file" accept=".csv,.json" />
            <p class="hint">
              CSV with a column title, and type, year, runtime, genres, people or note; or what an
              export gave. Up to 500 titles on a list, 5,000 without one
            </p>
          </div>
        </div>
        <FormProblem state={state.value} />
        {job.value && (
          <JobProgress label="The import" job={job.value} unit="Row">
            {result && (
              <>
                {manyText(result.created, "title")} added, {result.found} known already,{" "}
                {result.listed} put on the list.{" "}
                {result.watchlistId && (
                  <Link href={`${listHref(result.watchlistId)}/edit`}>
                    Open the list, private so far
                  </Link>
                )}
              </>
            )}
          </JobProgress>
        )}
        <div class="form-end">
          <SubmitButton state={state.value}>Import</SubmitButton>
        </div>
      </form>
    </details>
  );
}

function Lists() {
  const sub = me.value?.userId ?? "";
  const found = usePages((cursor, signal) => listsOf(sub, cursor, signal), [sub]);
  useShortcut("n", "Make a list", () => navigate("/watch/new"));
  const isSuspended = !isCurator();
  const shown = found.items.filter((list) => !leaving.value.has(listPath(list.watchlistId)));
  return (
    <>
      <PageTitle
        title="Your lists"
        line={found.first && `${manyText(shown.length, "list")}, private ones included`}
      >
        {!isSuspended && (
          <Link class="button primary" href="/watch/new">
            <Icon name="plus" /> New list
          </Link>
        )}
      </PageTitle>
      {isSuspended && (
        <p class="banner" role="status">
          You are suspended as a curator. You can change your lists, but nobody else sees them.
        </p>
      )}
      {found.error !== undefined && <ProblemBox error={found.error} onRetry={found.reload} />}
      {!found.first && found.error === undefined && <Loading what="Looking for your lists" />}
      {found.first && shown.length === 0 && (
        <Empty title="No lists yet">
          <p>What would you recommend to a friend tonight? Start with five.</p>
          <Link class="button primary" href="/watch/new">
            Make the first
          </Link>
        </Empty>
      )}
      <ul class="list-cards" aria-label="Lists">
        {shown.map((list) => (
          <ListCard key={list.watchlistId} list={list}>
            <p class="row card-end">
              <Link
                class="button small"
                href={`${listHref(list.watchlistId)}/edit`}
                aria-label={`Edit ${list.title}`}
              >
                Edit
              </Link>
            </p>
          </ListCard>
        ))}
      </ul>
      <ReadOn cursor={found.cursor} read={found.more} />
      {!isSuspended && <Import />}
    </>
  );
}

export function MinePage() {
  const status = me.value?.curatorStatus;
  if (status === undefined) return <Application />;
  return status === "pending" ? <Waiting /> : <Lists />;
}
