import { useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { Icon } from "./icons";
import { useShortcut } from "./keys";
import { navigate } from "./router";

export interface Suggestion {
  href: string;
  label: string;
  detail?: string;
}

/** What fits a text; a new question ends the one before. */
export type Suggest = (text: string, signal: AbortSignal) => Promise<Suggestion[]>;

const quietMs = 120;

// The role needs no <datalist>, whatever the types of its element say.
const combobox: object = { role: "combobox" };

export function SearchBox({ suggest, label }: { suggest: Suggest; label: string }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const text = useSignal("");
  const found = useSignal<Suggestion[]>([]);
  const chosen = useSignal(-1);
  const isOpen = useSignal(false);
  useShortcut("/", "Search", () => input.current?.focus());

  useEffect(() => {
    const asked = text.value.trim();
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const suggestions = await suggest(asked, controller.signal);
        if (controller.signal.aborted) return;
        found.value = suggestions.slice(0, 10);
        chosen.value = -1;
      } catch {
        found.value = [];
      }
    }, quietMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text.value]);

  const go = (suggestion: Suggestion | undefined) => {
    if (!suggestion) return;
    isOpen.value = false;
    text.value = "";
    input.current?.blur();
    navigate(suggestion.href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const count = found.value.length;
    if (event.key === "ArrowDown" && count > 0) chosen.value = (chosen.value + 1) % count;
    else if (event.key === "ArrowUp" && count > 0)
      chosen.value = (chosen.value + count - 1) % count;
    else if (event.key === "Enter") go(found.value[Math.max(chosen.value, 0)]);
    else if (event.key === "Escape") {
      isOpen.value = false;
      input.current?.blur();
    } else return;
    event.preventDefault();
  };
  const isShown = isOpen.value && found.value.length > 0;
  return (
    <div class="search" role="search">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        {...combobox}
        aria-label={label}
        aria-expanded={isShown}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={isShown && chosen.value >= 0 ? `${id}-${chosen.value}` : undefined}
        placeholder={`${label}  /`}
        autocomplete="off"
        spellcheck={false}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          isOpen.value = true;
        }}
        onFocus={() => (isOpen.value = true)}
        onBlur={() => (isOpen.value = false)}
        onKeyDown={onKeyDown}
      />
      <ul id={id} role="listbox" aria-label={label} hidden={!isShown}>
        {found.value.map((suggestion, i) => (
          <li
            key={suggestion.href}
            id={`${id}-${i}`}
            role="option"
            aria-selected={i === chosen.value}
            onMouseDown={(event) => {
              event.preventDefault();
              go(suggestion);
            }}
          >
            <span>{suggestion.label}</span>
            {suggestion.detail && <small>{suggestion.detail}</small>}
          </li>
        ))}
      </ul>
    </div>
  );
}
