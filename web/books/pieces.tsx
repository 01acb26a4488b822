// Small pieces of this app's screens.

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { FormState } from "../shared/form";
import { type Book, reader, type Status } from "./server";

export const statusNames: Record<Status, string> = {
  READING: "Reading",
  SHELF: "On the shelf",
  READ: "Read",
  WISHLIST: "Wishlist",
  PAUSED: "Paused",
  ABANDONED: "Abandoned",
};

export const zone = () => reader.value?.timeZone ?? "UTC";

const dateOptions = { day: "numeric", month: "short", year: "numeric" } as const;

/** "12 Jan 2026", in the reader's zone. */
export const dayText = (time: string) =>
  new Date(time).toLocaleDateString("en-GB", { ...dateOptions, timeZone: zone() });
/** Of a calendar date, which has no zone. */
export const dateText = (date: string) =>
  new Date(`${date}T00:00:00Z`).toLocaleDateString("en-GB", { ...dateOptions, timeZone: "UTC" });
export const timeText = (time: string) =>
  new Date(time).toLocaleTimeString("en-GB", {
    hour: "2-digit",
    minute: "2-digit",
    timeZone: zone(),
  });
/** "2026-01-12" */
export const dateOf = (time: number | string) =>
  new Date(time).toLocaleDateString("sv-SE", { timeZone: zone() });

// With as many digits as the currency has; the amount stays a text.
export function moneyText(amount: string, currency: string): string {
  const [whole = "", fraction = ""] = amount.split(".");
  const form = new Intl.NumberFormat("en", { style: "currency", currency });
  const digits = form.resolvedOptions().maximumFractionDigits ?? 0;
  const padded = fraction.padEnd(digits, "0");
  return `${whole}${padded ? `.${padded}` : ""} ${currency}`;
}

// A book without a picture has a colour of its own, the same everywhere.
export function hueOf(book: { title: string }): string {
  let sum = 0;
  for (const letter of book.title) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 100_003;
  return `hue hue-${sum % 12}`;
}

export const authorsText = (book: Book) => (book.authors ?? []).join(", ");

export function Ring({ percent, isLarge }: { percent?: number; isLarge?: boolean }) {
  const part = Math.min(100, Math.max(0, percent ?? 0));
  return (
    <span class={`ring ${isLarge ? "ring-large" : ""}`}>
      <svg viewBox="0 0 44 44" aria-hidden="true" focusable="false">
        <circle class="ring-whole" cx={22} cy={22} r={19} />
        {part > 0 && (
          <circle
            class="ring-part"
            cx={22}
            cy={22}
            r={19}
            pathLength={100}
            stroke-dasharray={`${part} 100`}
            transform="rotate(-90 22 22)"
          />
        )}
      </svg>
      <span class="ring-text">{percent === undefined ? "–" : `${Math.floor(part)}%`}</span>
    </span>
  );
}

const star = "M12 3.2l2.7 5.6 6.1.8-4.5 4.2 1.2 6-5.5-3-5.5 3 1.2-6L3.2 9.6l6.1-.8z";

export function Stars({ rating }: { rating: number }) {
  const id = useId();
  return (
    <span class="stars" role="img" aria-label={`${rating} of 5 stars`}>
      {[0, 1, 2, 3, 4].map((i) => {
        const part = Math.min(1, Math.max(0, rating - i));
        return (
          <svg key={i} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
            <clipPath id={`${id}-${i}`}>
              <rect x={0} y={0} width={24 * part} height={24} />
            </clipPath>
            <path class="star-empty" d={star} />
            <path class="star-full" d={star} clip-path={`url(#${id}-${i})`} />
          </svg>
        );
      })}
    </span>
  );
}

export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div class="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface AreaProps {
  label: string;
  name: string;
  state: FormState;
  hint?: string;
  rows?: number;
  defaultValue?: string;
  required?: boolean;
  onInput?: (value: string) => void;
}

export function AreaField({ label, name, state, hint, onInput, ...rest }: AreaProps) {
  const id = useId();
  const error = state.fields[name];
  const said = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        name={name}
        {...rest}
        onInput={onInput && ((event) => onInput(event.currentTarget.value))}
        aria-invalid={error ? true : undefined}
        aria-describedby={said || undefined}
      />
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}
