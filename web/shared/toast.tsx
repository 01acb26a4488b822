// Short messages about what was done or went wrong, with a way back for five seconds.

import { signal } from "@preact/signals";
import { sentenceOf } from "./api";

interface Toast {
  id: number;
  text: string;
  kind: "done" | "problem";
  undo?: () => unknown;
}

const shownMs = { done: 5000, problem: 12_000 };
const toasts = signal<Toast[]>([]);
const timers = new Map<number, number>();
let lastId = 0;

function hide(id: number): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

function startTimer(toast: Toast): void {
  timers.set(
    toast.id,
    window.setTimeout(() => hide(toast.id), shownMs[toast.kind]),
  );
}

function show(toast: Omit<Toast, "id">): void {
  const added = { ...toast, id: (lastId += 1) };
  toasts.value = [...toasts.value.slice(-3), added];
  startTimer(added);
}

export const done = (text: string, undo?: () => unknown) => show({ text, kind: "done", undo });
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
  return (
    <div class="toasts" role="status" aria-live="polite" onMouseEnter={hold} onMouseLeave={release}>
      {toasts.value.map((toast) => (
        <div key={toast.id} class={`toast toast-${toast.kind}`}>
          <span>{toast.text}</span>
          {toast.undo && (
            <button
              type="button"
              onClick={() => {
                hide(toast.id);
                void attempt(async () => toast.undo?.());
              }}
            >
              Undo
            </button>
          )}
          <button type="button" aria-label="Dismiss" onClick={() => hide(toast.id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  );
}
