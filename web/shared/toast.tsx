// Short messages about what was done or went wrong, with a way back for five seconds.

import { signal } from "@preact/signals";
import { sentenceOf } from "./api";
import { useShortcut } from "./keys";

interface Toast {
  id: number;
  text: string;
  kind: "done" | "problem";
  undo?: () => unknown;
  /** It is out of sight, and with it the way back. */
  onGone?: () => unknown;
}

const shownMs = { done: 5000, problem: 12_000 };
const toastsMax = 4;
const toasts = signal<Toast[]>([]);
const timers = new Map<number, number>();
let lastId = 0;

function hide({ id }: Toast): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

function end(toast: Toast): void {
  hide(toast);
  toast.onGone?.();
}

function startTimer(toast: Toast): void {
  clearTimeout(timers.get(toast.id));
  timers.set(
    toast.id,
    window.setTimeout(() => end(toast), shownMs[toast.kind]),
  );
}

function undo(toast: Toast): void {
  hide(toast);
  void attempt(async () => toast.undo?.());
}

/** -> takes the message away. */
function show(toast: Omit<Toast, "id">): () => void {
  const added = { ...toast, id: (lastId += 1) };
  for (const old of toasts.value.slice(0, 1 - toastsMax)) end(old);
  toasts.value = [...toasts.value, added];
  startTimer(added);
  return () => hide(added);
}

export const done = (text: string, undo?: () => unknown, onGone?: () => unknown) =>
  show({ text, kind: "done", undo, onGone });
export const failed = (error: unknown) => show({ text: sentenceOf(error), kind: "problem" });

/** Runs an action and says what went wrong, if something did. */
export async function attempt<T>(action: () => Promise<T>): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    failed(error);
    return undefined;
  }
}

export function Toasts() {
  const hold = () => timers.forEach((timer) => clearTimeout(timer));
  const release = () => toasts.value.forEach(startTimer);
  useShortcut("z", "Undo what was done last", () => {
    const last = toasts.value.findLast((toast) => toast.undo);
    if (last) undo(last);
  });
  return (
    <div
      class="toasts"
      role="status"
      aria-live="polite"
      onMouseEnter={hold}
      onMouseLeave={release}
      onFocusIn={hold}
      onFocusOut={release}
    >
      {toasts.value.map((toast) => (
        <div key={toast.id} class={`toast toast-${toast.kind}`}>
          <span>{toast.text}</span>
          {toast.undo && (
            <button type="button" onClick={() => undo(toast)}>
              Undo
            </button>
          )}
          <button type="button" aria-label="Dismiss" onClick={() => end(toast)}>
            ×
          </button>
        </div>
      ))}
    </div>
  );
}
