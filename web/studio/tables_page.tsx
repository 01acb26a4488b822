import { DataTable } from "../shared/data_table";
import { Icon } from "../shared/icons";
import { useShortcut } from "../shared/keys";
import {
  bytesText,
  countText,
  Empty,
  Loading,
  PageTitle,
  ProblemBox,
  useLoad,
} from "../shared/pieces";
import { Link, navigate, query, setQuery } from "../shared/router";
import { CreateTable } from "./create_table";
import {
  describeTable,
  indexesOf,
  keyNames,
  keysOf,
  listDesigns,
  listTables,
  type TableInfo,
} from "./server";

async function load(
  signal: AbortSignal,
): Promise<{ tables: TableInfo[]; designs: Map<string, string> }> {
  const [names, designs] = await Promise.all([listTables(signal), listDesigns(signal)]);
  const tables = await Promise.all(names.map((name) => describeTable(name, signal)));
  return { tables, designs: new Map(designs.map((design) => [design.table, design.name])) };
}

const addressOf = (table: TableInfo) => `/studio/tables/${encodeURIComponent(table.TableName)}`;

export function TablesPage() {
  const { data, error, isLoading, reload } = useLoad(load, []);
  const filter = query.value.get("q") ?? "";
  const isCreating = query.value.get("create") !== null;
  const create = () => setQuery({ create: "form" });
  useShortcut("n", "New table", create);
  const tables = (data?.tables ?? []).filter((table) =>
    table.TableName.toLowerCase().includes(filter.toLowerCase()),
  );
  return (
    <>
      <PageTitle
        title="Tables"
        line="Everything that is stored on this server. Open a table to see and edit its items."
      >
        <button type="button" onClick={reload}>
          <Icon name="refresh" /> Refresh
        </button>
        <button type="button" class="primary" onClick={create}>
          <Icon name="plus" /> New table
        </button>
      </PageTitle>
      {error !== undefined && <ProblemBox error={error} onRetry={reload} />}
      {!data && isLoading && <Loading what="Reading the tables" />}
      {data && data.tables.length === 0 && (
        <Empty title="No tables yet">
          <p>
            Make one here, from a form or a design, or let your program make it through the DynamoDB
            API.
          </p>
          <button type="button" class="primary" onClick={create}>
            New table
          </button>
        </Empty>
      )}
      {data && data.tables.length > 0 && (
        <>
          {data.tables.length > 8 && (
            <input
              type="search"
              class="filter"
              aria-label="Filter tables by name"
              placeholder="Filter by name"
              value={filter}
              onInput={(event) => setQuery({ q: event.currentTarget.value })}
            />
          )}
          <DataTable
            label="Tables"
            isShort
            rows={tables}
            rowKey={(table) => table.TableName}
            onOpen={(table) => navigate(addressOf(table))}
            columns={[
              {
                name: "Name",
                cell: (table) => (
                  <>
                    <Link href={addressOf(table)}>
                      <strong>{table.TableName}</strong>
                    </Link>
                    {table.TableStatus !== "ACTIVE" && (
                      <span class="chip">{table.TableStatus.toLowerCase()}</span>
                    )}
                  </>
                ),
              },
              { name: "Items", isNumeric: true, cell: (table) => countText(table.ItemCount ?? 0) },
              {
                name: "Size",
                isNumeric: true,
                cell: (table) => bytesText(table.TableSizeBytes ?? 0),
              },
              {
                name: "Key",
                cell: (table) => <code>{keyNames(keysOf(table.KeySchema)).join(", ")}</code>,
              },
              {
                name: "Indexes",
                cell: (table) => (
                  <span class="row">
                    {indexesOf(table).map((index) => (
                      <span key={index.IndexName} class="chip">
                        {index.IndexName}
                      </span>
                    ))}
                    {indexesOf(table).length === 0 && <span class="soft">none</span>}
                  </span>
                ),
              },
              {
                name: "Stream",
                cell: (table) =>
                  table.StreamSpecification?.StreamEnabled ? (
                    table.StreamSpecification.StreamViewType?.toLowerCase().replaceAll("_", " ")
                  ) : (
                    <span class="soft">off</span>
                  ),
              },
              {
                name: "Expiry",
                cell: (table) =>
                  table.timeToLive ? (
                    <code>{table.timeToLive}</code>
                  ) : (
                    <span class="soft">off</span>
                  ),
              },
              {
                name: "Design",
                cell: (table) =>
                  data.designs.get(table.TableName) ?? <span class="soft">none</span>,
              },
            ]}
          />
          <p class="soft">
            Point-in-time recovery is not available in this version. Counts are exact.
          </p>
        </>
      )}
      <CreateTable
        isOpen={isCreating}
        mode={query.value.get("create") ?? "form"}
        onClose={() => setQuery({ create: null })}
        onDone={(name) => {
          navigate(`/studio/tables/${encodeURIComponent(name)}`);
        }}
      />
    </>
  );
}
