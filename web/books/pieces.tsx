// Small pieces of this app's screens.

import { useId } from "preact/hooks";
import type { Book, Status } from "./server";

export const statusNames: Record<Status, string> = {
  READING: "Reading",
  SHELF: "On the shelf",
  READ: "Read",
  WISHLIST: "Wishlist",
  PAUSED: "Paused",
  ABANDONED: "Abandoned",
};

// With as many digits as the currency has; the amount stays a text.
export function moneyText(amount: string, currency: string): string {
  const [whole = "", fraction = ""] = amount.split(".");
  const form = new Intl.NumberFormat("en", { style: "currency", currency });
  const digits = form.resolvedOptions().maximumFractionDigits ?? 0;
  const padded = fraction.padEnd(digits, "0");
  return `${whole}${padded ? `.${padded}` : ""} ${currency}`;
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
