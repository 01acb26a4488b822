// Keyboard shortcuts: single keys and two in a row ("g t"), listed by the help.

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Dialog } from "./dialog";

interface Shortcut {
  keys: string;
  meaning: string;
  run: { current: () => void };
}

// Those of what is shown now; the latest wins.
let shortcuts: Shortcut[] = [];
export const isHelpOpen = signal(false);

export function useShortcut(keys: string, meaning: string, run: () => void): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    const shortcut = { keys, meaning, run: latest };
    shortcuts = [...shortcuts, shortcut];
    return () => {
      shortcuts = shortcuts.filter((other) => other !== shortcut);
    };
  }, [keys, meaning]);
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
    target.shadowRoot !== null);

let before = "";
let beforeAt = 0;

addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
  if (document.querySelector("dialog[open]")) return;
  if (isTyping(event.target)) {
    // Back from a field to where keys are shortcuts.
    const { tagName } = event.target as HTMLElement;
    if (event.key === "Escape" && !event.isComposing && /^(INPUT|TEXTAREA)$/.test(tagName))
      (event.target as HTMLElement).blur();
    return;
  }
  const pair = event.timeStamp - beforeAt < 1200 ? `${before} ${event.key}` : "";
  const found =
    shortcuts.findLast((shortcut) => shortcut.keys === pair) ??
    shortcuts.findLast((shortcut) => shortcut.keys === event.key);
  before = event.key;
  beforeAt = event.timeStamp;
  if (!found) return;
  event.preventDefault();
  found.run.current();
});

export function ShortcutHelp() {
  useShortcut("?", "Show these shortcuts", () => {
    isHelpOpen.value = true;
  });
  const seen = new Map(shortcuts.map((shortcut) => [shortcut.keys, shortcut]));
  return (
    <Dialog
      title="Keyboard shortcuts"
      isOpen={isHelpOpen.value}
      onClose={() => (isHelpOpen.value = false)}
    >
      <dl class="keys">
        {[...seen.values()].map((shortcut) => (
          <div key={shortcut.keys}>
            <dt>
              {shortcut.keys.split(" ").map((key) => (
                <kbd>{key}</kbd>
              ))}
            </dt>
            <dd>{shortcut.meaning}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>Esc</kbd>
          </dt>
          <dd>Close what is open, leave a field</dd>
        </div>
      </dl>
    </Dialog>
  );
}
