import "../shared/comments.css";
import "../shared/plot.css";
import "./stories.css";
import type { ComponentChildren } from "preact";
import { user } from "../shared/api";
import { lazyView } from "../shared/lazy_view";
import { changed, useLive } from "../shared/live";
import { Loading, useLoad } from "../shared/pieces";
import type { Suggestion } from "../shared/search_box";
import { type Section, Shell, start } from "../shared/shell";
import { SignInFirst, type ViewList, Views } from "../shared/views";
import { DiscoverPage } from "./discover_page";
import { personHref, readHref, storyHref } from "./pieces";
import { ReaderPage } from "./reader_page";
import {
  type Chapter,
  followed,
  isModerator,
  livePath,
  me,
  type Person,
  readMe,
  search,
  type Story,
} from "./server";
import { StoryPage } from "./story_page";

const TreePage = lazyView(async () => (await import("./tree_page")).TreePage);
const NewStoryPage = lazyView(async () => (await import("./story_form")).NewStoryPage);
const EditStoryPage = lazyView(async () => (await import("./story_form")).EditStoryPage);
const BranchPage = lazyView(async () => (await import("./write_page")).BranchPage);
const EditChapterPage = lazyView(async () => (await import("./write_page")).EditChapterPage);
const NotificationsPage = lazyView(
  async () => (await import("./notifications_page")).NotificationsPage,
);
const PersonPage = lazyView(async () => (await import("./person_page")).PersonPage);
const ProfilePage = lazyView(async () => (await import("./profile_page")).ProfilePage);
const ReportsPage = lazyView(async () => (await import("./reports_page")).ReportsPage);
const DeskPage = lazyView(async () => (await import("./desk_page")).DeskPage);

const discover: Section = { href: "/stories", label: "Discover", icon: "compass", key: "d" };

function sections(): Section[] {
  if (user.value === undefined) return [];
  if (user.value === null) return [discover];
  const unread = me.value?.unreadCount ?? 0;
  const label = unread > 0 ? `Notifications (${unread})` : "Notifications";
  return [
    discover,
    { href: "/stories/desk", label: "Desk", icon: "design", key: "k" },
    { href: "/stories/notifications", label, icon: "bell", key: "n" },
    { href: "/stories/profile", label: "Profile", icon: "user", key: "p" },
    ...(isModerator()
      ? [{ href: "/stories/reports", label: "Reports", icon: "flag", key: "r" } as const]
      : []),
  ];
}

async function suggest(text: string, signal: AbortSignal): Promise<Suggestion[]> {
  if (!text) return [];
  const { items } = await search(text, signal);
  return items.map(({ type, item }) => {
    if (type === "user") {
      const { userId, displayName } = item as Person;
      return { href: personHref(userId), label: displayName, detail: "writer" };
    }
    if (type === "chapter") {
      const { storyId, nodeId, title, storyTitle } = item as Chapter;
      return { href: readHref(storyId, nodeId), label: title, detail: storyTitle ?? "chapter" };
    }
    const { storyId, title, authorName } = item as Story;
    return { href: storyHref(storyId), label: title, detail: `by ${authorName}` };
  });
}

function Signed({ title, children }: { title: string; children: ComponentChildren }) {
  if (user.value) return <>{children}</>;
  return (
    <SignInFirst title={title}>
      Anyone may read. Who signs in can carry a story on from any chapter, vote, comment, and keep a
      place in what they read.
    </SignInFirst>
  );
}

// The list of views.
const views: ViewList = [
  ["/stories", () => <DiscoverPage />],
  [
    "/stories/new",
    () => (
      <Signed title="A story of your own">
        <NewStoryPage />
      </Signed>
    ),
  ],
  ["/stories/story/:id", ({ id = "" }) => <StoryPage key={id} id={id} />],
  [
    "/stories/story/:id/edit",
    ({ id = "" }) => (
      <Signed title="Edit a story">
        <EditStoryPage key={id} id={id} />
      </Signed>
    ),
  ],
  ["/stories/story/:id/tree", ({ id = "" }) => <TreePage key={id} id={id} />],
  ["/stories/story/:id/read/:node", ({ id = "", node = "" }) => <ReaderPage id={id} node={node} />],
  [
    "/stories/story/:id/write/:node",
    ({ id = "", node = "" }) => (
      <Signed title="Write what happens next">
        <BranchPage key={node} id={id} node={node} />
      </Signed>
    ),
  ],
  [
    "/stories/story/:id/edit/:node",
    ({ id = "", node = "" }) => (
      <Signed title="Edit a chapter">
        <EditChapterPage key={node} id={id} node={node} />
      </Signed>
    ),
  ],
  [
    "/stories/notifications",
    () => (
      <Signed title="What happened meanwhile">
        <NotificationsPage />
      </Signed>
    ),
  ],
  [
    "/stories/desk",
    () => (
      <Signed title="Your desk">
        <DeskPage />
      </Signed>
    ),
  ],
  [
    "/stories/profile",
    () => (
      <Signed title="Your profile">
        <ProfilePage />
      </Signed>
    ),
  ],
  [
    "/stories/reports",
    () => (
      <Signed title="Reports">
        <ReportsPage />
      </Signed>
    ),
  ],
  ["/stories/people/:id", ({ id = "" }) => <PersonPage key={id} id={id} />],
];

function Content() {
  const sub = user.value?.sub;
  useLoad(
    async (signal) => {
      if (sub) await readMe(signal);
      else me.value = undefined;
    },
    [sub, changed.value],
  );
  useLive(livePath());
  if (user.value === undefined) return <Loading />;
  return <Views views={views} home={{ href: "/stories", label: "All stories" }} />;
}

function Page() {
  void followed.value;
  return (
    <Shell
      page="stories"
      title="Stories"
      sections={sections()}
      suggest={suggest}
      searchLabel="Find a story, chapter or writer"
    >
      <Content />
    </Shell>
  );
}

start("stories", () => <Page />);
