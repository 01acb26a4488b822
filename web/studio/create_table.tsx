import { useSignal } from "@preact/signals";
import { CodeEditor } from "../shared/code_editor";
import { Dialog } from "../shared/dialog";
import { FormProblem, SelectField, SubmitButton, TextField, useForm } from "../shared/form";
import { setQuery } from "../shared/router";
import { done } from "../shared/toast";
import { applyDesign, checkDesign, type Diagnostic, dynamodb } from "./server";

interface CreateTableProps {
  isOpen: boolean;
  mode: string;
  onClose: () => void;
  onDone: (name: string) => void;
}

const keyTypes = [
  { value: "S", label: "String" },
  { value: "N", label: "Number" },
  { value: "B", label: "Binary" },
];

interface IndexDraft {
  id: number;
}

const text = (data: FormData, name: string) => String(data.get(name) ?? "").trim();

function requestOf(data: FormData, indexes: IndexDraft[]): object {
  const attributes = new Map<string, string>();
  const key = (prefix: string) => {
    const schema = [{ AttributeName: text(data, `${prefix}pk`), KeyType: "HASH" }];
    attributes.set(text(data, `${prefix}pk`), text(data, `${prefix}pkType`));
    if (text(data, `${prefix}sk`)) {
      schema.push({ AttributeName: text(data, `${prefix}sk`), KeyType: "RANGE" });
      attributes.set(text(data, `${prefix}sk`), text(data, `${prefix}skType`));
    }
    return schema;
  };
  const KeySchema = key("");
  const globals = indexes.map(({ id }) => ({
    IndexName: text(data, `i${id}name`),
    KeySchema: key(`i${id}`),
    Projection: { ProjectionType: text(data, `i${id}projection`) },
  }));
  const stream = text(data, "stream");
  return {
    TableName: text(data, "name"),
    BillingMode: "PAY_PER_REQUEST",
    KeySchema,
    AttributeDefinitions: [...attributes].map(([AttributeName, AttributeType]) => ({
      AttributeName,
      AttributeType,
    })),
    ...(globals.length > 0 && { GlobalSecondaryIndexes: globals }),
    ...(stream !== "off" && {
      StreamSpecification: { StreamEnabled: true, StreamViewType: stream },
    }),
  };
}

function KeyFields({ prefix, title }: { prefix: string; title: string }) {
  return (
    <fieldset class="plain">
      <legend class="label">{title}</legend>
      <div class="form-row">
        <TextField
          label="Partition key"
          name={`${prefix}pk`}
          required
          spellcheck={false}
          placeholder="PK"
        />
        <SelectField label="Its type" name={`${prefix}pkType`} options={keyTypes} />
        <TextField label="Sort key" name={`${prefix}sk`} spellcheck={false} placeholder="none" />
        <SelectField label="Type of sort key" name={`${prefix}skType`} options={keyTypes} />
      </div>
    </fieldset>
  );
}

function TableForm({ onDone }: { onDone: (name: string) => void }) {
  const indexes = useSignal<IndexDraft[]>([]);
  const { state, onSubmit } = useForm(async (data) => {
    await dynamodb("CreateTable", requestOf(data, indexes.value));
    const ttl = text(data, "ttl");
    if (ttl) {
      await dynamodb("UpdateTimeToLive", {
        TableName: text(data, "name"),
        TimeToLiveSpecification: { AttributeName: ttl, Enabled: true },
      });
    }
    done(`Table ${text(data, "name")} is made`);
    onDone(text(data, "name"));
  });
  return (
    <form class="form" onSubmit={onSubmit}>
      <TextField
        label="Name"
        name="name"
        required
        spellcheck={false}
        state={state.value}
        hint="3 to 255 letters, digits, _ - ."
      />
      <KeyFields prefix="" title="Key of the table" />
      {indexes.value.map(({ id }, i) => (
        <div key={id} class="card stack">
          <div class="row spread">
            <h3>Global secondary index {i + 1}</h3>
            <button
              type="button"
              class="small"
              onClick={() => (indexes.value = indexes.value.filter((index) => index.id !== id))}
            >
              Remove
            </button>
          </div>
          <div class="form-row">
            <TextField
              label="Name of the index"
              name={`i${id}name`}
              required
              spellcheck={false}
              placeholder="GSI1"
            />
            <SelectField
              label="Holds"
              name={`i${id}projection`}
              options={[
                { value: "ALL", label: "Whole items" },
                { value: "KEYS_ONLY", label: "Keys only" },
              ]}
            />
          </div>
          <KeyFields prefix={`i${id}`} title="Key of the index" />
        </div>
      ))}
      <div>
        <button
          type="button"
          class="small"
          onClick={() =>
            (indexes.value = [...indexes.value, { id: (indexes.value.at(-1)?.id ?? 0) + 1 }])
          }
        >
          Add an index
        </button>
      </div>
      <div class="form-row">
        <SelectField
          label="Stream"
          name="stream"
          options={[
            { value: "off", label: "Off" },
            { value: "NEW_AND_OLD_IMAGES", label: "New and old images" },
            { value: "NEW_IMAGE", label: "New image" },
            { value: "OLD_IMAGE", label: "Old image" },
            { value: "KEYS_ONLY", label: "Keys only" },
          ]}
        />
        <TextField
          label="Items expire at"
          name="ttl"
          spellcheck={false}
          placeholder="never"
          hint="An attribute that holds seconds since 1970"
        />
      </div>
      <FormProblem state={state.value} />
      <div class="form-end">
        <SubmitButton state={state.value}>Make table</SubmitButton>
      </div>
    </form>
  );
}

const example = `design Example version 1

table "Example" {
  key PK, SK
  stream new_and_old
}

entity Person {
  key pk "PERSON#{id}" sk "PROFILE"

  id   : id             = uuid() immutable
  name : string(1..100)
}

access getPerson(id) -> Person = get
`;

function FromDesign({ onDone }: { onDone: (name: string) => void }) {
  const source = useSignal(example);
  const diagnostics = useSignal<Diagnostic[]>([]);
  const { state, onSubmit } = useForm(async () => {
    const checked = await checkDesign(source.value);
    diagnostics.value = checked.diagnostics;
    if (!checked.design) throw new Error("the design has errors; they are marked in the text");
    const { table, refusals } = await applyDesign(source.value);
    if (refusals.length > 0) throw new Error(refusals.join(". "));
    done(`Table ${table} is as the design wants it`);
    onDone(table);
  });
  const open = async (file: File | undefined) => {
    if (file) source.value = await file.text();
  };
  return (
    <form class="form" onSubmit={onSubmit}>
      <div class="field">
        <label for="design-file">Design file</label>
        <input
          id="design-file"
          type="file"
          accept=".design"
          onChange={(event) => void open(event.currentTarget.files?.[0])}
        />
      </div>
      <CodeEditor
        label="Design"
        language="design"
        value={source.value}
        marks={diagnostics.value}
        onChange={(changed) => (source.value = changed)}
      />
      <FormProblem state={state.value} />
      {diagnostics.value.length > 0 && (
        <ul class="stack">
          {diagnostics.value.map((it) => (
            <li
              key={`${it.line}:${it.column}${it.code}`}
              class={it.severity === "error" ? "bad" : ""}
            >
              {it.line}:{it.column} {it.code} {it.message}
            </li>
          ))}
        </ul>
      )}
      <div class="form-end">
        <SubmitButton state={state.value}>Make its table</SubmitButton>
      </div>
    </form>
  );
}

export function CreateTable({ isOpen, mode, onClose, onDone }: CreateTableProps) {
  return (
    <Dialog title="New table" isOpen={isOpen} onClose={onClose} isSheet>
      <div class="tabs" role="group" aria-label="Make it from">
        <button
          type="button"
          aria-pressed={mode === "form"}
          onClick={() => setQuery({ create: "form" })}
        >
          From a form
        </button>
        <button
          type="button"
          aria-pressed={mode === "design"}
          onClick={() => setQuery({ create: "design" })}
        >
          From a design
        </button>
      </div>
      {mode === "design" ? <FromDesign onDone={onDone} /> : <TableForm onDone={onDone} />}
    </Dialog>
  );
}
