import "../shared/plot.css";
import "./library.css";
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { user } from "../shared/api";
import { lazyView } from "../shared/lazy_view";
import { changed, useLive } from "../shared/live";
import { Loading, ProblemBox, useLoad } from "../shared/pieces";
import type { Suggestion } from "../shared/search_box";
import { type Section, Shell, start } from "../shared/shell";
import { SignInFirst, type ViewList, Views } from "../shared/views";
import { CollectionPage } from "./collection_page";
import { ContentsPage, EverythingPage } from "./contents_page";
import { ItemPage } from "./item_page";
import { LibrariesPage } from "./libraries_page";
import { LoansPage } from "./loans_page";
import { hrefOf, makersText } from "./pieces";
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

// What is not looked at first comes when it is opened.
const StatsPage = lazyView(async () => (await import("./stats_page")).StatsPage);
const ImportPage = lazyView(async () => (await import("./import_page")).ImportPage);
const ProfilePage = lazyView(async () => (await import("./profile_page")).ProfilePage);
const SharingPage = lazyView(async () => (await import("./sharing_page")).SharingPage);
const AddLibraryPage = lazyView(async () => (await import("./library_form")).AddLibraryPage);
const EditLibraryPage = lazyView(async () => (await import("./library_form")).EditLibraryPage);
const AddItemPage = lazyView(async () => (await import("./item_form")).AddItemPage);
const EditItemPage = lazyView(async () => (await import("./item_form")).EditItemPage);
const AddCollectionPage = lazyView(
  async () => (await import("./collection_form")).AddCollectionPage,
);
const EditCollectionPage = lazyView(
  async () => (await import("./collection_form")).EditCollectionPage,
);

type Values = Record<string, string>;
const idsOf = ({ library = "", id = "" }: Values) => ({ libraryId: library, id });

// The list of views.
const views: ViewList = [
  ["/library", () => <LibrariesPage />],
  ["/library/new", () => <AddLibraryPage />],
  ["/library/everything", () => <EverythingPage />],
  ["/library/loans", () => <LoansPage />],
  ["/library/search", () => <SearchPage />],
  ["/library/statistics", () => <StatsPage />],
  ["/library/profile", () => <ProfilePage />],
  ["/library/in/:id", ({ id = "" }) => <ContentsPage key={id} id={id} />],
  ["/library/in/:id/edit", ({ id = "" }) => <EditLibraryPage key={id} id={id} />],
  ["/library/in/:id/sharing", ({ id = "" }) => <SharingPage key={id} libraryId={id} />],
  ["/library/in/:id/import", ({ id = "" }) => <ImportPage key={id} libraryId={id} />],
  ["/library/in/:id/add", ({ id = "" }) => <AddItemPage key={id} libraryId={id} />],
  [
    "/library/in/:id/new-collection",
    ({ id = "" }) => <AddCollectionPage key={id} libraryId={id} />,
  ],
  ["/library/in/:library/item/:id", (values) => <ItemPage key={values.id} {...idsOf(values)} />],
  [
    "/library/in/:library/item/:id/edit",
    (values) => <EditItemPage key={values.id} {...idsOf(values)} />,
  ],
  [
    "/library/in/:library/collection/:id",
    (values) => <CollectionPage key={values.id} {...idsOf(values)} />,
  ],
  [
    "/library/in/:library/collection/:id/edit",
    (values) => <EditCollectionPage key={values.id} {...idsOf(values)} />,
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
