import "../shared/plot.css";
import "./library.css";
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { user } from "../shared/api";
import { LazyView } from "../shared/lazy_view";
import { changed, useLive } from "../shared/live";
import { Loading, ProblemBox, useLoad } from "../shared/pieces";
import type { Suggestion } from "../shared/search_box";
import { type Section, Shell, start } from "../shared/shell";
import { SignInFirst, type ViewList, Views } from "../shared/views";
import { AddCollectionPage, CollectionPage, EditCollectionPage } from "./collection_page";
import { ContentsPage, EverythingPage } from "./contents_page";
import { AddItemPage, EditItemPage } from "./item_form";
import { ItemPage } from "./item_page";
import { LibrariesPage } from "./libraries_page";
import { AddLibraryPage, EditLibraryPage } from "./library_form";
import { LoansPage } from "./loans_page";
import { hrefOf, makersText } from "./pieces";
import { ProfilePage } from "./profile_page";
import { SearchPage } from "./search_page";
import {
  type Collection,
  type Item,
  listLibraries,
  livePath,
  owner,
  readOwner,
  search,
} from "./server";
import { SharingPage } from "./sharing_page";

const sections: Section[] = [
  { href: "/library", label: "Libraries", icon: "shelf", key: "l" },
  { href: "/library/everything", label: "Everything", icon: "items", key: "a" },
  { href: "/library/loans", label: "Loans", icon: "access", key: "o" },
  { href: "/library/search", label: "Search", icon: "search", key: "s" },
  { href: "/library/statistics", label: "Statistics", icon: "chart", key: "t" },
  { href: "/library/profile", label: "Profile", icon: "user", key: "p" },
];

async function suggest(text: string, signal: AbortSignal): Promise<Suggestion[]> {
  if (!text || !user.value) return [];
  const { items } = await search(text, { limit: 9 }, signal);
  const found = items.map(({ type, item }) => {
    if (type === "collection") {
      return {
        href: hrefOf.collection(item),
        label: (item as Collection).name,
        detail: "collection",
      };
    }
    const it = item as Item;
    return { href: hrefOf.item(it), label: it.title, detail: makersText(it) };
  });
  const all = `/library/search?q=${encodeURIComponent(text)}`;
  return [...found, { href: all, label: `Search for “${text}”`, detail: "everything" }];
}

const loadStats = async () => (await import("./stats_page")).StatsPage;
const loadImport = async () => (await import("./import_page")).ImportPage;

// The list of views.
const views: ViewList = [
  ["/library", () => <LibrariesPage />],
  ["/library/new", () => <AddLibraryPage />],
  ["/library/everything", () => <EverythingPage />],
  ["/library/loans", () => <LoansPage />],
  ["/library/search", () => <SearchPage />],
  ["/library/statistics", () => <LazyView load={loadStats} props={{}} />],
  ["/library/profile", () => <ProfilePage />],
  ["/library/in/:id", ({ id = "" }) => <ContentsPage key={id} id={id} />],
  ["/library/in/:id/edit", ({ id = "" }) => <EditLibraryPage key={id} id={id} />],
  ["/library/in/:id/sharing", ({ id = "" }) => <SharingPage key={id} libraryId={id} />],
  [
    "/library/in/:id/import",
    ({ id = "" }) => <LazyView key={id} load={loadImport} props={{ libraryId: id }} />,
  ],
  ["/library/in/:id/add", ({ id = "" }) => <AddItemPage key={id} libraryId={id} />],
  [
    "/library/in/:id/new-collection",
    ({ id = "" }) => <AddCollectionPage key={id} libraryId={id} />,
  ],
  [
    "/library/in/:library/item/:id",
    ({ library = "", id = "" }) => <ItemPage key={id} libraryId={library} id={id} />,
  ],
  [
    "/library/in/:library/item/:id/edit",
    ({ library = "", id = "" }) => <EditItemPage key={id} libraryId={library} id={id} />,
  ],
  [
    "/library/in/:library/collection/:id",
    ({ library = "", id = "" }) => <CollectionPage key={id} libraryId={library} id={id} />,
  ],
  [
    "/library/in/:library/collection/:id/edit",
    ({ library = "", id = "" }) => <EditCollectionPage key={id} libraryId={library} id={id} />,
  ],
];

// What the stream of changes must know of: it has to be opened again for a new one.
const seen = signal("");

async function readHere(signal: AbortSignal): Promise<void> {
  const [, libraries] = await Promise.all([readOwner(signal), listLibraries(signal)]);
  const shared = libraries.filter((it) => !it.isOwner).map((it) => it.id);
  seen.value = shared.sort().join();
}

function Signed({ children }: { children: ComponentChildren }) {
  const sub = user.value?.sub;
  const { error, reload } = useLoad(
    async (signal) => (sub ? readHere(signal) : undefined),
    [sub, changed.value],
  );
  useLive(`${livePath}#${seen.value}`);
  if (user.value === undefined) return <Loading />;
  if (user.value === null) {
    return (
      <SignInFirst title="Everything you own, on one shelf">
        Your books and films by library, series and letter. Who has borrowed what, since when, and
        when it is due. Shared with the people you choose.
      </SignInFirst>
    );
  }
  if (owner.value) return <>{children}</>;
  return error === undefined ? <Loading /> : <ProblemBox error={error} onRetry={reload} />;
}

function Page() {
  return (
    <Shell
      page="library"
      title="Library"
      sections={user.value ? sections : []}
      suggest={user.value ? suggest : undefined}
      searchLabel="Find a title or a name"
    >
      <Signed>
        <Views views={views} home={{ href: "/library", label: "All libraries" }} />
      </Signed>
    </Shell>
  );
}

start("library", () => <Page />);
