// Deleting takes along what belongs to it, and no server brings it back. So what is deleted
// goes out of sight at once, and from the server only when nobody can ask for it back any more.

import { signal } from "@preact/signals";
import { request } from "./api";
import { done, failed } from "./toast";
import { touch } from "./live";

interface Leaving {
  timer: number;
  etag: string;
}

// Longer than the message with the way back can be seen, unless it is held.
const leaveMs = 9000;
const all = new Map<string, Leaving>();

/** The addresses of what is out of sight. */
export const leaving = signal<ReadonlySet<string>>(new Set());
const show = () => void (leaving.value = new Set(all.keys()));

async function leave(path: string): Promise<void> {
  const it = all.get(path);
  if (!it) return;
  clearTimeout(it.timer);
  all.set(path, { ...it, timer: 0 });
  try {
    await request("DELETE", path, { ifMatch: it.etag, keepalive: true });
  } catch (error) {
    failed(error);
    all.delete(path);
    show();
  }
  touch();
}

/** Out of sight now, deleted in a moment, with a way back between. */
export function removeSoon(path: string, etag: string, text: string): void {
  all.set(path, { etag, timer: window.setTimeout(() => void leave(path), leaveMs) });
  show();
  done(text, () => {
    const it = all.get(path);
    if (!it?.timer) throw new Error("it is too late, it is deleted");
    clearTimeout(it.timer);
    all.delete(path);
    show();
  });
}

// Whoever closes the page has decided.
addEventListener("pagehide", () => {
  for (const path of all.keys()) void leave(path);
});
