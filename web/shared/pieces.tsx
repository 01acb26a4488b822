// Small pieces of pages: headings, empty places, what is being loaded, what went wrong.

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { recovered, sentenceOf } from "./api";

export function PageTitle({
  title,
  line,
  children,
}: {
  title: string;
  line?: ComponentChildren;
  children?: ComponentChildren;
}) {
  useEffect(() => {
    document.title = `${title} · Trestle`;
  }, [title]);
  return (
    <div class="page-title">
      <div>
        <h1>{title}</h1>
        {line && <p>{line}</p>}
      </div>
      {children && <div class="page-actions">{children}</div>}
    </div>
  );
}

interface EmptyProps {
  title: string;
  /** It stands for the whole page, which then has its name. */
  isPage?: boolean;
  children?: ComponentChildren;
}

/** What a place without content is for, and how to fill it. */
export function Empty({ title, isPage, children }: EmptyProps) {
  useEffect(() => {
    if (isPage) document.title = `${title} · Trestle`;
  }, [title, isPage]);
  return (
    <div class="empty">
      <svg viewBox="0 0 96 48" aria-hidden="true" focusable="false">
        <path d="M6 12h84M22 12l-9 30M74 12l9 30M34 12l10 30M62 12l-10 30M18 27h60" />
      </svg>
      {isPage ? <h1>{title}</h1> : <h2>{title}</h2>}
      {children}
    </div>
  );
}

export function Loading({ what = "Loading" }: { what?: string }) {
  return (
    <p class="loading" role="status">
      {what}…
    </p>
  );
}

export function ProblemBox({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  return (
    <div class="problem" role="alert">
      <p>{sentenceOf(error)}</p>
      {onRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

export interface Loaded<T> {
  data?: T;
  error?: unknown;
  isLoading: boolean;
  reload: () => void;
}

/**
 * Reads something when `keys` change, and when the server is back; a new reading ends the one
 * before.
 */
export function useLoad<T>(read: (signal: AbortSignal) => Promise<T>, keys: unknown[]): Loaded<T> {
  const state = useSignal<{ data?: T; error?: unknown; isLoading: boolean }>({ isLoading: true });
  const turn = useSignal(0);
  useEffect(() => {
    const controller = new AbortController();
    state.value = { data: state.peek().data, isLoading: true };
    read(controller.signal).then(
      (data) => {
        if (!controller.signal.aborted) state.value = { data, isLoading: false };
      },
      (error: unknown) => {
        if (!controller.signal.aborted) state.value = { error, isLoading: false };
      },
    );
    return () => controller.abort();
  }, [...keys, turn.value, recovered.value]);
  return { ...state.value, reload: () => (turn.value += 1) };
}

/** Copies a text and says so on the button. */
export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  const isDone = useSignal(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    isDone.value = true;
    setTimeout(() => (isDone.value = false), 1500);
  };
  return (
    <button type="button" class="small" onClick={() => void copy()}>
      {isDone.value ? "Copied" : label}
    </button>
  );
}

const units = ["B", "KB", "MB", "GB", "TB"];

export function bytesText(bytes: number): string {
  let unit = 0;
  let count = bytes;
  while (count >= 1000 && unit < units.length - 1) {
    count /= 1024;
    unit += 1;
  }
  return `${unit === 0 || count >= 100 ? Math.round(count) : count.toFixed(1)} ${units[unit]}`;
}

export const countText = (count: number) => count.toLocaleString("en");
export const manyText = (count: number, one: string, many = `${one}s`) =>
  `${countText(count)} ${count === 1 ? one : many}`;

/** A thing without a picture has a colour of its own, the same everywhere. */
export function hueOf(name: string): string {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 100_003;
  return `hue hue-${sum % 12}`;
}

export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div class="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
