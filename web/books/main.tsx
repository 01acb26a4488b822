import "./books.css";
import type { ComponentChildren } from "preact";
import { user } from "../shared/api";
import { ownZone } from "../shared/dates";
import { lazyView } from "../shared/lazy_view";
import { Loading, ProblemBox, useLoad } from "../shared/pieces";
import type { Suggestion } from "../shared/search_box";
import { type Section, Shell, start } from "../shared/shell";
import { SignInFirst, type ViewList, Views } from "../shared/views";
import { AddPage, EditPage } from "./book_form";
import { BookPage } from "./book_page";
import { changed, useLive } from "../shared/live";
import { authorsText } from "./pieces";
import { ProfilePage } from "./profile_page";
import { type Book, changeReader, livePath, type Note, reader, readReader, search } from "./server";
import { ShelfPage } from "./shelf_page";
import { StatsPage } from "./stats_page";

const ImportPage = lazyView(async () => (await import("./import_page")).ImportPage);

const sections: Section[] = [
  { href: "/books", label: "Shelf", icon: "shelf", key: "s" },
  { href: "/books/statistics", label: "Statistics", icon: "chart", key: "t" },
  { href: "/books/profile", label: "Profile", icon: "user", key: "p" },
];

async function suggest(text: string, signal: AbortSignal): Promise<Suggestion[]> {
  if (!text || !user.value) return [];
  const { items } = await search(text, undefined, 10, signal);
  return items.map(({ type, item }) => {
    if (type === "note") {
      const note = item as Note;
      const label = note.content.length > 60 ? `${note.content.slice(0, 60)}…` : note.content;
      return { href: `/books/book/${note.bookId}?note=${note.id}`, label, detail: "note" };
    }
    const book = item as Book;
    return { href: `/books/book/${book.id}`, label: book.title, detail: authorsText(book) };
  });
}

// The list of views.
const views: ViewList = [
  ["/books", () => <ShelfPage />],
  ["/books/new", () => <AddPage />],
  ["/books/import", () => <ImportPage />],
  ["/books/book/:id", ({ id = "" }) => <BookPage key={id} id={id} />],
  ["/books/book/:id/edit", ({ id = "" }) => <EditPage key={id} id={id} />],
  ["/books/statistics", () => <StatsPage />],
  ["/books/profile", () => <ProfilePage />],
];

// Who is new has the days of the place where they are.
async function meet(signal: AbortSignal): Promise<void> {
  const found = await readReader(signal);
  const isNew = found.version === 1 && Object.values(found.counts).every((count) => count === 0);
  if (isNew && found.timeZone === "UTC" && ownZone !== "UTC")
    await changeReader(found, { timeZone: ownZone }).catch(() => undefined);
}

// Everything here is somebody's own.
function Signed({ children }: { children: ComponentChildren }) {
  const sub = user.value?.sub;
  const { error, reload } = useLoad(
    async (signal) => (sub ? meet(signal) : undefined),
    [sub, changed.value],
  );
  useLive(livePath);
  if (user.value === undefined) return <Loading />;
  if (user.value === null) {
    return (
      <SignInFirst title="A shelf of your own">
        What you read, page by page: how far you are, what you thought of it, and what it adds up to
        over the year. Nobody else sees it.
      </SignInFirst>
    );
  }
  if (reader.value) return <>{children}</>;
  return error === undefined ? <Loading /> : <ProblemBox error={error} onRetry={reload} />;
}

function Page() {
  return (
    <Shell
      page="books"
      title="Books"
      sections={user.value ? sections : []}
      suggest={user.value ? suggest : undefined}
      searchLabel="Find a book or note"
    >
      <Signed>
        <Views views={views} home={{ href: "/books", label: "All books" }} />
      </Signed>
    </Shell>
  );
}

start("books", () => <Page />);
