// One collection: its shelf with gaps, and its order.

import { useSignal } from "@preact/signals";
import { Problem } from "../shared/api";
import { FormProblem, SubmitButton, useForm } from "../shared/form";
import { Icon } from "../shared/icons";
import { useShortcut } from "../shared/keys";
import { removeSoon } from "../shared/leaving";
import { changed, touch } from "../shared/live";
import { Markdown } from "../shared/markdown";
import { Loading, manyText, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { Link, navigate, query, setQuery } from "../shared/router";
import { done } from "../shared/toast";
import { Completeness } from "./completeness";
import { ShelfBoard } from "./contents_list";
import { Crumbs, hrefOf, NotHere, runsOf, runText } from "./pieces";
import {
  allMembers,
  arrange,
  type Collection,
  collectionPath,
  getCollection,
  getLibrary,
  isLeaving,
  type Item,
  isLibraryLeaving,
  tagOf,
} from "./server";

// Numbers can be typed, and neighbours change places.
function Arrange({ collection, items }: { collection: Collection; items: Item[] }) {
  const rows = useSignal(items.map((item) => ({ item, order: String(item.order ?? "") })));
  const end = () => setQuery({ arrange: null });
  const { state, onSubmit } = useForm(async () => {
    const moved = rows.value
      .filter(({ item, order }) => order.trim() !== String(item.order ?? ""))
      .map(({ item, order }) => ({
        id: item.id,
        order: /^\d{1,9}$/.test(order.trim()) ? Number(order) : order,
      }));
    if (moved.length > 0) {
      await arrange(collection, moved);
      done(`${manyText(moved.length, "number")} changed`);
      touch();
    }
    end();
  });
  const swap = (i: number, j: number) => {
    const next = [...rows.value];
    const [a, b] = [next[i]!, next[j]!];
    next[i] = { item: b.item, order: a.order };
    next[j] = { item: a.item, order: b.order };
    rows.value = next;
  };
  return (
    <form class="card form" onSubmit={onSubmit} noValidate aria-label="Arrange">
      <ol class="arrange">
        {rows.value.map(({ item, order }, i) => (
          <li key={item.id}>
            <input
              aria-label={`Number of ${item.title}`}
              inputMode="numeric"
              value={order}
              onInput={(event) => {
                const text = event.currentTarget.value;
                rows.value = rows.value.map((it, j) => (j === i ? { ...it, order: text } : it));
              }}
            />
            <span class="item-title">{item.title}</span>
            <button
              type="button"
              class="quiet icon-only"
              aria-label={`${item.title} further to the front`}
              disabled={i === 0}
              onClick={() => swap(i, i - 1)}
            >
              ↑
            </button>
            <button
              type="button"
              class="quiet icon-only"
              aria-label={`${item.title} further to the back`}
              disabled={i === rows.value.length - 1}
              onClick={() => swap(i, i + 1)}
            >
              ↓
            </button>
          </li>
        ))}
      </ol>
      <FormProblem state={state.value} />
      <div class="form-end">
        <button type="button" onClick={end}>
          Cancel
        </button>
        <SubmitButton state={state.value}>Save order</SubmitButton>
      </div>
    </form>
  );
}

async function load(libraryId: string, id: string, signal: AbortSignal) {
  const [library, collection, members] = await Promise.all([
    getLibrary(libraryId, signal),
    getCollection(libraryId, id, signal),
    allMembers(libraryId, id, signal),
  ]);
  return { library, collection, ...members };
}

export function CollectionPage({ libraryId, id }: { libraryId: string; id: string }) {
  const { data, error, reload } = useLoad(
    (signal) => load(libraryId, id, signal),
    [libraryId, id, changed.value],
  );
  const here = hrefOf.collection({ libraryId, id });
  const isOwner = data?.library.isOwner ?? false;
  useShortcut("n", "Add to this collection", () => {
    if (isOwner) navigate(`${hrefOf.library(libraryId)}/add?collection=${id}`);
  });
  useShortcut("e", "Edit this collection", () => isOwner && navigate(`${here}/edit`));
  const isGone = error instanceof Problem && error.status === 404;
  if (isLibraryLeaving(libraryId) || isLeaving(collectionPath(libraryId, id)) || isGone) {
    return <NotHere what="collection" />;
  }
  if (error !== undefined) return <ProblemBox error={error} onRetry={reload} />;
  if (!data) return <Loading what="Looking at the shelf" />;
  const { library, collection, items, missingOrders } = data;
  const isArranging = isOwner && query.value.get("arrange") === "yes";
  const remove = () => {
    removeSoon(
      collectionPath(libraryId, id),
      tagOf(collection),
      `${collection.name} is no collection any more; its items stay`,
    );
    navigate(hrefOf.library(libraryId));
  };
  const missing = runsOf(missingOrders).map(runText).join(", ");
  return (
    <>
      <div class="stack">
        <Crumbs library={library} />
        <PageTitle
          title={collection.name}
          line={
            missing
              ? `${manyText(items.length, "item")}, missing ${missing}`
              : manyText(items.length, "item")
          }
        >
          {isOwner && (
            <>
              <Link
                class="button primary"
                href={`${hrefOf.library(libraryId)}/add?collection=${id}`}
              >
                <Icon name="plus" /> Add
              </Link>
              {items.length > 1 && (
                <button
                  type="button"
                  aria-pressed={isArranging}
                  onClick={() => setQuery({ arrange: isArranging ? null : "yes" })}
                >
                  Arrange
                </button>
              )}
              <Link class="button" href={`${here}/edit`}>
                <Icon name="design" /> Edit
              </Link>
              <button type="button" class="danger" onClick={remove}>
                <Icon name="trash" /> Delete
              </button>
            </>
          )}
        </PageTitle>
      </div>
      {collection.description && <Markdown text={collection.description} />}
      {isArranging ? (
        <Arrange key={items.map((it) => it.id).join()} collection={collection} items={items} />
      ) : (
        <div class="whole-shelf">
          <ShelfBoard
            collection={collection}
            items={items}
            missing={missingOrders}
            canAdd={isOwner}
          />
        </div>
      )}
      {items.length > 0 && (
        <section class="card">
          <Completeness
            title="How complete it is"
            rows={[
              {
                id: collection.id,
                label: collection.name,
                orders: items.map((it) => it.order ?? 0),
                lent: items.filter((it) => it.lent).map((it) => it.order ?? 0),
              },
            ]}
          />
        </section>
      )}
    </>
  );
}
