// The order of a list while it is being changed.

import type { Entry } from "./server";

export const keyOf = (entry: Entry) => `${entry.contentType}/${entry.contentId}`;

/** `keys` with the one at `from` at the place `to`. */
export function moved(keys: string[], from: number, to: number): string[] {
  const next = [...keys];
  const [key] = next.splice(from, 1);
  if (key !== undefined) next.splice(Math.max(0, Math.min(to, next.length)), 0, key);
  return next;
}

/** The entries as `keys` order them; those that it does not name come last. */
export function inOrder(entries: Entry[], keys: string[]): Entry[] {
  const places = new Map(keys.map((key, i) => [key, i]));
  const placeOf = (entry: Entry) => places.get(keyOf(entry)) ?? keys.length;
  return [...entries].sort((a, b) => placeOf(a) - placeOf(b));
}

export const isSame = (a: string[], b: string[]) =>
  a.length === b.length && a.every((key, i) => key === b[i]);
