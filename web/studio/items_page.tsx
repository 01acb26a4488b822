import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { recovered } from "../shared/api";
import { DataTable } from "../shared/data_table";
import { Icon } from "../shared/icons";
import { useShortcut } from "../shared/keys";
import { countText, Empty, Loading, manyText, ProblemBox, useLoad } from "../shared/pieces";
import { query, setQuery } from "../shared/router";
import { AskForm } from "./ask_form";
import { ItemEditor } from "./item_editor";
import { keysFor, type Question, questionOf, requestOf } from "./items_query";
import { NoPage } from "./no_page";
import { describeTable, dynamodb, keyNames, keysOf, type Page, type TableInfo } from "./server";
import { TableHead } from "./table_head";
import { type AttributeValue, type Item, own, pick, shortText, typeOf } from "./values";

const pageItems = 200;
const columnsMax = 24;

function Cell({ value }: { value: AttributeValue | undefined }) {
  if (!value) return null;
  const type = typeOf(value);
  return (
    <span class={`value value-${type}`} title={`${type} ${shortText(value).slice(0, 400)}`}>
      {shortText(value).slice(0, 160)}
    </span>
  );
}

// Keys first, then what most items have.
function columnsOf(items: Item[], first: string[]): string[] {
  const counts = new Map<string, number>();
  for (const item of items) {
    for (const name of Object.keys(item)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const rest = [...counts.keys()].filter((name) => !first.includes(name));
  rest.sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || (a < b ? -1 : 1));
  return [...first, ...rest].slice(0, columnsMax);
}

interface Read {
  items: Item[];
  scanned: number;
  units: number;
  next?: Item;
  error?: unknown;
  isLoading: boolean;
}

function usePages(table: TableInfo, question: Question) {
  const read = useSignal<Read>({ items: [], scanned: 0, units: 0, isLoading: true });
  const key = JSON.stringify(question);
  const turn = useSignal(0);
  const more = async (isFirst: boolean, signal?: AbortSignal) => {
    const before = isFirst ? { items: [], scanned: 0, units: 0 } : read.peek();
    const start = isFirst ? undefined : read.peek().next;
    read.value = { ...read.peek(), isLoading: true, error: undefined };
    try {
      const { operation, body } = requestOf(table, question);
      const page = await dynamodb<Page>(
        operation,
        { ...body, Limit: pageItems, ...(start && { ExclusiveStartKey: start }) },
        signal,
      );
      if (signal?.aborted) return;
      read.value = {
        items: [...before.items, ...page.Items],
        scanned: before.scanned + page.ScannedCount,
        units: before.units + (page.ConsumedCapacity?.CapacityUnits ?? 0),
        next: page.LastEvaluatedKey,
        isLoading: false,
      };
    } catch (error) {
      if (!signal?.aborted) read.value = { ...before, error, isLoading: false };
    }
  };
  useEffect(() => {
    const controller = new AbortController();
    void more(true, controller.signal);
    return () => controller.abort();
  }, [table.TableName, key, turn.value, recovered.value]);
  return {
    read: read.value,
    reload: () => (turn.value += 1),
    onEnd: () => {
      if (read.peek().next && !read.peek().isLoading) void more(false);
    },
  };
}

function Items({ table, onChange }: { table: TableInfo; onChange: () => void }) {
  const question = questionOf(query.value);
  const { read, reload, onEnd } = usePages(table, question);
  const keys = keysOf(table.KeySchema);
  const asked = keysFor(table, question.index);
  const first = [...new Set([...keyNames(asked), ...keyNames(keys)])];
  const names = useMemo(() => columnsOf(read.items, first), [read.items, first.join()]);
  const open = (item: Item) => setQuery({ item: JSON.stringify(pick(item, keyNames(keys))) }, {});
  const create = () => setQuery({ item: "new" }, {});
  useShortcut("n", "New item", create);
  useShortcut("r", "Read again", reload);
  return (
    <>
      <AskForm table={table} question={question} />
      {read.error !== undefined && <ProblemBox error={read.error} onRetry={reload} />}
      <div class="row spread">
        <p class="soft" role="status">
          {read.isLoading
            ? "Reading…"
            : [
                `${manyText(read.items.length, "item")} shown${read.next ? ", more below" : ""}`,
                `${countText(read.scanned)} read`,
                manyText(read.units, "read unit"),
              ].join(" · ")}
        </p>
        <div class="row">
          <button type="button" class="small" onClick={reload}>
            <Icon name="refresh" /> Read again
          </button>
          <button type="button" class="small primary" onClick={create}>
            <Icon name="plus" /> New item
          </button>
        </div>
      </div>
      {!read.isLoading && read.items.length === 0 && read.error === undefined ? (
        <Empty title={read.scanned > 0 || question.partition ? "Nothing fits" : "No items yet"}>
          <p>
            {question.partition || question.filterName
              ? "Change the question above."
              : "Make the first one."}
          </p>
          {read.next && (
            <button type="button" onClick={onEnd}>
              Look further
            </button>
          )}
        </Empty>
      ) : (
        read.items.length > 0 && (
          <DataTable
            label={`Items of ${table.TableName}`}
            rows={read.items}
            rowKey={(item) => JSON.stringify(pick(item, keyNames(keys)))}
            onOpen={open}
            onEnd={onEnd}
            columns={names.map((name) => ({
              name,
              title: first.includes(name) ? <span class="key-name">{name}</span> : name,
              cell: (item: Item) => <Cell value={own(item, name)} />,
            }))}
          />
        )
      )}
      <ItemEditor
        table={table}
        keyText={query.value.get("item")}
        onClose={() => setQuery({ item: null })}
        onSaved={() => {
          reload();
          onChange();
        }}
      />
    </>
  );
}

export function ItemsPage({ name }: { name: string }) {
  const { data: table, error, reload } = useLoad((signal) => describeTable(name, signal), [name]);
  if (error !== undefined) return <NoPage {...{ error, name }} what="table" onRetry={reload} />;
  if (!table) return <Loading />;
  return (
    <>
      <TableHead name={name} line={manyText(table.ItemCount ?? 0, "item")} />
      <Items table={table} onChange={reload} />
    </>
  );
}
