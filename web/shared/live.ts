// Keeps open pages current.

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { live, signIns, user } from "./api";

/** Rises when something may have changed; what is shown is read again. */
export const changed = signal(0);
export const touch = () => void (changed.value += 1);

const quietMs = 300;

/** Follows the events at `path` while somebody is signed in. */
export function useLive(path: string): void {
  const sub = user.value?.sub;
  const isOpened = useRef(false);
  useEffect(() => {
    if (!sub) return;
    const controller = new AbortController();
    let timer = 0;
    // One reading for many changes at once.
    const soon = () => {
      clearTimeout(timer);
      timer = window.setTimeout(touch, quietMs);
    };
    // Whatever happened before a stream was opened again, it does not tell.
    const onEvent = ({ type }: { type: string }) => {
      if (type !== "ready" || isOpened.current) soon();
      isOpened.current = true;
    };
    void live(path, onEvent, controller.signal).catch(() => undefined);
    const onShown = () => {
      if (document.visibilityState === "visible") soon();
    };
    document.addEventListener("visibilitychange", onShown);
    return () => {
      clearTimeout(timer);
      controller.abort();
      document.removeEventListener("visibilitychange", onShown);
    };
  }, [sub, path, signIns.value]);
}
