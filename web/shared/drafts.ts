// What was typed into a form and not saved, for as long as this tab is open.

import { user } from "./api";

const nameOf = (id: string) => `trestle.draft.${user.value?.sub ?? ""}.${id}`;

/** Keeps what differs from how the form began; nothing when nothing does. */
export function keepDraft<T extends Record<string, string>>(id: string, from: T, to: T): void {
  const changes = Object.entries(to).filter(([name, text]) => text !== from[name]);
  try {
    if (changes.length === 0) sessionStorage.removeItem(nameOf(id));
    else sessionStorage.setItem(nameOf(id), JSON.stringify(Object.fromEntries(changes)));
  } catch {
    // Storage can be switched off or full; then there is no draft.
  }
}

export function draftOf(id: string): Record<string, string> | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(nameOf(id)) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

export function dropDraft(id: string): void {
  try {
    sessionStorage.removeItem(nameOf(id));
  } catch {
    // As above.
  }
}
