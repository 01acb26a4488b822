// What somebody has created, changed and deleted.

import { DataTable } from "../shared/data_table";
import { dateOf, dayText, timeText } from "../shared/dates";
import { FormProblem, SubmitButton, TextField, useForm } from "../shared/form";
import { usePages } from "../shared/pages";
import { Empty, Loading, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { ReadOn } from "../shared/read_on";
import { Link, query, setQuery } from "../shared/router";
import { ForAdmins } from "./admin_page";
import { curatorHref, listHref, titleHref } from "./pieces";
import { type AuditEntry, auditOf, personOf, personWith } from "./server";

const changes = { CREATED: "Created", CHANGED: "Changed", DELETED: "Deleted" };
const things: Record<string, string> = {
  User: "profile",
  Watchlist: "list",
  WatchlistItem: "entry of a list",
  Movie: "film",
  Show: "series",
};

/** Where an item can be looked at, by its keys. */
function hrefOf({ entityKey, change, entity }: AuditEntry): string | undefined {
  const [partition = ""] = entityKey.split(" ");
  const mark = partition.indexOf("#");
  const [kind, id] = [partition.slice(0, mark), partition.slice(mark + 1)];
  if (change === "DELETED" && entity !== "WatchlistItem") return undefined;
  if (kind === "WATCHLIST") return listHref(id);
  if (kind === "MOVIE" || kind === "SHOW") return titleHref(kind, id);
  return kind === "USER" ? curatorHref(id) : undefined;
}

function Entries({ user }: { user: string }) {
  const [from, to] = [query.value.get("from") ?? "", query.value.get("to") ?? ""];
  const person = useLoad((signal) => personOf(user, signal), [user]);
  const found = usePages(
    (cursor, signal) =>
      auditOf(
        {
          user,
          from: from && `${from}T00:00:00.000Z`,
          to: to && `${to}T23:59:59.999Z`,
          cursor,
        },
        signal,
      ),
    [user, from, to],
  );
  const name = person.data?.username ?? user;
  return (
    <section class="stack" aria-labelledby="who">
      <h2 id="who">
        <Link href={curatorHref(user)}>{name}</Link>
      </h2>
      <div class="form-row audit-form">
        <TextField
          label="From"
          name="from"
          type="date"
          value={from}
          max={dateOf(Date.now())}
          onInput={(value) => setQuery({ from: value || null })}
        />
        <TextField
          label="To"
          name="to"
          type="date"
          value={to}
          onInput={(value) => setQuery({ to: value || null })}
        />
      </div>
      {found.error !== undefined && <ProblemBox error={found.error} onRetry={found.reload} />}
      {!found.first && found.error === undefined && <Loading />}
      {found.first && found.items.length === 0 && <Empty title="Nothing in this time" />}
      {found.items.length > 0 && (
        <DataTable
          label={`What ${name} has done`}
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
              name: "What",
              cell: (entry) => {
                const href = hrefOf(entry);
                const thing = things[entry.entity] ?? entry.entity;
                return (
                  <>
                    {changes[entry.change]} {href ? <Link href={href}>{thing}</Link> : thing}
                  </>
                );
              },
            },
            { name: "Fields", cell: ({ fields }) => fields.join(", ") },
            { name: "Key", cell: ({ entityKey }) => <code>{entityKey}</code> },
          ]}
        />
      )}
      <ReadOn cursor={found.cursor} read={found.more} />
    </section>
  );
}

export function AuditPage() {
  const user = query.value.get("user");
  const { state, onSubmit } = useForm(async (data) => {
    const person = await personWith(String(data.get("email") ?? "").trim());
    if (!person) throw new Error("nobody here has this address");
    setQuery({ user: person.userId });
  });
  return (
    <ForAdmins>
      <PageTitle
        title="Who did what"
        line="What somebody has created, changed and deleted in the last 400 days."
      />
      <form class="card form audit-form" onSubmit={onSubmit} noValidate>
        <TextField label="E-mail" name="email" type="email" state={state.value} />
        <FormProblem state={state.value} />
        <div class="form-end">
          <SubmitButton state={state.value}>Look</SubmitButton>
        </div>
      </form>
      {user && <Entries key={user} user={user} />}
    </ForAdmins>
  );
}
