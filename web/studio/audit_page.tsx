// What administrators have done, to whom.

import { DataTable } from "../shared/data_table";
import { dayText, timeText } from "../shared/dates";
import { usePages } from "../shared/pages";
import { Empty, Loading, PageTitle, ProblemBox } from "../shared/pieces";
import { ReadOn } from "../shared/read_on";
import { Link, query } from "../shared/router";
import { type AuditEntry, listAudit } from "./operator";

const part = encodeURIComponent;

function Who({ name, email, sub }: { name?: string; email?: string; sub?: string }) {
  if (sub === undefined) return <span class="soft">who started the server</span>;
  if (email === undefined) return <code>{sub}</code>;
  return <Link href={`/studio/accounts?email=${part(email)}`}>{name || email}</Link>;
}

function What({ entry }: { entry: AuditEntry }) {
  if (entry.action === "REPLAYED")
    return (
      <>
        tried again what{" "}
        <Link href={`/studio/consumers/${part(entry.app ?? "")}/${part(entry.consumer ?? "")}`}>
          {entry.app} {entry.consumer}
        </Link>{" "}
        had given up
      </>
    );
  const whom = <Who name={entry.targetName} email={entry.targetEmail} sub={entry.target} />;
  if (entry.action === "APPROVED") return <>let {whom} in</>;
  if (entry.action === "DISABLED") return <>locked {whom} out</>;
  const groups = entry.groups.length > 0 ? entry.groups.join(", ") : "no group";
  return (
    <>
      put {whom} into {groups}
    </>
  );
}

export function AuditPage() {
  const target = query.value.get("target") ?? undefined;
  const found = usePages((cursor, signal) => listAudit({ target, cursor }, signal), [target]);
  const about = found.items[0]?.targetName ?? target;
  return (
    <>
      <PageTitle
        title="Audit"
        line={
          target
            ? `What administrators have done to the account of ${about}, the newest first.`
            : "What administrators have done in the last 400 days, the newest first."
        }
      >
        {target && (
          <Link class="button" href="/studio/audit">
            All entries
          </Link>
        )}
      </PageTitle>
      {found.error !== undefined && <ProblemBox error={found.error} onRetry={found.reload} />}
      {!found.first && found.error === undefined && <Loading />}
      {found.first && found.items.length === 0 && !found.cursor && <Empty title="Nothing yet" />}
      {found.items.length > 0 && (
        <DataTable
          label="Audit"
          isShort
          rows={found.items}
          rowKey={(entry) => entry.entryId}
          columns={[
            {
              name: "When",
              cell: ({ at }) => (
                <time dateTime={at}>
                  {dayText(at)}, {timeText(at)}
                </time>
              ),
            },
            {
              name: "Who",
              cell: (it) => <Who name={it.actorName} email={it.actorEmail} sub={it.actor} />,
            },
            { name: "What", cell: (entry) => <What entry={entry} /> },
          ]}
        />
      )}
      <ReadOn cursor={found.cursor} read={found.more} />
    </>
  );
}
