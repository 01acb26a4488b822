import { useSignal } from "@preact/signals";
import { DataTable } from "../shared/data_table";
import { dayText, timeText } from "../shared/dates";
import { Dialog } from "../shared/dialog";
import { FormProblem, SubmitButton, TextField, useForm } from "../shared/form";
import { Icon } from "../shared/icons";
import { bytesText, countText, Empty, Loading, useLoad } from "../shared/pieces";
import { navigate } from "../shared/router";
import { done } from "../shared/toast";
import { NoPage } from "./no_page";
import { describeTable, dynamodb, indexesOf, keyNames, keysOf } from "./server";
import { TableHead } from "./table_head";

function DeleteTable({ name }: { name: string }) {
  const isOpen = useSignal(false);
  const { state, onSubmit } = useForm(async (data) => {
    if (data.get("name") !== name) throw new Error(`type ${name} to confirm`);
    await dynamodb("DeleteTable", { TableName: name });
    done(`Table ${name} is deleted`);
    navigate("/studio");
  });
  return (
    <>
      <button type="button" class="danger" onClick={() => (isOpen.value = true)}>
        <Icon name="trash" /> Delete table
      </button>
      <Dialog
        title={`Delete ${name}?`}
        isOpen={isOpen.value}
        onClose={() => (isOpen.value = false)}
      >
        <form class="form" onSubmit={onSubmit}>
          <p>All of its items go with it. This cannot be undone.</p>
          <TextField label={`Type ${name} to confirm`} name="name" spellcheck={false} />
          <FormProblem state={state.value} />
          <div class="form-end">
            <button type="button" onClick={() => (isOpen.value = false)}>
              Keep it
            </button>
            <SubmitButton state={state.value} isDanger>
              Delete for ever
            </SubmitButton>
          </div>
        </form>
      </Dialog>
    </>
  );
}

export function TablePage({ name }: { name: string }) {
  const { data: table, error, reload } = useLoad((signal) => describeTable(name, signal), [name]);
  if (error !== undefined) return <NoPage {...{ error, name }} what="table" onRetry={reload} />;
  if (!table) return <Loading />;
  const keys = keysOf(table.KeySchema);
  const madeMs = (table.CreationDateTime ?? 0) * 1000;
  const made = madeMs > 0 ? `${dayText(madeMs)}, ${timeText(madeMs)}` : "";
  const fact = (title: string, text: string, detail?: string) => (
    <div class="fact">
      <dt>{title}</dt>
      <dd>
        {text} {detail && <small>{detail}</small>}
      </dd>
    </div>
  );
  return (
    <>
      <TableHead name={name} line={made && `Made ${made}`}>
        <DeleteTable name={name} />
      </TableHead>
      <dl class="facts">
        {fact("Items", countText(table.ItemCount ?? 0))}
        {fact("Size", bytesText(table.TableSizeBytes ?? 0))}
        {fact("Key", keyNames(keys).join(", "))}
        {fact(
          "Billing",
          table.BillingModeSummary?.BillingMode === "PAY_PER_REQUEST" ? "On demand" : "Provisioned",
        )}
        {fact(
          "Stream",
          table.StreamSpecification?.StreamEnabled ? "On" : "Off",
          table.StreamSpecification?.StreamViewType?.toLowerCase().replaceAll("_", " "),
        )}
        {fact("Expiry", table.timeToLive ?? "Off")}
        {fact("Recovery", "Off", "not in this version")}
      </dl>
      <h2>Indexes</h2>
      {indexesOf(table).length === 0 ? (
        <Empty title="No indexes">
          <p>
            An index keeps the same items in another order, for questions that the key cannot
            answer.
          </p>
        </Empty>
      ) : (
        <DataTable
          label="Indexes"
          isShort
          rows={indexesOf(table)}
          rowKey={(index) => index.IndexName}
          columns={[
            { name: "Name", cell: (index) => <strong>{index.IndexName}</strong> },
            {
              name: "Partition key",
              cell: (index) => <code>{keysOf(index.KeySchema).partition}</code>,
            },
            {
              name: "Sort key",
              cell: (index) => <code>{keysOf(index.KeySchema).sort ?? "none"}</code>,
            },
            {
              name: "Holds",
              cell: (index) => index.Projection.ProjectionType.toLowerCase().replaceAll("_", " "),
            },
            { name: "Status", cell: (index) => (index.IndexStatus ?? "ACTIVE").toLowerCase() },
            { name: "Items", isNumeric: true, cell: (index) => countText(index.ItemCount ?? 0) },
            {
              name: "Size",
              isNumeric: true,
              cell: (index) => bytesText(index.IndexSizeBytes ?? 0),
            },
          ]}
        />
      )}
    </>
  );
}
