// A table as its design sees it: kinds of items in colour, by partition, under each index.

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { recovered } from "../shared/api";
import { Icon } from "../shared/icons";
import {
  countText,
  Empty,
  Loading,
  manyText,
  PageTitle,
  ProblemBox,
  useLoad,
} from "../shared/pieces";
import { Link, query, setQuery } from "../shared/router";
import { NoPage } from "./no_page";
import { hueOf, PickDesign } from "./pick_design";
import {
  type Design,
  dynamodb,
  getDesign,
  keyText,
  type Kind,
  type Page,
  recognise,
} from "./server";
import { compareKeys, type Item, own, pick, shortText } from "./values";

interface Known {
  item: Item;
  kind: string | null;
}

interface Collection {
  partition: string;
  rows: Known[];
}

const itemsPerRead = 500;
const collectionsShown = 60;
const rowsShown = 12;

function useItems(design: Design) {
  const state = useSignal<{ items: Known[]; next?: Item; isLoading: boolean; error?: unknown }>({
    items: [],
    isLoading: true,
  });
  const more = async (signal?: AbortSignal) => {
    state.value = { ...state.peek(), isLoading: true, error: undefined };
    try {
      const start = state.peek().next;
      const page = await dynamodb<Page>(
        "Scan",
        {
          TableName: design.table.name,
          Limit: itemsPerRead,
          ...(start && { ExclusiveStartKey: start }),
        },
        signal,
      );
      const kinds = await recognise(design.name, page.Items);
      if (signal?.aborted) return;
      const read = page.Items.map((item, i) => ({ item, kind: kinds[i] ?? null }));
      state.value = {
        items: [...state.peek().items, ...read],
        next: page.LastEvaluatedKey,
        isLoading: false,
      };
    } catch (error) {
      if (!signal?.aborted) state.value = { ...state.peek(), isLoading: false, error };
    }
  };
  useEffect(() => {
    const controller = new AbortController();
    state.value = { items: [], isLoading: true };
    void more(controller.signal);
    return () => controller.abort();
  }, [design.name, recovered.value]);
  return { ...state.value, more: () => void more() };
}

function collect(items: Known[], keys: { partitionKey: string; sortKey?: string }): Collection[] {
  const byPartition = new Map<string, Collection>();
  for (const known of items) {
    const value = own(known.item, keys.partitionKey);
    if (!value) continue;
    const partition = keyText(value);
    if (!byPartition.has(partition)) byPartition.set(partition, { partition, rows: [] });
    byPartition.get(partition)?.rows.push(known);
  }
  const sortKey = keys.sortKey;
  for (const collection of byPartition.values()) {
    if (sortKey)
      collection.rows.sort((a, b) => compareKeys(own(a.item, sortKey), own(b.item, sortKey)));
  }
  return [...byPartition.values()].sort((a, b) => (a.partition < b.partition ? -1 : 1));
}

function Legend({
  design,
  items,
  chosen,
}: {
  design: Design;
  items: Known[];
  chosen: string | null;
}) {
  const counts = new Map<string | null, number>();
  for (const { kind } of items) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const index = query.value.get("index");
  const keyOf = (kind: Kind) => {
    const form = index ? kind.indexes.find((it) => it.index === index) : kind.keys[0];
    return form ? { partition: form.partitionKey, sort: form.sortKey ?? "" } : undefined;
  };
  return (
    <ul class="legend">
      {design.entities.map((kind) => {
        const key = keyOf(kind);
        return (
          <li key={kind.name}>
            <button
              type="button"
              class={`legend-kind ${hueOf(design.entities, kind.name)} hue-edge`}
              aria-pressed={chosen === kind.name}
              onClick={() => setQuery({ kind: chosen === kind.name ? null : kind.name })}
            >
              <strong>{kind.name}</strong>
              <span>{countText(counts.get(kind.name) ?? 0)}</span>
              <code>{key ? key.partition : `not in ${index}`}</code>
              {key?.sort && <code>{key.sort}</code>}
            </button>
          </li>
        );
      })}
      {(counts.get(null) ?? 0) > 0 && (
        <li>
          <button
            type="button"
            class="legend-kind unknown"
            aria-pressed={chosen === "?"}
            onClick={() => setQuery({ kind: chosen === "?" ? null : "?" })}
          >
            <strong>Unknown to the design</strong>
            <span>{countText(counts.get(null) ?? 0)}</span>
            <code>no key of the design fits</code>
          </button>
        </li>
      )}
    </ul>
  );
}

// What the keys do not say already.
function summaryOf(item: Item, kind: string | null, design: Design): string {
  const own = design.entities.find((it) => it.name === kind)?.attributes ?? [];
  const hidden = new Set([
    ...[design.table, ...design.table.indexes].flatMap((it) => [it.partitionKey, it.sortKey ?? ""]),
    ...own.filter((attribute) => attribute.inKey).map((attribute) => attribute.name),
    design.table.discriminator ?? "",
    design.table.lock ?? "",
  ]);
  // As the design lists them: what matters comes first there.
  const order = own.map((attribute) => attribute.name);
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return Object.entries(item)
    .filter(([name]) => !hidden.has(name))
    .sort(([a], [b]) => rank(a) - rank(b))
    .map(([name, value]) => `${name} ${shortText(value)}`)
    .join(" · ")
    .slice(0, 240);
}

function CollectionCard({
  collection,
  design,
  sortKey,
}: {
  collection: Collection;
  design: Design;
  sortKey?: string;
}) {
  const isAll = useSignal(false);
  const rows = isAll.value ? collection.rows : collection.rows.slice(0, rowsShown);
  const address = (item: Item) => {
    const key = pick(item, [design.table.partitionKey, design.table.sortKey ?? ""]);
    const table = encodeURIComponent(design.table.name);
    return `/studio/tables/${table}?item=${encodeURIComponent(JSON.stringify(key))}`;
  };
  return (
    <article class="collection" aria-label={collection.partition}>
      <header>
        <h3>
          <code>{collection.partition}</code>
        </h3>
        <small>{manyText(collection.rows.length, "item")}</small>
      </header>
      <ul>
        {rows.map(({ item, kind }) => (
          <li
            key={JSON.stringify(
              pick(item, [design.table.partitionKey, design.table.sortKey ?? ""]),
            )}
            class={`collection-row ${hueOf(design.entities, kind)} hue-edge`}
          >
            <Link href={address(item)}>
              <code>{(sortKey && keyText(own(item, sortKey))) || "(no sort key)"}</code>
            </Link>
            <span class="collection-kind">
              {kind === "~" ? "run time's own" : (kind ?? "unknown")}
            </span>
            <span class="collection-text">{summaryOf(item, kind, design)}</span>
          </li>
        ))}
      </ul>
      {collection.rows.length > rows.length && (
        <button type="button" class="small" onClick={() => (isAll.value = true)}>
          {manyText(collection.rows.length - rows.length, "more item")}
        </button>
      )}
    </article>
  );
}

function View({ design }: { design: Design }) {
  const { items, next, isLoading, error, more } = useItems(design);
  const index = query.value.get("index") ?? "";
  const chosen = query.value.get("kind");
  const keys = design.table.indexes.find((it) => it.name === index) ?? design.table;
  const shown = useMemo(() => {
    const visible = items.filter(({ kind }) => kind !== "~");
    const fits = visible.filter(
      ({ kind }) => chosen === null || (chosen === "?" ? kind === null : kind === chosen),
    );
    return { collections: collect(fits, keys), visible };
  }, [items, index, chosen]);
  return (
    <>
      <PageTitle
        title={design.name}
        line={
          <>
            Table{" "}
            <Link href={`/studio/tables/${encodeURIComponent(design.table.name)}`}>
              {design.table.name}
            </Link>
            , as its design sees it.
          </>
        }
      />
      <nav class="tabs" aria-label="Sorted by">
        {[
          { name: "", partitionKey: design.table.partitionKey, sortKey: design.table.sortKey },
          ...design.table.indexes,
        ].map((it) => (
          <button
            key={it.name}
            type="button"
            aria-pressed={it.name === index}
            onClick={() => setQuery({ index: it.name || null })}
          >
            {it.name || "Table"}{" "}
            <small>{[it.partitionKey, it.sortKey].filter(Boolean).join(", ")}</small>
          </button>
        ))}
      </nav>
      {error !== undefined && <ProblemBox error={error} onRetry={more} />}
      <Legend design={design} items={shown.visible} chosen={chosen} />
      <p class="soft" role="status">
        {isLoading
          ? "Reading…"
          : [
              manyText(shown.collections.length, "item collection"),
              `of ${manyText(shown.visible.length, "item")} read`,
            ].join(" ")}
      </p>
      {!isLoading && shown.collections.length === 0 && (
        <Empty title="Nothing here">
          <p>{index ? `No item that was read is in ${index}.` : "The table has no items yet."}</p>
        </Empty>
      )}
      <div class="collections">
        {shown.collections.slice(0, collectionsShown).map((collection) => (
          <CollectionCard
            key={collection.partition}
            collection={collection}
            design={design}
            sortKey={keys.sortKey}
          />
        ))}
      </div>
      {shown.collections.length > collectionsShown && (
        <p class="soft">
          The first {collectionsShown} collections are shown. Choose a kind above to see fewer.
        </p>
      )}
      {next && (
        <div>
          <button type="button" disabled={isLoading} onClick={more}>
            <Icon name="plus" /> Read {itemsPerRead} more
          </button>
        </div>
      )}
    </>
  );
}

function Loader({ name }: { name: string }) {
  const { data, error, reload } = useLoad((signal) => getDesign(name, signal), [name]);
  if (error !== undefined) return <NoPage {...{ error, name }} what="design" onRetry={reload} />;
  return data ? <View design={data.design} /> : <Loading />;
}

export function ViewPage({ name }: { name?: string }) {
  return (
    <PickDesign name={name} root="/studio/view">
      {(chosen) => <Loader key={chosen} name={chosen} />}
    </PickDesign>
  );
}
