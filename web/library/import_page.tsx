// A table of books and videos, added as a job whose progress is shown.

import { useSignal } from "@preact/signals";
import { AreaField, FormProblem, SubmitButton, useForm } from "../shared/form";
import { ended, type Job, JobProgress } from "../shared/job";
import { touch } from "../shared/live";
import { Loading, manyText, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { Link } from "../shared/router";
import { TextFile } from "../shared/text_file";
import { Crumbs, hrefOf } from "./pieces";
import { getLibrary, type ImportResult, startImport } from "./server";

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

// What is left to do: the header and the rows that were refused, unless rows are not lines.
function restOf(table: string, job: Job<ImportResult>): string {
  const lines = table.trimEnd().split("\n");
  const refused = job.errors.map((text) => Number(/^row (\d+):/.exec(text)?.[1]));
  const isKnown =
    lines.length - 1 === job.total && (job.result?.added ?? 0) + refused.length === job.total;
  if (!isKnown || refused.length === 0) return "";
  return [lines[0], ...refused.map((row) => lines[row])].join("\n");
}

function ImportForm({ libraryId }: { libraryId: string }) {
  const table = useSignal("");
  const job = useSignal<Job<ImportResult> | null>(null);
  const turn = useSignal(0);
  const { state, onSubmit } = useForm(async () => {
    job.value = null;
    const started = await startImport(libraryId, table.value);
    const end = await ended("library", started, (now) => (job.value = now));
    // Sent again, the whole table would be there twice.
    if (end.state === "DONE") show(restOf(table.value, end));
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
        <TextFile accept=".csv,text/csv" onText={show} />
        <AreaField
          key={turn.value}
          label="Or the table itself"
          name="table"
          rows={8}
          state={state.value}
          defaultValue={table.value}
          hint={
            rows > 0
              ? manyText(rows, "line")
              : "The first line has the names of the columns; up to 5,000 rows"
          }
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
      {job.value && (
        <JobProgress label="The import" job={job.value} unit="Row">
          <strong>{manyText(job.value.result?.added ?? 0, "item")} added</strong>
          {job.value.errors.length > 0 && `, ${manyText(job.value.errors.length, "row")} left out`}
        </JobProgress>
      )}
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
