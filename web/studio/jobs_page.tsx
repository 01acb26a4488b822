// Work that takes longer than a request, of all people: what waits, runs and has failed.

import { DataTable } from "../shared/data_table";
import { agoText, dayText, timeText } from "../shared/dates";
import { Icon } from "../shared/icons";
import { isOver } from "../shared/job";
import { usePages } from "../shared/pages";
import { countText, Empty, Loading, PageTitle, ProblemBox } from "../shared/pieces";
import { ReadOn } from "../shared/read_on";
import { Link, query } from "../shared/router";
import { useEvery } from "./every";
import { jobStates, listJobs, type ListedJob } from "./operator";

const labels: Record<ListedJob["state"], string> = {
  QUEUED: "Waiting",
  RUNNING: "Running",
  FAILED: "Failed",
  DONE: "Done",
  CANCELLED: "Cancelled",
};

const doneText = ({ done, total }: ListedJob) =>
  total === undefined ? countText(done) : `${countText(done)} of ${countText(total)}`;

/** The first thing that went wrong, and how many more did. */
function Errors({ errors }: { errors: string[] }) {
  const [first, ...others] = errors;
  if (first === undefined) return null;
  if (others.length === 0) return <>{first}</>;
  return (
    <details>
      <summary>
        {first} <span class="soft">and {countText(others.length)} more</span>
      </summary>
      <ul>
        {others.map((text, index) => (
          <li key={index}>{text}</li>
        ))}
      </ul>
    </details>
  );
}

export function JobsPage() {
  const asked = query.value.get("state");
  const state = jobStates.find((it) => it === asked);
  const found = usePages((cursor, signal) => listJobs({ state, cursor }, signal), [state]);
  useEvery(() => {
    const isWhole = found.items.length === found.first?.items.length;
    if (isWhole && (state !== undefined || !found.items.every(isOver))) found.reload();
  });
  return (
    <>
      <PageTitle
        title="Jobs"
        line="Imports, deletions and other long work of all people, the newest first."
      >
        <button type="button" onClick={found.reload}>
          <Icon name="refresh" /> Refresh
        </button>
      </PageTitle>
      <nav class="tabs" aria-label="Jobs by state">
        <Link href="/studio/jobs" aria-current={state ? undefined : "page"}>
          All
        </Link>
        {jobStates.map((it) => (
          <Link
            key={it}
            href={`/studio/jobs?state=${it}`}
            aria-current={it === state ? "page" : undefined}
          >
            {labels[it]}
          </Link>
        ))}
      </nav>
      {found.error !== undefined && <ProblemBox error={found.error} onRetry={found.reload} />}
      {!found.first && found.error === undefined && <Loading />}
      {found.first && found.items.length === 0 && !found.cursor && <Empty title="No jobs" />}
      {found.items.length > 0 && (
        <DataTable
          label="Jobs"
          isShort
          rows={found.items}
          rowKey={(job) => job.jobId}
          columns={[
            {
              name: "Started",
              cell: ({ createdAt }) => (
                <time dateTime={createdAt} title={`${dayText(createdAt)}, ${timeText(createdAt)}`}>
                  {agoText(createdAt)}
                </time>
              ),
            },
            { name: "Job", cell: (job) => `${job.app} ${job.kind}` },
            {
              name: "State",
              cell: (job) => (
                <span class={job.state === "FAILED" ? "bad" : ""}>{labels[job.state]}</span>
              ),
            },
            { name: "Progress", isNumeric: true, cell: doneText },
            { name: "What went wrong", cell: ({ errors }) => <Errors errors={errors} /> },
            { name: "Person", className: "whole", cell: ({ sub }) => <code>{sub}</code> },
          ]}
        />
      )}
      <ReadOn cursor={found.cursor} read={found.more} />
    </>
  );
}
