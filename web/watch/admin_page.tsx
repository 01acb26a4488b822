// Who asks to be a curator, who is one, and who is not any more.

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { ReadOn } from "../shared/read_on";
import { Dialog } from "../shared/dialog";
import { touch } from "../shared/live";
import { Markdown } from "../shared/markdown";
import { usePages } from "../shared/pages";
import { Empty, hueOf, Loading, PageTitle, ProblemBox } from "../shared/pieces";
import { Link, query } from "../shared/router";
import { attempt, done } from "../shared/toast";
import { Ago, curatorHref } from "./pieces";
import { type CuratorStatus, decide, isAdmin, people, type Profile } from "./server";

const tabs: { status: CuratorStatus; label: string; empty: string }[] = [
  { status: "pending", label: "Waiting", empty: "Nobody waits" },
  { status: "approved", label: "Curators", empty: "No curators yet" },
  { status: "suspended", label: "Suspended", empty: "Nobody is suspended" },
];

type Decision = "approved" | "refused" | "suspended";
const doneText: Record<Decision, string> = {
  approved: "is a curator now",
  refused: "is refused, and may apply again",
  suspended: "is suspended; the public lists are hidden",
};

function PersonRow({ person, ask }: { person: Profile; ask: (decision: Decision) => void }) {
  const status = person.curatorStatus;
  return (
    <li class="card queue-row">
      <span class={`face ${hueOf(person.username)}`} aria-hidden="true">
        {[...person.username][0]}
      </span>
      <div class="stack">
        <p>
          <Link href={curatorHref(person.userId)}>
            <strong>{person.username}</strong>
          </Link>{" "}
          <span class="soft">{person.email}</span>{" "}
          {person.curatorAppliedAt && (
            <small>
              applied <Ago time={person.curatorAppliedAt} />
            </small>
          )}
        </p>
        {person.curatorStatement && (
          <div class="entry-note">
            <Markdown text={person.curatorStatement} />
          </div>
        )}
        {person.bio && <p class="soft">{person.bio}</p>}
      </div>
      <span class="queue-tools">
        {status !== "approved" && (
          <button
            type="button"
            class="primary"
            aria-label={`Approve${status === "suspended" ? " again" : ""}: ${person.username}`}
            onClick={() => ask("approved")}
          >
            {status === "suspended" ? "Approve again" : "Approve"}
          </button>
        )}
        {status === "pending" && (
          <button
            type="button"
            aria-label={`Refuse: ${person.username}`}
            onClick={() => ask("refused")}
          >
            Refuse
          </button>
        )}
        <Link
          class="button"
          aria-label={`What they did: ${person.username}`}
          href={`/watch/admin/audit?user=${encodeURIComponent(person.userId)}`}
        >
          What they did
        </Link>
        {status === "approved" && (
          <button
            type="button"
            class="danger"
            aria-label={`Suspend: ${person.username}`}
            onClick={() => ask("suspended")}
          >
            Suspend
          </button>
        )}
      </span>
    </li>
  );
}

export function ForAdmins({ children }: { children: ComponentChildren }) {
  if (isAdmin()) return <>{children}</>;
  return (
    <Empty isPage title="For administrators">
      <Link class="button" href="/watch">
        All lists
      </Link>
    </Empty>
  );
}

export function AdminPage() {
  const asked = query.value.get("status");
  const tab = tabs.find((it) => it.status === asked) ?? tabs[0]!;
  const found = usePages(
    async (cursor, signal) => (isAdmin() ? people(tab.status, cursor, signal) : { items: [] }),
    [tab.status],
  );
  const asking = useSignal<{ person: Profile; decision: Decision } | null>(null);
  const isBusy = useSignal(false);
  const go = async (person: Profile, decision: Decision) => {
    isBusy.value = true;
    await attempt(async () => {
      await decide(person, decision);
      // What was suspended can be as it was; a refusal cannot.
      const back = decision === "suspended" ? async () => go(person, "approved") : undefined;
      done(`${person.username} ${doneText[decision]}`, back);
    });
    isBusy.value = false;
    asking.value = null;
    touch();
  };
  const wanted = asking.value;
  return (
    <ForAdmins>
      <PageTitle title="Curators" line="Who asks, who is one, and who is not any more.">
        <Link class="button" href="/watch/admin/audit">
          Who did what
        </Link>
      </PageTitle>
      <nav class="tabs" aria-label="Curators by state">
        {tabs.map(({ status, label }) => (
          <Link
            key={status}
            href={status === "pending" ? "/watch/admin" : `/watch/admin?status=${status}`}
            aria-current={status === tab.status ? "page" : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
      {found.error !== undefined && <ProblemBox error={found.error} onRetry={found.reload} />}
      {!found.first && found.error === undefined && <Loading />}
      {found.first && found.items.length === 0 && !found.cursor && <Empty title={tab.empty} />}
      <ul class="stack" aria-label={tab.label}>
        {found.items.map((person) => (
          <PersonRow
            key={person.userId}
            person={person}
            ask={(decision) => {
              if (decision === "approved") void go(person, decision);
              else asking.value = { person, decision };
            }}
          />
        ))}
      </ul>
      <ReadOn cursor={found.cursor} read={found.more} />
      <Dialog
        title={
          wanted?.decision === "suspended"
            ? `Suspend ${wanted.person.username}?`
            : `Refuse ${wanted?.person.username ?? ""}?`
        }
        isOpen={wanted !== null}
        onClose={() => (asking.value = null)}
      >
        <p>
          {wanted?.decision === "suspended"
            ? "All public lists are hidden until the curator is approved again."
            : "The application is gone. The person may write a new one."}
        </p>
        <div class="form-end">
          <button type="button" onClick={() => (asking.value = null)}>
            Cancel
          </button>
          <button
            type="button"
            class="danger"
            disabled={isBusy.value}
            aria-busy={isBusy.value}
            onClick={() => wanted && void go(wanted.person, wanted.decision)}
          >
            {wanted?.decision === "suspended" ? "Suspend" : "Refuse"}
          </button>
        </div>
      </Dialog>
    </ForAdmins>
  );
}
