// A table of books and videos, added as a job whose progress is shown.

import { useSignal } from "@preact/signals";
import { wait } from "../shared/api";
import { AreaField, FormProblem, SubmitButton, useForm } from "../shared/form";
import { touch } from "../shared/live";
import { Loading, manyText, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { Link } from "../shared/router";
import { Crumbs, hrefOf } from "./pieces";
import { getJob, getLibrary, type Job, startImport } from "./server";

const columns = [
  ["title", "The only one that is needed"],
  ["type", "book (unless said otherwise) or video"],
  ["authors, directors, cast", "Several names with semicolons between"],
  ["collection, order", "A collection is made when there is none of the name"],
  ["isbn, releaseYear, duration, tmdbId", ""],
  ["summary, pictureUrl", ""],
];
const example =
  "type,title,authors,collection,order\n" +
  "book,A Wizard of Earthsea,Ursula K. Le Guin,Earthsea,1\n" +
  "book,The Tombs of Atuan,Ursula K. Le Guin,Earthsea,2\n";

const firstPollMs = 150;
const pollMaxMs = 1500;

function Progress({ job }: { job: Job }) {
  const isOver = job.state === "DONE" || job.state === "FAILED" || job.state === "CANCELLED";
  const total = job.total ?? 0;
  const share = total > 0 ? (job.done / total) * 100 : 0;
  const added = job.result?.added ?? 0;
  return (
    <section class="card stack" aria-label="Import">
      <p role="status">
        {!isOver && `Row ${job.done} of ${total || "…"}`}
        {job.state === "DONE" && <strong>{manyText(added, "item")} added</strong>}
        {job.state === "FAILED" && "The import has failed."}
        {job.state === "CANCELLED" && "The import was cancelled."}
        {isOver && job.errors.length > 0 && `, ${manyText(job.errors.length, "row")} left out`}
      </p>
      <svg class="job" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect class="job-whole" width={100} height={6} rx={1} />
        <rect class="job-part" width={isOver ? 100 : share} height={6} rx={1} />
      </svg>
      {job.errors.length > 0 && (
        <ul class="job-errors">
          {job.errors.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

// What is left to do: the header and the rows that were refused, unless rows are not lines.
function restOf(table: string, job: Job): string {
  const lines = table.trimEnd().split("\n");
  const refused = job.errors.map((text) => Number(/^row (\d+):/.exec(text)?.[1]));
  const isKnown =
    lines.length - 1 === job.total && (job.result?.added ?? 0) + refused.length === job.total;
  if (!isKnown || refused.length === 0) return "";
  return [lines[0], ...refused.map((row) => lines[row])].join("\n");
}

function ImportForm({ libraryId }: { libraryId: string }) {
  const table = useSignal("");
  const job = useSignal<Job | null>(null);
  const turn = useSignal(0);
  const { state, onSubmit } = useForm(async () => {
    job.value = null;
    job.value = await startImport(libraryId, table.value);
    let pause = firstPollMs;
    while (job.value.state === "QUEUED" || job.value.state === "RUNNING") {
      await wait(pause);
      pause = Math.min(pause * 1.5, pollMaxMs);
      job.value = await getJob(job.value.jobId);
    }
    // Sent again, the whole table would be there twice.
    if (job.value.state === "DONE") show(restOf(table.value, job.value));
    touch();
  });
  const show = (text: string) => {
    table.value = text;
    turn.value += 1;
  };
  const rows = table.value.trim() ? table.value.trim().split("\n").length - 1 : 0;
  return (
    <>
      <form class="card form" onSubmit={onSubmit} noValidate>
        <label class="field">
          <span class="label">A file</span>
          <input
            type="file"
            accept=".csv,text/csv"
            onChange={(event) => {
              const file = event.currentTarget.files?.[0];
              if (file) void file.text().then(show);
            }}
          />
        </label>
        <AreaField
          key={turn.value}
          label="Or the table itself"
          name="table"
          rows={8}
          state={state.value}
          defaultValue={table.value}
          hint={rows > 0 ? manyText(rows, "line") : "The first line has the names of the columns"}
          onInput={(text) => (table.value = text)}
        />
        <FormProblem state={state.value} />
        <div class="form-end">
          <button type="button" class="quiet" onClick={() => show(example)}>
            Show an example
          </button>
          <SubmitButton state={state.value}>Import</SubmitButton>
        </div>
      </form>
      {job.value && <Progress job={job.value} />}
      {job.value?.state === "DONE" && (
        <Link class="button start" href={hrefOf.library(libraryId)}>
          Look at the library
        </Link>
      )}
    </>
  );
}

export function ImportPage({ libraryId }: { libraryId: string }) {
  const { data, error, reload } = useLoad((signal) => getLibrary(libraryId, signal), [libraryId]);
  return (
    <div class="narrow stack">
      <Crumbs library={data} />
      <PageTitle
        title="Import a table"
        line={data && `Books and videos for ${data.libraryName}, as CSV.`}
      />
      {error !== undefined && <ProblemBox error={error} onRetry={reload} />}
      {!data && error === undefined && <Loading />}
      {data && <ImportForm libraryId={libraryId} />}
      <details class="card">
        <summary>The columns</summary>
        <dl class="columns">
          {columns.map(([name, text]) => (
            <div key={name}>
              <dt>
                <code>{name}</code>
              </dt>
              <dd class="soft">{text}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}
