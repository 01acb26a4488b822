// Books from another place: a table or an export is looked at first, and then added.

import { useSignal } from "@preact/signals";
import { AreaField, FormProblem, SubmitButton, useForm } from "../shared/form";
import { ended, type Job, JobProgress } from "../shared/job";
import { touch } from "../shared/live";
import { manyText, PageTitle } from "../shared/pieces";
import { Link } from "../shared/router";
import { TextFile } from "../shared/text_file";
import { type ImportResult, startImport } from "./server";

const columns = [
  ["title", "The only one that is needed"],
  ["authors", "Several with semicolons or commas between"],
  ["status", "READING, SHELF, READ, WISHLIST, PAUSED or ABANDONED; or a shelf of Goodreads"],
  ["rating, totalPages, currentPage", "Ratings from 1 to 5, in halves"],
  ["price, currency, store, purchaseDate, boughtAt", ""],
  ["startedAt, finishedAt, description", ""],
];

function resultText({ books, notes, events, dryRun }: ImportResult): string {
  const parts = [
    manyText(books, "book"),
    notes > 0 && manyText(notes, "note"),
    events > 0 && manyText(events, "page", "pages reached"),
  ].filter(Boolean);
  return `${parts.join(", ")} ${dryRun ? "can be added" : "added"}`;
}

function Outcome({ job }: { job: Job<ImportResult> }) {
  const { result } = job;
  const ignored = result?.ignoredColumns ?? [];
  return (
    <JobProgress label={result?.dryRun ? "The look at it" : "The import"} job={job} unit="Book">
      {result && <strong>{resultText(result)}</strong>}
      {job.errors.length > 0 && `, ${manyText(job.errors.length, "thing")} left out`}
      {ignored.length > 0 && `. Not used: ${ignored.join(", ")}`}
    </JobProgress>
  );
}

export function ImportPage() {
  const text = useSignal("");
  const job = useSignal<Job<ImportResult> | null>(null);
  const turn = useSignal(0);
  const looked = job.value?.state === "DONE" && job.value.result?.dryRun ? job.value.result : null;
  const { state, onSubmit } = useForm(async () => {
    // What was looked at is added.
    const isDry = looked === null;
    const started = await startImport(text.value, isDry);
    const { state: end } = await ended("books", started, (now) => (job.value = now));
    if (isDry || end !== "DONE") return;
    // Sent again, all of it would be there twice.
    show("");
    touch();
  });
  const set = (value: string) => {
    text.value = value;
    if (value) job.value = null;
  };
  const show = (value: string) => {
    set(value);
    turn.value += 1;
  };
  return (
    <div class="book-form stack">
      <PageTitle
        title="Bring books along"
        line="From Goodreads, StoryGraph, a table of your own, or an export of this application."
      />
      <form class="card form" onSubmit={onSubmit} noValidate>
        <TextFile accept=".csv,.json,text/csv,application/json" onText={show} />
        <AreaField
          key={turn.value}
          label="Or its text"
          name="text"
          rows={8}
          state={state.value}
          defaultValue={text.value}
          hint="The first line of a table has the names of the columns; up to 5,000 books"
          onInput={set}
        />
        <FormProblem state={state.value} />
        <div class="form-end">
          <Link class="button" href="/books">
            {job.value && !looked ? "Look at the shelf" : "Cancel"}
          </Link>
          <SubmitButton state={state.value}>
            {looked ? `Add ${manyText(looked.books, "book")}` : "Look at it first"}
          </SubmitButton>
        </div>
      </form>
      {job.value && <Outcome job={job.value} />}
      <details class="card">
        <summary>The columns</summary>
        <dl class="columns">
          {columns.map(([name, about]) => (
            <div key={name}>
              <dt>
                <code>{name}</code>
              </dt>
              <dd class="soft">{about}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}
