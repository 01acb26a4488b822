// A list's words, its titles, their order and the note on each.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Problem } from "../shared/api";
import { dragProps } from "../shared/drag";
import { AreaField, FormProblem, SubmitButton, useForm } from "../shared/form";
import { Icon } from "../shared/icons";
import { keep, leaving, removeSoon } from "../shared/leaving";
import { changed, touch } from "../shared/live";
import { Markdown } from "../shared/markdown";
import { Empty, Loading, manyText, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { PictureEditor } from "../shared/picture";
import { Link, navigate } from "../shared/router";
import { attempt, done } from "../shared/toast";
import { Thumb } from "./art";
import { ListDetails } from "./list_form";
import { Gone } from "./list_page";
import { inOrder, isSame, keyOf, moved } from "./order";
import { factsText, listHref } from "./pieces";
import { TitleFinder } from "./title_finder";
import {
  addEntry,
  changeEntry,
  type Entry,
  entryPath,
  getList,
  idOf,
  isMine,
  listPath,
  putOrder,
  tagOf,
  typeOf,
  type WholeList,
} from "./server";

const settleMs = 700;

const nameOf = (entry: Entry | undefined) => entry?.content?.title ?? "A title that is gone";

function NoteForm({ id, entry, onEnd }: { id: string; entry: Entry; onEnd: () => void }) {
  const { state, onSubmit } = useForm(async (data) => {
    const text = String(data.get("curatorNote") ?? "").trim();
    try {
      await changeEntry(id, entry, text || null);
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 412) throw error;
      touch();
      throw new Error(
        "this note was changed elsewhere meanwhile; copy your text, close this and open it again",
      );
    }
    touch();
    onEnd();
  });
  return (
    <form class="form" onSubmit={onSubmit} noValidate>
      <AreaField
        label={`Why ${nameOf(entry)}?`}
        name="curatorNote"
        rows={3}
        state={state.value}
        defaultValue={entry.curatorNote ?? ""}
        hint="**bold**, *italic*, lists"
      />
      <FormProblem state={state.value} />
      <div class="form-end">
        <button type="button" onClick={onEnd}>
          Cancel
        </button>
        <SubmitButton state={state.value}>Save note</SubmitButton>
      </div>
    </form>
  );
}

interface RowProps {
  id: string;
  entry: Entry;
  place: number;
  last: number;
  isOpen: boolean;
  onOpen: () => void;
  onStep: (to: number) => void;
  mark: "" | "is-dragged" | "drop-before" | "drop-after";
  grab: object;
  onKey: (event: KeyboardEvent) => void;
}

function Row(props: RowProps) {
  const { id, entry, place, last, mark, grab, onKey, onStep } = props;
  const isEditing = useSignal(false);
  const name = nameOf(entry);
  return (
    <li class={`edit-row ${mark}`} data-key={keyOf(entry)}>
      <button
        type="button"
        class="grip quiet icon-only"
        id={`grip-${keyOf(entry)}`}
        aria-label={`Move ${name}, place ${place}`}
        aria-describedby="how-to-move"
        aria-expanded={props.isOpen}
        title="Drag, press, or use the arrow keys"
        onClick={props.onOpen}
        {...grab}
        onKeyDown={onKey}
      >
        <Icon name="grip" />
      </button>
      <span class="entry-place" aria-hidden="true">
        {place}
      </span>
      <Thumb title={name} genres={entry.content?.genres} />
      <div class="edit-body">
        <p class="edit-title">
          <strong>{name}</strong>
          {entry.content && <small>{factsText(entry.content)}</small>}
        </p>
        {isEditing.value ? (
          <NoteForm id={id} entry={entry} onEnd={() => (isEditing.value = false)} />
        ) : (
          entry.curatorNote && (
            <div class="entry-note">
              <Markdown text={entry.curatorNote} />
            </div>
          )
        )}
      </div>
      {!isEditing.value && (
        <span class="edit-tools">
          <button
            type="button"
            class="small"
            aria-label={`${entry.curatorNote ? "Note" : "Add a note"} on ${name}`}
            onClick={() => (isEditing.value = true)}
          >
            {entry.curatorNote ? "Note" : "Add a note"}
          </button>
          <button
            type="button"
            class="quiet icon-only small"
            aria-label={`Remove ${name} from the list`}
            title="Remove"
            onClick={() =>
              removeSoon(entryPath(id, entry), tagOf(entry), `${name} is out of the list`)
            }
          >
            <Icon name="trash" />
          </button>
        </span>
      )}
      {props.isOpen && (
        <span class="row tight move-tools" role="group" aria-label={`Where to move ${name}`}>
          {(
            [
              ["To the top", 1],
              ["Up", place - 1],
              ["Down", place + 1],
              ["To the end", last],
            ] as const
          ).map(([label, to]) => (
            <button
              key={label}
              type="button"
              class="small"
              disabled={to < 1 || to > last || to === place}
              onClick={() => onStep(to - 1)}
            >
              {label}
            </button>
          ))}
        </span>
      )}
    </li>
  );
}

/** Two orders, because both changed. */
function OrderConflict({
  mine,
  theirs,
  onMine,
  onTheirs,
}: {
  mine: Entry[];
  theirs: Entry[];
  onMine: () => void;
  onTheirs: () => void;
}) {
  const column = (title: string, entries: Entry[]) => (
    <div>
      <h3>{title}</h3>
      <ol class="plain-order">
        {entries.map((entry) => (
          <li key={keyOf(entry)}>{nameOf(entry)}</li>
        ))}
      </ol>
    </div>
  );
  return (
    <section class="card stack" aria-labelledby="order-conflict">
      <h2 id="order-conflict">The order was changed elsewhere</h2>
      <p role="alert">Yours is not saved yet. Which one shall it be?</p>
      <div class="two-orders">
        {column("Yours", mine)}
        {column("The list now", theirs)}
      </div>
      <div class="form-end">
        <button type="button" onClick={onTheirs}>
          Keep the list's
        </button>
        <button type="button" class="primary" onClick={onMine}>
          Save mine
        </button>
      </div>
    </section>
  );
}

function Order({ list }: { list: WholeList }) {
  const id = list.watchlistId;
  // The order that is wanted, until the server has it.
  const wanted = useSignal<string[] | null>(null);
  const drag = useSignal<{ from: number; to: number } | null>(null);
  const said = useSignal("");
  // Whose dots were pressed.
  const open = useSignal<string | null>(null);
  const conflict = useSignal<{ current: WholeList; keys: string[] } | null>(null);
  const timer = useRef(0);
  const place = useRef<HTMLOListElement>(null);
  const isSaving = useRef(false);

  const all = wanted.value ? inOrder(list.items, wanted.value) : list.items;
  // What is about to go is in the server's order still.
  const shown = all.filter((entry) => !leaving.value.has(entryPath(id, entry)));
  useEffect(() => {
    if (!isSaving.current && !timer.current && !conflict.peek()) wanted.value = null;
  }, [list]);

  const write = async (from: WholeList, keys: string[]) => {
    await putOrder(from, inOrder(from.items, keys));
    touch();
  };
  // `base` is the list as it was when the move began: what has come since is not overwritten.
  const save = async (base: WholeList, keys: string[], key: string) => {
    const before = base.items.map(keyOf);
    isSaving.current = true;
    await attempt(async () => {
      try {
        await write(base, keys);
      } catch (error) {
        if (!(error instanceof Problem) || (error.status !== 412 && error.status !== 422))
          throw error;
        const current = await getList(id);
        const now = current.items.map(keyOf);
        // Only a word of it has changed, or a title has come or gone.
        const both = (of: string[]) => of.filter((it) => before.includes(it) && now.includes(it));
        if (isSame(both(now), both(before))) await write(current, keys);
        else {
          conflict.value = { current, keys };
          return;
        }
      }
      const name = nameOf(list.items.find((entry) => keyOf(entry) === key));
      done(`${name} is at place ${keys.indexOf(key) + 1} now`, async () => {
        await write(await getList(id), before);
      });
    });
    isSaving.current = false;
    if (!conflict.value) touch();
  };

  /** Puts what is shown at `from` where `to` is. */
  const move = (from: number, to: number): string | undefined => {
    const entry = shown[from];
    const target = shown[to];
    if (!entry || !target || from === to) return undefined;
    const keys = all.map(keyOf);
    const key = keyOf(entry);
    wanted.value = moved(keys, keys.indexOf(key), keys.indexOf(keyOf(target)));
    said.value = `${nameOf(entry)}, place ${to + 1} of ${shown.length}`;
    return key;
  };

  const base = useRef(list);
  /** One step of several: saved when there has been none for a moment. */
  const step = (from: number, to: number) => {
    if (to < 0 || to >= shown.length) return;
    if (!timer.current) base.current = list;
    const key = move(from, to);
    if (!key) return;
    // Its row is another place's now.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) document.getElementById(`grip-${key}`)?.focus();
    });
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => {
      timer.current = 0;
      if (wanted.value && !isSame(wanted.value, base.current.items.map(keyOf)))
        void save(base.current, wanted.value, key);
    }, settleMs);
  };
  const onKey = (from: number) => (event: KeyboardEvent) => {
    const last = shown.length - 1;
    const to = { ArrowUp: from - 1, ArrowDown: from + 1, Home: 0, End: last }[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    step(from, to);
  };

  const grab = (from: number) =>
    dragProps(
      {
        onStart: () => (drag.value = { from, to: from }),
        onMove: (_, y) => {
          const rows = [...(place.current?.children ?? [])];
          const below = rows.findIndex((row) => {
            const box = row.getBoundingClientRect();
            return y < box.top + box.height / 2;
          });
          const gap = below < 0 ? rows.length : below;
          const to = gap > from ? gap - 1 : gap;
          if (drag.value?.to !== to) drag.value = { from, to };
        },
        onEnd: (isDropped) => {
          const to = drag.value?.to ?? from;
          drag.value = null;
          const key = isDropped ? move(from, to) : undefined;
          if (key && wanted.value) void save(list, wanted.value, key);
        },
      },
      true,
    );

  const markOf = (i: number): RowProps["mark"] => {
    if (!drag.value) return "";
    const { from, to } = drag.value;
    if (i === from) return "is-dragged";
    if (i !== to) return "";
    return to > from ? "drop-after" : "drop-before";
  };

  if (conflict.value) {
    const { current, keys } = conflict.value;
    const end = () => {
      conflict.value = null;
      wanted.value = null;
      touch();
    };
    return (
      <OrderConflict
        mine={inOrder(current.items, keys)}
        theirs={current.items}
        onTheirs={end}
        onMine={() =>
          void attempt(async () => {
            await write(await getList(id), keys);
            done("Your order is saved");
            end();
          })
        }
      />
    );
  }
  return (
    <>
      <p class="hint" id="how-to-move">
        Drag a title by its dots, press them to be asked where to, or choose them and use the arrow
        keys, Home or End.
      </p>
      {shown.length === 0 && (
        <Empty title="No titles yet">
          <p>Find the first one above. Then say why it is here.</p>
        </Empty>
      )}
      <ol class={`edit-rows ${drag.value ? "is-dragging" : ""}`} ref={place} aria-label="Titles">
        {shown.map((entry, i) => (
          <Row
            key={keyOf(entry)}
            id={id}
            entry={entry}
            place={i + 1}
            last={shown.length}
            isOpen={open.value === keyOf(entry)}
            onOpen={() => (open.value = open.value === keyOf(entry) ? null : keyOf(entry))}
            onStep={(to) => step(i, to)}
            mark={markOf(i)}
            grab={grab(i)}
            onKey={onKey(i)}
          />
        ))}
      </ol>
      <p class="visually-hidden" role="status">
        {said.value}
      </p>
    </>
  );
}

export function EditorPage({ id }: { id: string }) {
  const { data, error, reload } = useLoad((signal) => getList(id, signal), [id, changed.value]);
  if (leaving.value.has(listPath(id)) || (error instanceof Problem && error.status === 404))
    return <Gone what="list" />;
  if (error !== undefined) return <ProblemBox error={error} onRetry={reload} />;
  if (!data) return <Loading what="Opening the list" />;
  if (!isMine(data)) {
    return (
      <Empty isPage title="This list is another curator's">
        <Link class="button" href={listHref(id)}>
          Read it
        </Link>
      </Empty>
    );
  }
  const isThere = (entry: Entry) => !leaving.value.has(entryPath(id, entry));
  const names = new Set(data.items.filter(isThere).map(keyOf));
  const remove = () => {
    removeSoon(listPath(id), tagOf(data), `${data.title} is deleted`);
    navigate("/watch/mine");
  };
  return (
    <>
      <PageTitle title={`Edit ${data.title}`} line={manyText(data.itemCount, "title")}>
        <Link class="button" href={listHref(id)}>
          See the list
        </Link>
        <button type="button" class="danger" onClick={remove}>
          <Icon name="trash" /> Delete
        </button>
      </PageTitle>
      <div class="editor-body">
        <section class="stack" aria-labelledby="titles">
          <h2 id="titles">Titles</h2>
          <TitleFinder
            label="Add a film or series"
            has={(title) => names.has(`${typeOf(title)}/${idOf(title)}`)}
            onPick={async (title) => {
              const path = entryPath(id, { contentType: typeOf(title), contentId: idOf(title) });
              const isLeaving = leaving.value.has(path);
              keep(path);
              await attempt(async () => {
                if (!isLeaving) await addEntry(id, typeOf(title), idOf(title));
                done(`${title.title} is in the list`);
              });
              touch();
            }}
            addHref={(words) =>
              `/watch/add?list=${encodeURIComponent(id)}&title=${encodeURIComponent(words)}`
            }
          />
          <Order list={data} />
        </section>
        <section class="stack" aria-labelledby="details">
          <h2 id="details">About the list</h2>
          <PictureEditor
            title={data.title}
            address={data.coverImageUrl}
            path={listPath(data.watchlistId)}
            etag={tagOf(data)}
            onChanged={() => touch()}
          />
          <ListDetails list={data} />
        </section>
      </div>
    </>
  );
}
