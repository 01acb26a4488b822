// Deleting takes along what belongs to it, and no server brings it back. So what is deleted
// goes out of sight at once, and from the server only when nobody can ask for it back any more.

import { effect, signal } from "@preact/signals";
import { request, user } from "./api";
import { remember, remembered } from "./theme";
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

// Whoever closes the page has decided. Browsers may give up what such a page asks for, so the next
// one asks once more; what is gone by then is gone.
addEventListener("pagehide", () => {
  const left = [...all].map(([path, { etag }]) => ({ path, etag }));
  if (left.length === 0) return;
  remember("leaving", JSON.stringify({ sub: user.value?.sub, left }));
  for (const path of all.keys()) void leave(path);
});

async function finish(path: string, etag: string): Promise<void> {
  all.set(path, { etag, timer: 0 });
  await request("DELETE", path, { ifMatch: etag }).catch(() => {
    all.delete(path);
    show();
  });
}

effect(() => {
  const sub = user.value?.sub;
  const text = remembered("leaving");
  if (!sub || !text) return;
  remember("leaving", null);
  const kept = JSON.parse(text) as { sub?: string; left: { path: string; etag: string }[] };
  if (kept.sub !== sub) return;
  void Promise.all(kept.left.map(({ path, etag }) => finish(path, etag))).then(touch);
  show();
});
