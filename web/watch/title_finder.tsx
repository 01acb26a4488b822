import { useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { useShortcut } from "../shared/keys";
import { Link } from "../shared/router";
import { Thumb } from "./art";
import { factsText, kindText } from "./pieces";
import { idOf, search, type Title, typeOf } from "./server";

const quietMs = 120;
const foundMax = 8;

// The role needs no <datalist>, whatever the types of its element say.
const combobox: object = { role: "combobox" };

interface FinderProps {
  label: string;
  /** Whether it is there already. */
  has: (title: Title) => boolean;
  onPick: (title: Title) => Promise<void>;
  /** Where a title is added that nobody has added yet. */
  addHref: (words: string) => string;
}

/** Films and series that fit some words; the one that is chosen is picked. */
export function TitleFinder({ label, has, onPick, addHref }: FinderProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const text = useSignal("");
  const found = useSignal<Title[] | undefined>(undefined);
  const chosen = useSignal(0);
  useShortcut("a", "Add a title", () => input.current?.focus());
  useEffect(() => {
    const words = text.value.trim();
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      if (!words) {
        found.value = undefined;
        return;
      }
      try {
        const { items } = await search(words, undefined, 20, controller.signal);
        if (controller.signal.aborted) return;
        found.value = items
          .filter((hit) => hit.type === "movie" || hit.type === "show")
          .map((hit) => hit.item as Title)
          .slice(0, foundMax);
        chosen.value = 0;
      } catch {
        if (!controller.signal.aborted) found.value = [];
      }
    }, quietMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text.value]);

  const pick = async (title: Title | undefined) => {
    if (!title || has(title)) return;
    text.value = "";
    found.value = undefined;
    await onPick(title);
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const count = found.value?.length ?? 0;
    if (event.key === "ArrowDown" && count > 0) chosen.value = (chosen.value + 1) % count;
    else if (event.key === "ArrowUp" && count > 0)
      chosen.value = (chosen.value + count - 1) % count;
    else if (event.key === "Enter") void pick(found.value?.[chosen.value]);
    else if (event.key === "Escape") text.value = "";
    else return;
    event.preventDefault();
  };
  const isShown = (found.value?.length ?? 0) > 0;
  return (
    <div class="finder">
      <label class="label" for={`${id}-words`}>
        {label}
      </label>
      <input
        id={`${id}-words`}
        ref={input}
        type="search"
        {...combobox}
        aria-expanded={isShown}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={isShown ? `${id}-${chosen.value}` : undefined}
        placeholder="Title, director, actor …"
        autocomplete="off"
        maxLength={400}
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div class="finder-drop" hidden={!found.value || !text.value.trim()}>
        <ul id={id} role="listbox" aria-label="Titles that fit" hidden={!isShown}>
          {found.value?.map((title, i) => (
            <li
              key={typeOf(title) + idOf(title)}
              id={`${id}-${i}`}
              role="option"
              aria-selected={i === chosen.value}
              aria-disabled={has(title)}
              onMouseDown={(event) => {
                event.preventDefault();
                void pick(title);
              }}
            >
              <Thumb title={title.title} genres={title.genres} />
              <span>
                <strong>{title.title}</strong>
                <small>
                  {[kindText(typeOf(title)), factsText(title)].filter(Boolean).join(" · ")}
                </small>
              </span>
              <small class="finder-do">{has(title) ? "in the list" : "Add"}</small>
            </li>
          ))}
        </ul>
        {found.value && text.value.trim() && (
          <p class="hint" role="status">
            {isShown ? "Not what you look for? " : "Nobody has added that yet. "}
            <Link href={addHref(text.value.trim())}>Add it to the catalogue</Link>
          </p>
        )}
      </div>
    </div>
  );
}
