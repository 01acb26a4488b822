// What happened to a book, the latest first.

import { useSignal } from "@preact/signals";
import { moneyText } from "./pieces";
import { dateOf, dateText, dayText, timeText } from "../shared/dates";
import type { Book, Progress } from "./server";

interface Happening {
  /** In order of time as text. */
  at: string;
  time: string;
  text: string;
  isMilestone?: boolean;
  detail?: string;
}

const shownFirst = 12;

function milestonesOf(book: Book): Happening[] {
  const out: Happening[] = [];
  const add = (at: string | undefined, text: string) => {
    if (at) out.push({ at, time: dayText(at), text, isMilestone: true });
  };
  add(book.createdAt, "Added to the shelf");
  add(book.startedAt, "Started");
  add(book.status === "READ" ? book.finishedAt : undefined, "Finished");
  if (book.purchaseDate) {
    const price =
      book.price === undefined ? "" : ` for ${moneyText(book.price, book.currency ?? "")}`;
    out.push({
      at: book.purchaseDate,
      time: dateText(book.purchaseDate),
      text: `Bought${price}${book.store ? `, ${book.store}` : ""}`,
      isMilestone: true,
    });
  }
  return out;
}

function happeningsOf(book: Book, progress: Progress): Happening[] {
  const pages = progress.points.map(({ t, page }, i): Happening => {
    const step = page - (progress.points[i - 1]?.page ?? 0);
    return {
      at: t,
      time: `${dayText(t)}, ${timeText(t)}`,
      text: `Page ${page}`,
      detail: step > 0 ? `+${step}` : step < 0 ? `back ${-step}` : "",
    };
  });
  return [...milestonesOf(book), ...pages].sort((a, b) => (a.at < b.at ? 1 : -1));
}

export function Timeline({ book, progress }: { book: Book; progress: Progress }) {
  const isWhole = useSignal(false);
  const all = happeningsOf(book, progress);
  const shown = isWhole.value ? all : all.slice(0, shownFirst);
  return (
    <section class="stack" aria-labelledby="timeline">
      <h2 id="timeline">Timeline</h2>
      <ol class="timeline">
        {shown.map((it, i) => (
          <li key={`${it.at} ${i}`} class={it.isMilestone ? "is-milestone" : ""}>
            <span>
              {it.text} {it.detail && <small>{it.detail}</small>}
            </span>
            <time dateTime={it.at.length > 10 ? it.at : dateOf(it.at)}>{it.time}</time>
          </li>
        ))}
      </ol>
      {all.length > shown.length && (
        <button type="button" class="start" onClick={() => (isWhole.value = true)}>
          All {all.length}
        </button>
      )}
    </section>
  );
}
