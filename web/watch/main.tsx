import "../shared/comments.css";
import "../shared/plot.css";
import "./watch.css";
import type { ComponentChildren } from "preact";
import { user } from "../shared/api";
import { lazyView } from "../shared/lazy_view";
import { changed, useLive } from "../shared/live";
import { Loading, ProblemBox, useLoad } from "../shared/pieces";
import type { Suggestion } from "../shared/search_box";
import { type Section, Shell, start } from "../shared/shell";
import { SignInFirst, type ViewList, Views } from "../shared/views";
import { DiscoverPage } from "./discover_page";
import { ListPage } from "./list_page";
import { curatorHref, factsText, listHref, titleHref } from "./pieces";
import {
  idOf,
  isAdmin,
  isCurator,
  livePath,
  me,
  type Person,
  readMe,
  search,
  type Title,
  typeOf,
  unread,
  type Watchlist,
} from "./server";
import { TitlePage } from "./title_page";
import { TitlesPage } from "./titles_page";

const EditorPage = lazyView(async () => (await import("./editor_page")).EditorPage);
const NewListPage = lazyView(async () => (await import("./list_form")).NewListPage);
const AddTitlePage = lazyView(async () => (await import("./title_form")).AddTitlePage);
const EditTitlePage = lazyView(async () => (await import("./title_form")).EditTitlePage);
const SavedPage = lazyView(async () => (await import("./saved_page")).SavedPage);
const MinePage = lazyView(async () => (await import("./mine_page")).MinePage);
const RatingsPage = lazyView(async () => (await import("./ratings_page")).RatingsPage);
const CuratorPage = lazyView(async () => (await import("./curator_page")).CuratorPage);
const ProfilePage = lazyView(async () => (await import("./profile_page")).ProfilePage);
const AdminPage = lazyView(async () => (await import("./admin_page")).AdminPage);
const AuditPage = lazyView(async () => (await import("./audit_page")).AuditPage);

const forAll: Section[] = [
  { href: "/watch", label: "Discover", icon: "compass", key: "d" },
  { href: "/watch/titles", label: "Titles", icon: "film", key: "t" },
];

function sections(): Section[] {
  // Not known yet: a moment later all of them are there, or those for visitors.
  if (user.value === undefined) return [];
  if (user.value === null) return forAll;
  const saved = unread.value > 0 ? `Saved (${unread.value})` : "Saved";
  return [
    ...forAll,
    { href: "/watch/saved", label: saved, icon: "bookmark", key: "s" },
    { href: "/watch/ratings", label: "Ratings", icon: "star", key: "r" },
    { href: "/watch/mine", label: "Your lists", icon: "items", key: "m" },
    { href: "/watch/profile", label: "Profile", icon: "user", key: "p" },
    ...(isAdmin()
      ? [{ href: "/watch/admin", label: "Curators", icon: "shield", key: "c" } as const]
      : []),
  ];
}

async function suggest(text: string, signal: AbortSignal): Promise<Suggestion[]> {
  if (!text) return [];
  const { items } = await search(text, undefined, 10, signal);
  return items.map(({ type, item }) => {
    if (type === "watchlist") {
      const list = item as Watchlist;
      const detail = list.curatorName ? `list by ${list.curatorName}` : "list";
      return { href: listHref(list.watchlistId), label: list.title, detail };
    }
    if (type === "curator") {
      const person = item as Person;
      return { href: curatorHref(person.userId), label: person.username, detail: "curator" };
    }
    const title = item as Title;
    return {
      href: titleHref(typeOf(title), idOf(title)),
      label: title.title,
      detail: factsText(title),
    };
  });
}

/** Of one's own: whoever is not signed in reads what it is for. */
function Own({
  title,
  line,
  children,
}: {
  title: string;
  line: string;
  children: ComponentChildren;
}) {
  return user.value ? <>{children}</> : <SignInFirst title={title}>{line}</SignInFirst>;
}

const curators = "Curators make lists that everybody can read. To become one, you need an account.";

// The list of views.
const views: ViewList = [
  ["/watch", () => <DiscoverPage />],
  ["/watch/titles", () => <TitlesPage />],
  ["/watch/list/:id", ({ id = "" }) => <ListPage key={id} id={id} />],
  [
    "/watch/list/:id/edit",
    ({ id = "" }) => (
      <Own title="Edit a list" line={curators}>
        <EditorPage key={id} id={id} />
      </Own>
    ),
  ],
  ["/watch/movie/:id", ({ id = "" }) => <TitlePage key={id} type="MOVIE" id={id} />],
  ["/watch/show/:id", ({ id = "" }) => <TitlePage key={id} type="SHOW" id={id} />],
  [
    "/watch/movie/:id/edit",
    ({ id = "" }) => (
      <Own title="Edit a film" line={curators}>
        <EditTitlePage key={id} type="MOVIE" id={id} />
      </Own>
    ),
  ],
  [
    "/watch/show/:id/edit",
    ({ id = "" }) => (
      <Own title="Edit a series" line={curators}>
        <EditTitlePage key={id} type="SHOW" id={id} />
      </Own>
    ),
  ],
  ["/watch/curator/:id", ({ id = "" }) => <CuratorPage key={id} id={id} />],
  [
    "/watch/new",
    () => (
      <Own title="Make a list" line={curators}>
        {isCurator() ? <NewListPage /> : <MinePage />}
      </Own>
    ),
  ],
  [
    "/watch/add",
    () => (
      <Own title="Add a title" line={curators}>
        {isCurator() || isAdmin() ? <AddTitlePage /> : <MinePage />}
      </Own>
    ),
  ],
  [
    "/watch/saved",
    () => (
      <Own
        title="Lists to come back to"
        line="Save what you like: see how far you are with it, and what its curator changes."
      >
        <SavedPage />
      </Own>
    ),
  ],
  [
    "/watch/ratings",
    () => (
      <Own title="What you thought of it" line="One to ten for every film and series you saw.">
        <RatingsPage />
      </Own>
    ),
  ],
  [
    "/watch/mine",
    () => (
      <Own title="Lists of your own" line={curators}>
        <MinePage />
      </Own>
    ),
  ],
  [
    "/watch/profile",
    () => (
      <Own title="Profile" line="Your name and what others read about you.">
        <ProfilePage />
      </Own>
    ),
  ],
  [
    "/watch/admin",
    () => (
      <Own title="For administrators" line="Who asks to be a curator.">
        <AdminPage />
      </Own>
    ),
  ],
  [
    "/watch/admin/audit",
    () => (
      <Own title="For administrators" line="Who created, changed and deleted what.">
        <AuditPage />
      </Own>
    ),
  ],
];

// Much of it is for everybody; what is shown depends on who is here.
function Known({ children }: { children: ComponentChildren }) {
  const sub = user.value?.sub;
  const { error, reload } = useLoad(
    async (signal) => (sub ? readMe(signal) : undefined),
    [sub, changed.value],
  );
  useLive(livePath);
  if (user.value === undefined) return <Loading />;
  if (user.value === null || me.value) return <>{children}</>;
  return error === undefined ? <Loading /> : <ProblemBox error={error} onRetry={reload} />;
}

function Page() {
  return (
    <Shell
      page="watch"
      title="Watch"
      sections={sections()}
      suggest={suggest}
      searchLabel="Find lists, titles, curators"
    >
      <Known>
        <Views views={views} home={{ href: "/watch", label: "All lists" }} />
      </Known>
    </Shell>
  );
}

start("watch", () => <Page />);
