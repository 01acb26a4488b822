import { useRef } from "preact/hooks";
import { dateText, dayText } from "../shared/dates";
import { Problem } from "../shared/api";
import { Icon } from "../shared/icons";
import { useShortcut } from "../shared/keys";
import { Markdown } from "../shared/markdown";
import {
  Empty,
  Fact,
  hueOf,
  Loading,
  manyText,
  PageTitle,
  ProblemBox,
  useLoad,
} from "../shared/pieces";
import { Link, navigate } from "../shared/router";
import { attempt, done } from "../shared/toast";
import { leaving, removeSoon } from "../shared/leaving";
import { changed, touch } from "../shared/live";
import { Notes } from "./notes";
import { PageEntry } from "./page_entry";
import { authorsText, moneyText, Ring, Stars, statusNames } from "./pieces";
import { ProgressChart } from "./progress_chart";
import {
  type Book,
  bookPath,
  changeBook,
  getBook,
  getProgress,
  type Progress,
  type Status,
  statuses,
  tagOf,
} from "./server";
import { Timeline } from "./timeline";

function Facts({ book }: { book: Book }) {
  const bought = [
    book.price !== undefined && moneyText(book.price, book.currency ?? ""),
    book.purchaseDate && dateText(book.purchaseDate),
    book.store,
    book.boughtAt,
  ].filter(Boolean);
  return (
    <dl class="facts">
      <Fact name="Page">
        {book.currentPage} {book.totalPages !== undefined && <small>of {book.totalPages}</small>}
      </Fact>
      {book.rating !== undefined && (
        <Fact name="Rating">
          <Stars rating={book.rating} /> <small>{book.rating}</small>
        </Fact>
      )}
      {book.startedAt && <Fact name="Started">{dayText(book.startedAt)}</Fact>}
      {book.finishedAt && book.status === "READ" && (
        <Fact name="Finished">{dayText(book.finishedAt)}</Fact>
      )}
      {bought.length > 0 && (
        <Fact name="Bought">
          {bought[0]} {bought.length > 1 && <small>{bought.slice(1).join(", ")}</small>}
        </Fact>
      )}
    </dl>
  );
}

function StatusChoice({ book }: { book: Book }) {
  const change = (status: Status) =>
    attempt(async () => {
      await changeBook(book, { status: JSON.stringify(status) });
      done(`${book.title}: ${statusNames[status].toLowerCase()}`, async () => {
        await changeBook(await getBook(book.id), { status: JSON.stringify(book.status) });
        touch();
      });
    }).finally(touch);
  return (
    <>
      <select
        class="status-choice"
        aria-label="State of the book"
        value={book.status}
        onChange={(event) => void change(event.currentTarget.value as Status)}
      >
        {statuses.map((status) => (
          <option key={status} value={status}>
            {statusNames[status]}
          </option>
        ))}
      </select>
      {book.suggestions.includes("START_READING") && (
        <button type="button" onClick={() => void change("READING")}>
          Move to Reading
        </button>
      )}
      {book.suggestions.includes("MARK_READ") && (
        <button type="button" class="primary" onClick={() => void change("READ")}>
          Mark as read
        </button>
      )}
    </>
  );
}

function Reads({ progress }: { progress: Progress }) {
  if (progress.reads.length < 2) return null;
  return (
    <section class="stack" aria-labelledby="reads">
      <h2 id="reads">Read {manyText(progress.reads.length, "time")}</h2>
      <ol class="reads">
        {progress.reads.map((read) => (
          <li key={read.start}>
            {dateText(read.start)} to {read.end ? dateText(read.end) : "now"},{" "}
            {manyText(read.pages, "page")}
          </li>
        ))}
      </ol>
    </section>
  );
}

async function load(id: string, signal: AbortSignal) {
  const [book, progress] = await Promise.all([getBook(id, signal), getProgress(id, signal)]);
  return { book, progress };
}

export function BookPage({ id }: { id: string }) {
  const { data, error, reload } = useLoad((signal) => load(id, signal), [id, changed.value]);
  const entry = useRef<HTMLInputElement>(null);
  useShortcut("e", "Edit this book", () => navigate(`/books/book/${id}/edit`));
  useShortcut("p", "Enter the page", () => entry.current?.focus());
  if (leaving.value.has(bookPath(id)) || (error instanceof Problem && error.status === 404)) {
    return (
      <Empty isPage title="This book is not here">
        <p>It was deleted, or it never was on your shelf.</p>
        <Link class="button" href="/books">
          All books
        </Link>
      </Empty>
    );
  }
  if (error !== undefined) return <ProblemBox error={error} onRetry={reload} />;
  if (!data) return <Loading what="Opening the book" />;
  const { book, progress } = data;
  const remove = () => {
    removeSoon(bookPath(id), tagOf(book), `${book.title} is deleted`);
    navigate("/books");
  };
  return (
    <>
      <div class="book-head">
        <div class={`cover cover-large ${hueOf(book.title)}`} aria-hidden="true">
          <span class="cover-title">{book.title}</span>
          <span class="cover-author">{authorsText(book)}</span>
        </div>
        <div class="stack">
          <PageTitle title={book.title} line={authorsText(book) || undefined}>
            <Link class="button" href={`/books/book/${id}/edit`}>
              <Icon name="design" /> Edit
            </Link>
            <button type="button" class="danger" onClick={remove}>
              <Icon name="trash" /> Delete
            </button>
          </PageTitle>
          <div class="row">
            <Ring percent={book.percent} isLarge />
            <StatusChoice book={book} />
          </div>
          <Facts book={book} />
        </div>
      </div>
      <div class="book-body">
        <div class="stack book-column">
          <PageEntry book={book} input={entry} />
          <ProgressChart book={book} progress={progress} />
          <Reads progress={progress} />
          {book.description && (
            <section class="stack" aria-labelledby="about">
              <h2 id="about">About</h2>
              <Markdown text={book.description} />
            </section>
          )}
        </div>
        <div class="stack book-column">
          <Notes book={book} />
          <Timeline book={book} progress={progress} />
        </div>
      </div>
    </>
  );
}
