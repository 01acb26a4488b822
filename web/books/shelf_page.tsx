import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { ReadOn } from "../shared/read_on";
import { Icon } from "../shared/icons";
import { useShortcut } from "../shared/keys";
import { Empty, hueOf, Loading, manyText, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { Link, navigate, query, setQuery } from "../shared/router";
import { leaving } from "../shared/leaving";
import { changed } from "../shared/live";
import { authorsText, Ring, Stars, statusNames } from "./pieces";
import {
  type Book,
  bookPath,
  type BookList,
  type Counts,
  listBooks,
  reader,
  search,
  type Status,
  statuses,
} from "./server";

const sorts = {
  updatedAt_desc: "Last changed first",
  updatedAt_asc: "Longest untouched first",
  title: "By title",
  rating: "Best rated first",
  percent: "Nearest to the end first",
};

const typingMs = 200;
const foundMax = 100;

function Tile({ book }: { book: Book }) {
  const isUnderWay = book.currentPage > 0 && book.status !== "READ";
  return (
    <li class="book-tile">
      <Link href={`/books/book/${book.id}`} class={`cover ${hueOf(book.title)}`}>
        <span class="cover-title">{book.title}</span>
        <span class="cover-author">{authorsText(book)}</span>
      </Link>
      <div class="tile-foot">
        <span class="tile-words">
          <span class="chip">{statusNames[book.status]}</span>
          {book.rating !== undefined && <Stars rating={book.rating} />}
          {isUnderWay && (
            <small>
              {book.currentPage}
              {book.totalPages ? ` of ${book.totalPages}` : ""}
            </small>
          )}
          {!isUnderWay && book.totalPages !== undefined && book.rating === undefined && (
            <small>{manyText(book.totalPages, "page")}</small>
          )}
        </span>
        {book.currentPage > 0 && <Ring percent={book.percent} />}
      </div>
    </li>
  );
}

function Tabs({ counts, status }: { counts: Counts; status: string }) {
  const total = statuses.reduce((sum, name) => sum + counts[name], 0);
  const tabs = [
    { name: "", label: "All", count: total },
    ...statuses.map((name) => ({ name, label: statusNames[name], count: counts[name] })),
  ];
  const hrefOf = (name: string) => {
    const next = new URLSearchParams(query.value);
    if (name) next.set("status", name);
    else next.delete("status");
    return next.size > 0 ? `/books?${next}` : "/books";
  };
  return (
    <nav class="tabs shelf-tabs" aria-label="Books by state">
      {tabs.map(({ name, label, count }) => (
        <Link key={name} href={hrefOf(name)} aria-current={name === status ? "page" : undefined}>
          {label} <span class="count">{count}</span>
        </Link>
      ))}
    </nav>
  );
}

/** What the shelf shows: the first part of a list, or what fits the words. */
async function readShelf(
  { status, sort, words }: { status: string; sort: string; words: string },
  signal: AbortSignal,
): Promise<BookList & { didYouMean?: string }> {
  const counts = reader.value!.counts;
  if (!words) return listBooks({ status, sort }, signal);
  const { items, didYouMean } = await search(words, "book", foundMax, signal);
  const books = items.map((hit) => hit.item as Book);
  return {
    items: books.filter((book) => !status || book.status === status),
    counts,
    didYouMean,
  };
}

// The rest of a list, read as its end comes into sight.
function Rest({ first, sort, status }: { first: BookList; sort: string; status: string }) {
  const more = useSignal<Book[]>([]);
  const cursor = useSignal(first.nextCursor);
  const read = async () => {
    const page = await listBooks({ status, sort, cursor: cursor.value });
    more.value = [...more.value, ...page.items];
    cursor.value = page.nextCursor;
  };
  return (
    <>
      {more.value.length > 0 && <Grid books={more.value} label="More books" />}
      <ReadOn cursor={cursor.value} read={read} />
    </>
  );
}

function Grid({ books, label }: { books: Book[]; label: string }) {
  return (
    <ul class="shelf" aria-label={label}>
      {books
        .filter((book) => !leaving.value.has(bookPath(book.id)))
        .map((book) => (
          <Tile key={book.id} book={book} />
        ))}
    </ul>
  );
}

function Nothing({ status, words }: { status: string; words: string }) {
  if (words) {
    return (
      <Empty title="No book fits">
        <p>No title, author or description here has these words.</p>
        <button type="button" onClick={() => setQuery({ q: null, status: null })}>
          Show all books
        </button>
      </Empty>
    );
  }
  return (
    <Empty title={status ? "No books here" : "Your shelf is empty"}>
      <p>
        {status
          ? "Books come here when you change their state."
          : "Add the book that you are reading, and write down the page when you put it away."}
      </p>
      <Link class="button primary" href="/books/new">
        Add a book
      </Link>
    </Empty>
  );
}

export function ShelfPage() {
  const status = query.value.get("status") ?? "";
  const sort = query.value.get("sort") ?? "updatedAt_desc";
  const words = (query.value.get("q") ?? "").trim();
  const typed = useSignal(words);
  const timer = useRef(0);
  useEffect(() => {
    if (words !== typed.peek().trim()) typed.value = words;
  }, [words]);
  useShortcut("n", "Add a book", () => navigate("/books/new"));
  const { data, error, reload } = useLoad(
    (signal) => readShelf({ status, sort, words }, signal),
    [status, sort, words, changed.value],
  );
  const onType = (text: string) => {
    typed.value = text;
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setQuery({ q: text.trim() || null }), typingMs);
  };
  const counts = { ...(data?.counts ?? reader.value!.counts) };
  // What is about to be deleted is in the server's counts still.
  for (const book of data?.items ?? []) {
    if (!words && leaving.value.has(bookPath(book.id))) counts[book.status] -= 1;
  }
  const shown = data?.items.filter((book) => !leaving.value.has(bookPath(book.id))) ?? [];
  const name = reader.value?.displayName;
  return (
    <>
      <PageTitle title="Shelf" line={name ? `${name}'s books` : undefined}>
        <Link class="button primary" href="/books/new">
          <Icon name="plus" /> Add a book
        </Link>
      </PageTitle>
      <Tabs counts={counts} status={status} />
      <div class="shelf-tools">
        <input
          type="search"
          aria-label="Filter by title, author or description"
          placeholder="Filter by title or author"
          value={typed.value}
          onInput={(event) => onType(event.currentTarget.value)}
        />
        <select
          aria-label="Order"
          value={sort}
          disabled={words !== ""}
          onChange={(event) => {
            const chosen = event.currentTarget.value;
            setQuery({ sort: chosen === "updatedAt_desc" ? null : chosen });
          }}
        >
          {Object.entries(sorts).map(([value, label]) => (
            <option key={value} value={value}>
              {words ? "Best match first" : label}
            </option>
          ))}
        </select>
      </div>
      {error !== undefined && <ProblemBox error={error} onRetry={reload} />}
      {!data && error === undefined && <Loading what="Reading the shelf" />}
      {words && data && (
        <p class="soft" role="status">
          {manyText(shown.length, "book")} found
          {data.didYouMean && (
            <>
              {". Did you mean "}
              <button
                type="button"
                class="small"
                onClick={() => setQuery({ q: data.didYouMean ?? null })}
              >
                {data.didYouMean}
              </button>
              ?
            </>
          )}
        </p>
      )}
      {data && shown.length === 0 && <Nothing status={status} words={words} />}
      {data && shown.length > 0 && (
        <>
          <Grid books={data.items} label={status ? statusNames[status as Status] : "Books"} />
          {data.nextCursor && (
            <Rest key={data.nextCursor} first={data} sort={sort} status={status} />
          )}
        </>
      )}
    </>
  );
}
