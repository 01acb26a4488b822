// Deleting takes along what belongs to it, and no server brings it back. So what is deleted
// goes out of sight at once, and from the server only when nobody can ask for it back any more.

import { effect, signal } from "@preact/signals";
import { request, user } from "./api";
import { remember, remembered } from "./theme";
import { done, failed } from "./toast";
import { touch } from "./live";

interface Leaving {
  /** The version that was seen. */
  etag: string;
  hideMessage?: () => void;
}

// By then what is shown has been read again.
const readMs = 2000;
const all = new Map<string, Leaving>();

/** The addresses of what is out of sight. */
export const leaving = signal<ReadonlySet<string>>(new Set());
const show = () => void (leaving.value = new Set(all.keys()));

/** In sight again, and not deleted if it still is there: for who puts it back themselves. */
export function keep(path: string): void {
  all.get(path)?.hideMessage?.();
  if (all.delete(path)) show();
}

async function leave(path: string, ifMatch: string): Promise<void> {
  try {
    await request("DELETE", path, { ifMatch, keepalive: true });
    // What comes to the same address later is something else.
    setTimeout(() => keep(path), readMs);
  } catch (error) {
    failed(error);
    keep(path);
  }
  touch();
}

/** Out of sight now, deleted when the message with the way back is gone. */
export function removeSoon(path: string, etag: string, text: string): void {
  const hideMessage = done(
    text,
    () => keep(path),
    () => void leave(path, etag),
  );
  all.set(path, { etag, hideMessage });
  show();
}

// Whoever closes the page has decided. Browsers may give up what such a page asks for, so the next
// one asks once more; what is gone by then is gone.
addEventListener("pagehide", () => {
  const left = [...all].map(([path, { etag }]) => ({ path, etag }));
  if (left.length === 0) return;
  remember("leaving", JSON.stringify({ sub: user.value?.sub, left }));
  for (const { path, etag } of left) void leave(path, etag);
});

async function finish(path: string, etag: string): Promise<void> {
  all.set(path, { etag });
  await request("DELETE", path, { ifMatch: etag }).catch(() => undefined);
  setTimeout(() => keep(path), readMs);
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
