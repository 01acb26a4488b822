import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { CodeEditor } from "../shared/code_editor";
import { DataTable } from "../shared/data_table";
import { draftOf, dropDraft, keepDraft } from "../shared/drafts";
import { Empty, Loading, manyText, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { Link, query, setQuery } from "../shared/router";
import { attempt, done, failed } from "../shared/toast";
import { EntityGraph } from "./entity_graph";
import { NoPage } from "./no_page";
import {
  applyDesign,
  checkDesign,
  type Design,
  type Diagnostic,
  getDesign,
  listDesigns,
} from "./server";

const quietMs = 350;

const sample = `// A design is one file: the table, what is in it, and the questions it answers.

design Reading version 1

table "Reading" {
  key PK, SK
  discriminate by attribute type
  stream new_and_old
  lock version
  index GSI1 (GSI1PK, GSI1SK) project all
}

entity Reader {
  type "READER"
  key pk "READER#{readerId}" sk "PROFILE"

  readerId : id            = uuid() immutable
  name     : string(1..80)
  books    : int(0..)      = 0 derived_count
}

entity Book {
  type "BOOK"
  key pk "READER#{readerId}" sk "BOOK#{bookId}"
  index GSI1 pk "READER#{readerId}" sk "STATUS#{status}#{updatedAt}"

  readerId  : id             immutable
  bookId    : id             = uuid() immutable
  title     : string(1..200)
  status    : enum("SHELF", "READING", "READ") = "SHELF"
  updatedAt : timestamp      = now() on_update now()

  belongs_to Reader by (readerId) {
    must_exist
    count into books
    on_delete cascade
    through booksOfReader
  }
}

access getReader(readerId) -> Reader = get
access booksOfReader(readerId) -> Book* = query table pk "READER#{readerId}" sk begins "BOOK#"
access booksByStatus(readerId, status) -> Book* =
  query GSI1 pk "READER#{readerId}" sk begins "STATUS#{status}#" order desc
`;

function Diagnostics({ list, onOpen }: { list: Diagnostic[]; onOpen: (line: number) => void }) {
  if (list.length === 0) {
    return (
      <Empty title="Nothing is wrong">
        <p>Every pattern can work as written, and nothing in it will hurt.</p>
      </Empty>
    );
  }
  return (
    <ul class="diagnostics">
      {list.map((it) => (
        <li key={`${it.line}:${it.column}:${it.code}:${it.message}`}>
          <button
            type="button"
            class={`diagnostic diagnostic-${it.severity}`}
            onClick={() => onOpen(it.line)}
          >
            <span class="row">
              <strong>
                {it.severity} {it.code}
              </strong>
              <small>
                line {it.line}, column {it.column}
              </small>
            </span>
            <span>{it.message}</span>
            {it.suggestion && <code>try: {it.suggestion}</code>}
          </button>
        </li>
      ))}
    </ul>
  );
}

function Costs({ design }: { design: Design }) {
  return (
    <DataTable
      label="Costs"
      isShort
      rows={design.costs}
      rowKey={(line) => line.what}
      columns={[
        { name: "What", cell: (line) => <strong>{line.what}</strong> },
        {
          name: "Read units",
          isNumeric: true,
          cell: (line) => (line.readUnits ? String(line.readUnits) : ""),
        },
        {
          name: "Write units",
          isNumeric: true,
          cell: (line) => (line.writeUnits ? String(line.writeUnits) : ""),
        },
        { name: "Assuming", cell: (line) => <small>{line.assumption}</small> },
        { name: "Remark", cell: (line) => <small>{line.remark}</small> },
      ]}
    />
  );
}

function Editor({ name, text: first }: { name: string; text: string }) {
  const draft = `design.${name}`;
  const kept = useSignal(draftOf(draft)?.text);
  const text = useSignal(kept.value ?? first);
  const result = useSignal<{ diagnostics: Diagnostic[]; design?: Design } | undefined>(undefined);
  const lastGood = useSignal<Design | undefined>(undefined);
  const isChecking = useSignal(false);
  const line = useSignal(Number(query.value.get("line")) || undefined);
  const tab = query.value.get("tab") ?? "diagnostics";
  useEffect(() => {
    const controller = new AbortController();
    isChecking.value = true;
    const timer = setTimeout(async () => {
      try {
        const checked = await checkDesign(text.value, controller.signal);
        if (controller.signal.aborted) return;
        result.value = checked;
        lastGood.value = checked.design ?? lastGood.value;
      } catch (error) {
        if (!controller.signal.aborted) failed(error);
      } finally {
        if (!controller.signal.aborted) isChecking.value = false;
      }
    }, quietMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text.value]);
  const diagnostics = result.value?.diagnostics ?? [];
  const errors = diagnostics.filter((it) => it.severity === "error").length;
  const apply = () =>
    attempt(async () => {
      const { table, changes, refusals } = await applyDesign(text.value);
      if (refusals.length > 0) throw new Error(refusals.join(". "));
      done(
        changes.length > 0
          ? `Table ${table}: ${changes.join(", ")}`
          : `Table ${table} is as the design wants it`,
      );
    });
  const tabs: [string, string][] = [
    ["diagnostics", `Diagnostics (${diagnostics.length})`],
    ["graph", "Entities"],
    ["cost", "Cost"],
  ];
  return (
    <>
      <PageTitle
        title={name === "new" ? "New design" : `${name}: design`}
        line={
          isChecking.value
            ? "Checking…"
            : errors > 0
              ? `${manyText(errors, "error")}, ${manyText(diagnostics.length - errors, "warning")}`
              : `No errors, ${manyText(diagnostics.length, "warning")}`
        }
      >
        <button type="button" disabled={errors > 0 || !result.value} onClick={() => void apply()}>
          Make its table
        </button>
      </PageTitle>
      {kept.value !== undefined && (
        <p class="note row spread" role="status">
          This is what you had changed, not what the server has.
          <button
            type="button"
            class="small"
            onClick={() => {
              dropDraft(draft);
              kept.value = undefined;
              text.value = first;
            }}
          >
            Start over
          </button>
        </p>
      )}
      <div class={tab === "diagnostics" ? "design-split" : "design-split shows-more"}>
        <div class="design-text">
          <CodeEditor
            label="Design"
            language="design"
            value={text.value}
            marks={diagnostics}
            line={line.value}
            onChange={(changed) => {
              text.value = changed;
              keepDraft(draft, { text: first }, { text: changed });
            }}
          />
          <p class="hint">
            What you change here is checked at once and stays in this window; the file on the server
            is not touched.
          </p>
        </div>
        <section class="stack" aria-label="What the checker says">
          <div class="tabs" role="group" aria-label="Show">
            {tabs.map(([key, label]) => (
              <button
                key={key}
                type="button"
                aria-pressed={tab === key}
                onClick={() => setQuery({ tab: key === "diagnostics" ? null : key })}
              >
                {label}
              </button>
            ))}
          </div>
          {!result.value && <Loading what="Checking" />}
          {result.value && tab === "diagnostics" && (
            <Diagnostics
              list={diagnostics}
              onOpen={(at) => {
                line.value = undefined;
                queueMicrotask(() => (line.value = at));
              }}
            />
          )}
          {tab === "graph" && lastGood.value && <EntityGraph design={lastGood.value} />}
          {tab === "cost" && lastGood.value && <Costs design={lastGood.value} />}
        </section>
      </div>
    </>
  );
}

function Known({ name }: { name: string }) {
  const { data, error, reload } = useLoad((signal) => getDesign(name, signal), [name]);
  if (error !== undefined) return <NoPage {...{ error, name }} what="design" onRetry={reload} />;
  return data ? <Editor key={name} name={name} text={data.text} /> : <Loading />;
}

function List() {
  const { data, error, reload } = useLoad((signal) => listDesigns(signal), []);
  if (error !== undefined) return <ProblemBox error={error} onRetry={reload} />;
  if (!data) return <Loading />;
  return (
    <>
      <PageTitle
        title="Designs"
        line="What this server knows about its tables: entities, and questions they answer."
      >
        <Link class="button primary" href="/studio/designs/new">
          New design
        </Link>
      </PageTitle>
      {data.length === 0 && (
        <Empty title="No designs are served">
          <p>
            Write one here to see what the checker says, or start the server with{" "}
            <code>--design FILE</code>.
          </p>
        </Empty>
      )}
      <div class="tiles">
        {data.map((design) => (
          <Link
            key={design.name}
            class="tile"
            href={`/studio/designs/${encodeURIComponent(design.name)}`}
          >
            <h2>{design.name}</h2>
            <p>
              Version {design.version}, table <code>{design.table}</code>
            </p>
            <p>
              {manyText(design.entities, "entity", "entities")},{" "}
              {manyText(design.accesses, "access pattern")}
            </p>
          </Link>
        ))}
      </div>
    </>
  );
}

export function DesignPage({ name }: { name?: string }) {
  if (name === undefined) return <List />;
  return name === "new" ? <Editor name="new" text={sample} /> : <Known name={name} />;
}
