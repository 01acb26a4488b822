// What a library holds, from A to Z: things by themselves, collections as shelves with gaps, and a
// rail of letters beside it.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { ReadOn } from "../shared/read_on";
import { Icon } from "../shared/icons";
import { useShortcut } from "../shared/keys";
import { changed } from "../shared/live";
import { manyText, useLoad } from "../shared/pieces";
import { Link, query, setQuery } from "../shared/router";
import { attempt } from "../shared/toast";
import { Cover, hrefOf, LentChip, makersText, runsOf, runText } from "./pieces";
import {
  type Collection,
  collectionPath,
  type Contents,
  type Entry,
  isItemLeaving,
  isLeaving,
  type Item,
  type Shelf,
} from "./server";

interface Pages {
  items: Entry[];
  letters: string[];
  cursor?: string;
}

/** A list that is read as its end comes into sight, and read again when something changes. */
export function usePages(
  read: (cursor: string | undefined, signal?: AbortSignal) => Promise<Contents>,
  keys: string[],
) {
  const list = useSignal<Pages | undefined>(undefined);
  const isReading = useRef(false);
  const lastKeys = useRef("");
  const { error, reload } = useLoad(
    async (signal) => {
      const isSame = lastKeys.current === keys.join("\n");
      const wanted = isSame ? (list.peek()?.items.length ?? 0) : 0;
      lastKeys.current = keys.join("\n");
      let page = await read(undefined, signal);
      const items = [...page.items];
      const letters = page.letters ?? [];
      while (page.nextCursor && items.length < wanted) {
        page = await read(page.nextCursor, signal);
        items.push(...page.items);
      }
      if (!signal.aborted) list.value = { items, letters, cursor: page.nextCursor };
    },
    [...keys, changed.value],
  );
  const more = async (): Promise<void> => {
    const before = list.peek();
    if (isReading.current || !before?.cursor) return;
    isReading.current = true;
    await attempt(async () => {
      const page = await read(before.cursor);
      // Read anew meanwhile: what came behind the old one does not belong here.
      if (list.peek() !== before) return;
      const items = [...before.items, ...page.items];
      list.value = { items, letters: before.letters, cursor: page.nextCursor };
    });
    isReading.current = false;
  };
  return { list, error, reload, more };
}

const alike = new Intl.Collator("en", { sensitivity: "base" });
const nameOf = (entry: Entry) => (entry.type === "collection" ? entry.name : entry.title);

/** The entries under the letters that the server has for them. */
export function byLetter(
  entries: Entry[],
  letters: string[],
): { letter: string; entries: Entry[] }[] {
  const groups: { letter: string; entries: Entry[] }[] = [];
  for (const entry of entries) {
    const first = nameOf(entry).normalize("NFD").charAt(0);
    const letter =
      letters.find((it) => alike.compare(it, first) === 0) ??
      (letters.includes("#") ? "#" : (groups.at(-1)?.letter ?? letters[0] ?? "#"));
    const group = groups.find((it) => it.letter === letter);
    if (group) group.entries.push(entry);
    else groups.push({ letter, entries: [entry] });
  }
  return groups;
}

function Row({ item, showsLibrary }: { item: Item; showsLibrary?: boolean }) {
  return (
    <li class="item-row">
      <Link href={hrefOf.item(item)}>
        <Cover item={item} className="piece-small" />
        <span class="item-words">
          <span class="item-title">{item.title}</span>
          <span class="soft item-makers">{makersText(item)}</span>
          <span class="row item-chips">
            {showsLibrary && <span class="chip">{item.libraryName}</span>}
            <LentChip item={item} />
          </span>
        </span>
      </Link>
    </li>
  );
}

type Slot = { item: Item } | { gap: { from: number; to: number } };

/** Items and gaps in the order of their numbers. */
export function slotsOf(items: Item[], missing: number[]): Slot[] {
  const slots: Slot[] = [
    ...items.map((item) => ({ item })),
    ...runsOf(missing)
      // A long gap is one.
      .flatMap((run) =>
        run.to - run.from < 3
          ? Array.from({ length: run.to - run.from + 1 }, (_, i) => ({
              from: run.from + i,
              to: run.from + i,
            }))
          : [run],
      )
      .map((gap) => ({ gap })),
  ];
  const placeOf = (slot: Slot) => ("item" in slot ? (slot.item.order ?? 0) : slot.gap.from);
  return slots.sort((a, b) => placeOf(a) - placeOf(b));
}

interface ShelfBoardProps {
  collection: Collection;
  items: Item[];
  missing: number[];
  canAdd: boolean;
  rest?: number;
}

/** A board with what stands on it, and with room where something is missing. */
export function ShelfBoard({ collection, items, missing, canAdd, rest = 0 }: ShelfBoardProps) {
  const addHref = (order?: number) =>
    `/library/in/${collection.libraryId}/add?collection=${collection.id}` +
    (order === undefined ? "" : `&order=${order}`);
  const here = items.filter((it) => !isItemLeaving(it.libraryId, it.id));
  return (
    <ol class="board" aria-label={`${collection.name}, in order`}>
      {slotsOf(here, missing).map((slot) => {
        if ("item" in slot) {
          const { item } = slot;
          return (
            <li key={item.id} class={`slot ${item.lent ? "is-out" : ""}`}>
              <Link href={hrefOf.item(item)}>
                <span class="slot-order">{item.order}</span>
                <Cover item={item} makers={makersText(item)} />
                <span class="visually-hidden">{item.title}</span>
                <LentChip item={item} isShort />
              </Link>
            </li>
          );
        }
        const text = runText(slot.gap);
        return (
          <li key={`gap ${text}`} class="slot slot-gap">
            <span class="slot-order">{text}</span>
            {canAdd ? (
              <Link href={addHref(slot.gap.from)} aria-label={`${text} is missing: add it`}>
                <Icon name="plus" />
                missing
              </Link>
            ) : (
              <span class="gap-words">missing</span>
            )}
          </li>
        );
      })}
      {rest > 0 && (
        <li class="slot slot-gap">
          <span class="slot-order"> </span>
          <Link href={hrefOf.collection(collection)}>{rest} more</Link>
        </li>
      )}
      {here.length === 0 && rest === 0 && (
        <li class="slot slot-gap">
          <span class="slot-order">1</span>
          {canAdd ? <Link href={addHref()}>Add the first</Link> : <span>Nothing yet</span>}
        </li>
      )}
    </ol>
  );
}

function ShelfEntry({ shelf, canAdd, isAll }: { shelf: Shelf; canAdd: boolean; isAll: boolean }) {
  const shown = shelf.items.length;
  const last = shelf.itemsCursor ? (shelf.items.at(-1)?.order ?? 0) : Infinity;
  const missing = isAll ? shelf.missingOrders.filter((order) => order < last) : [];
  const gaps = shelf.missingOrders.length;
  return (
    <li class="shelf-entry">
      <div class="row spread">
        <h3>
          <Link href={hrefOf.collection(shelf)}>{shelf.name}</Link>
        </h3>
        <span class="soft">
          {gaps > 0
            ? `${shelf.itemCount} of ${shelf.itemCount + gaps}`
            : manyText(shelf.itemCount, "item")}
        </span>
      </div>
      <ShelfBoard
        collection={shelf}
        items={shelf.items}
        missing={missing}
        canAdd={canAdd}
        rest={shelf.itemsCursor && isAll ? shelf.itemCount - shown : shelf.itemsCursor ? 1 : 0}
      />
    </li>
  );
}

const placeOf = (letter: string) => `letter-${letter}`;

const headHeight = 170;

/** The letter of what is at the top of the window. */
function useLetterInSight(): string {
  const letter = useSignal("");
  useEffect(() => {
    let frame = 0;
    const look = () => {
      const passed = [...document.querySelectorAll<HTMLElement>(".letter")].filter(
        (section) => section.getBoundingClientRect().top <= headHeight,
      );
      letter.value = passed.at(-1)?.getAttribute("aria-label") ?? "";
    };
    const onScroll = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(look);
    };
    addEventListener("scroll", onScroll, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener("scroll", onScroll);
    };
  }, []);
  return letter.value;
}

function Rail({ letters, onGo }: { letters: string[]; onGo: (letter: string) => void }) {
  const inSight = useLetterInSight();
  const now = inSight || (query.value.get("letter") ?? "");
  return (
    <nav class="rail" aria-label="Letters">
      {letters.map((letter) => (
        <button
          key={letter}
          type="button"
          aria-current={letter === now ? "true" : undefined}
          aria-label={`Go to ${letter}`}
          onClick={() => onGo(letter)}
        >
          {letter}
        </button>
      ))}
    </nav>
  );
}

interface ContentsListProps {
  pages: ReturnType<typeof usePages>;
  canAdd: boolean;
  /** Whether nothing is left out. */
  isAll: boolean;
  showsLibrary?: boolean;
  isByLetter?: boolean;
}

// What stood in a collection that is deleted stands by itself.
const seenOf = (entry: Entry): Entry[] => {
  if (entry.type !== "collection") return isItemLeaving(entry.libraryId, entry.id) ? [] : [entry];
  return isLeaving(collectionPath(entry.libraryId, entry.id))
    ? entry.items.flatMap(seenOf)
    : [entry];
};

/** From one thing to the next with the keyboard alone. */
function useSteps(): void {
  const step = (by: number) => {
    const all = [...document.querySelectorAll<HTMLElement>(".item-row > a, .slot > a")];
    const at = all.indexOf(document.activeElement as HTMLElement);
    const next = all[at < 0 ? 0 : Math.min(Math.max(at + by, 0), all.length - 1)];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  };
  useShortcut("j", "The next thing", () => step(1));
  useShortcut("k", "The thing before", () => step(-1));
}

export function ContentsList(props: ContentsListProps) {
  const { pages, canAdd, isAll, showsLibrary, isByLetter = true } = props;
  const { list, more } = pages;
  useSteps();
  const isOpened = useRef(false);

  // A letter that is not read yet is read up to.
  const jump = async (letter: string) => {
    const has = () =>
      byLetter(list.peek()!.items, list.peek()!.letters).some((it) => it.letter === letter);
    while (!has() && list.peek()!.cursor) {
      const before = list.peek()!.cursor;
      await more();
      if (list.peek()!.cursor === before) break;
    }
    requestAnimationFrame(() => {
      const place = document.getElementById(placeOf(letter));
      place?.scrollIntoView({ block: "start" });
      place?.focus({ preventScroll: true });
    });
  };
  const isRead = list.value !== undefined;
  useEffect(() => {
    const letter = query.peek().get("letter");
    if (isRead && !isOpened.current && letter) void jump(letter);
    isOpened.current ||= isRead;
  }, [isRead]);

  if (!list.value) return null;
  const { items, letters } = list.value;
  const entries = items.flatMap(seenOf);
  const groups = isByLetter ? byLetter(entries, letters) : [{ letter: "", entries }];
  return (
    <div class={isByLetter && letters.length > 1 ? "contents has-rail" : "contents"}>
      {isByLetter && letters.length > 1 && (
        <Rail
          letters={letters}
          onGo={(letter) => {
            setQuery({ letter });
            void jump(letter);
          }}
        />
      )}
      <div class="stack contents-groups">
        {groups.map((group) => (
          <section key={group.letter} class="letter" aria-label={group.letter || "Newest first"}>
            {group.letter && (
              <h2 id={placeOf(group.letter)} tabIndex={-1}>
                {group.letter}
              </h2>
            )}
            <ul class="entries">
              {group.entries.map((entry) =>
                entry.type === "collection" ? (
                  <ShelfEntry key={entry.id} shelf={entry} canAdd={canAdd} isAll={isAll} />
                ) : (
                  <Row key={entry.id} item={entry} showsLibrary={showsLibrary} />
                ),
              )}
            </ul>
          </section>
        ))}
        <ReadOn cursor={list.value.cursor} read={more} />
      </div>
    </div>
  );
}

interface FilterBarProps {
  children?: preact.ComponentChildren;
}

const types = [
  { value: "", label: "All" },
  { value: "book", label: "Books" },
  { value: "video", label: "Videos" },
];
const states = [
  { value: "", label: "Anywhere" },
  { value: "false", label: "At home" },
  { value: "true", label: "Lent" },
];

export function Switch({
  label,
  options,
  value,
  onChoose,
}: {
  label: string;
  options: { value: string; label: string }[];
  value: string;
  onChoose: (value: string) => void;
}) {
  return (
    <span class="switch" role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChoose(option.value)}
        >
          {option.label}
        </button>
      ))}
    </span>
  );
}

/** What the address says is left out. */
export const filterOf = () => ({
  type: types.find((it) => it.value === query.value.get("type"))?.value ?? "",
  lent: states.find((it) => it.value === query.value.get("lent"))?.value ?? "",
});

export function FilterBar({ children }: FilterBarProps) {
  const { type, lent } = filterOf();
  return (
    <div class="filters">
      <Switch
        label="Kind"
        options={types}
        value={type}
        onChoose={(value) => setQuery({ type: value, letter: null })}
      />
      <Switch
        label="Where it is"
        options={states}
        value={lent}
        onChoose={(value) => setQuery({ lent: value, letter: null })}
      />
      {children}
    </div>
  );
}
