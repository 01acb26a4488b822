// What is being written is kept in this browser until it is sent, so that nothing gets lost.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { user } from "../shared/api";
import { remember, remembered } from "../shared/theme";

const quietMs = 600;

export type Texts = Record<string, string>;
interface Kept {
  at: string;
  texts: Texts;
}

function keptAt(key: string): Kept | undefined {
  try {
    const found = JSON.parse(remembered(key) ?? "null") as Kept | null;
    return found && typeof found.texts === "object" ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Texts of one form, with what was typed into it last time. */
export function useDraft(name: string, first: Texts) {
  const key = `stories.draft.${user.value?.sub ?? ""}.${name}`;
  const found = useRef(keptAt(key));
  const texts = useSignal<Texts>({ ...first, ...found.current?.texts });
  const savedAt = useSignal<string | undefined>(found.current?.at);
  const isFound = useSignal(found.current !== undefined);
  const isOver = useRef(false);
  const save = () => {
    if (isOver.current) return;
    const at = new Date().toISOString();
    // Only what was typed: the rest may be changed elsewhere meanwhile.
    const typed = Object.entries(texts.value).filter(([field, text]) => text !== first[field]);
    const text = typed.length > 0 ? JSON.stringify({ at, texts: Object.fromEntries(typed) }) : null;
    remember(key, text);
    savedAt.value = text !== null && remembered(key) === text ? at : undefined;
  };
  const timer = useRef(0);
  const set = (changes: Texts) => {
    texts.value = { ...texts.value, ...changes };
    clearTimeout(timer.current);
    timer.current = window.setTimeout(save, quietMs);
  };
  const forget = () => {
    isOver.current = true;
    clearTimeout(timer.current);
    remember(key, null);
  };
  // Whoever leaves before the pause is over has typed it all the same.
  useEffect(() => {
    const flush = () => {
      if (timer.current) save();
    };
    addEventListener("pagehide", flush);
    return () => {
      removeEventListener("pagehide", flush);
      clearTimeout(timer.current);
      flush();
    };
  }, []);
  return {
    texts,
    set,
    save,
    savedAt,
    isFound,
    /** It was sent: there is nothing to keep. */
    forget,
    /** Back to how it began. */
    startOver: () => {
      clearTimeout(timer.current);
      timer.current = 0;
      remember(key, null);
      texts.value = first;
      savedAt.value = undefined;
      isFound.value = false;
    },
  };
}

export type Draft = ReturnType<typeof useDraft>;
