// Work of the server that takes longer than a request.

import { get, wait } from "./api";
import type { ComponentChildren } from "preact";

export interface Job<Result = Record<string, unknown>> {
  jobId: string;
  state: "QUEUED" | "RUNNING" | "DONE" | "FAILED" | "CANCELLED";
  done: number;
  total?: number;
  errors: string[];
  result?: Result;
}

const firstPollMs = 150;
const pollMaxMs = 1500;

export const isOver = (job: Job<unknown>) => job.state !== "QUEUED" && job.state !== "RUNNING";

/** The job of an application at its end; `onStep` sees how far it is. */
export async function ended<Result>(
  app: string,
  job: Job<Result>,
  onStep?: (job: Job<Result>) => void,
): Promise<Job<Result>> {
  let now = job;
  let pause = firstPollMs;
  onStep?.(now);
  while (!isOver(now)) {
    await wait(pause);
    pause = Math.min(pause * 1.5, pollMaxMs);
    now = (await get<Job<Result>>(`/api/${app}/v1/jobs/${encodeURIComponent(job.jobId)}`)).data;
    onStep?.(now);
  }
  return now;
}

interface JobProgressProps {
  label: string;
  job: Job<unknown>;
  /** What it works at, one by one. */
  unit: string;
  /** What came of it. */
  children: ComponentChildren;
}

export function JobProgress({ label, job, unit, children }: JobProgressProps) {
  const total = job.total ?? 0;
  const share = total > 0 ? (job.done / total) * 100 : 0;
  return (
    <section class="card stack" aria-label={label}>
      <p role="status">
        {!isOver(job) && `${unit} ${job.done} of ${total || "…"}`}
        {job.state === "DONE" && children}
        {job.state === "FAILED" && `${label} has failed.`}
        {job.state === "CANCELLED" && `${label} was cancelled.`}
      </p>
      <svg class="job" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect class="job-whole" width={100} height={6} rx={1} />
        <rect class="job-part" width={isOver(job) ? 100 : share} height={6} rx={1} />
      </svg>
      {job.errors.length > 0 && (
        <ul class="job-errors" tabIndex={0} aria-label="What went wrong">
          {job.errors.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
