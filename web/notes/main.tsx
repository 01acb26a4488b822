import "../shared/plot.css";
import "./notes.css";
import type { ComponentChildren } from "preact";
import { user } from "../shared/api";
import { ownZone } from "../shared/dates";
import { lazyView } from "../shared/lazy_view";
import { changed, useLive } from "../shared/live";
import { Loading, ProblemBox, useLoad } from "../shared/pieces";
import type { Suggestion } from "../shared/search_box";
import { type Section, Shell, start } from "../shared/shell";
import { SignInFirst, type ViewList, Views } from "../shared/views";
import { deadlineText, now } from "./days";
import { ListPage } from "./list_page";
import { NotePage } from "./note_page";
import { noteHref } from "./pieces";
import { changePerson, livePath, person, readPerson, search } from "./server";

const tickMs = 20_000;

const sections: Section[] = [
  { href: "/notes", label: "Notes", icon: "note", key: "n" },
  { href: "/notes/calendar", label: "Calendar", icon: "calendar", key: "c" },
  { href: "/notes/timeline", label: "Timeline", icon: "timeline", key: "l" },
  { href: "/notes/statistics", label: "Statistics", icon: "chart", key: "t" },
  { href: "/notes/account", label: "Account", icon: "user", key: "a" },
];

async function suggest(text: string, signal: AbortSignal): Promise<Suggestion[]> {
  if (!text || !user.value) return [];
  const { items } = await search(text, 10, signal);
  return items.map(({ item }) => ({
    href: noteHref(item),
    label: item.title,
    detail: item.done ? "done" : item.deadline ? deadlineText(item.deadline) : "",
  }));
}

// What is not needed at once.
const AccountPage = lazyView(async () => (await import("./account_page")).AccountPage);
const AddPage = lazyView(async () => (await import("./note_form")).AddPage);
const CalendarPage = lazyView(async () => (await import("./calendar_page")).CalendarPage);
const EditPage = lazyView(async () => (await import("./note_form")).EditPage);
const StatsPage = lazyView(async () => (await import("./stats_page")).StatsPage);
const TimelinePage = lazyView(async () => (await import("./timeline_page")).TimelinePage);

// The list of views.
const views: ViewList = [
  ["/notes", () => <ListPage />],
  ["/notes/new", () => <AddPage />],
  ["/notes/note/:id", ({ id = "" }) => <NotePage key={id} id={id} />],
  ["/notes/note/:id/edit", ({ id = "" }) => <EditPage key={id} id={id} />],
  ["/notes/calendar", () => <CalendarPage />],
  ["/notes/timeline", () => <TimelinePage />],
  ["/notes/statistics", () => <StatsPage />],
  ["/notes/account", () => <AccountPage />],
];

// Who is new has the days of the place where they are.
async function meet(signal: AbortSignal): Promise<void> {
  const found = await readPerson(signal);
  const isNew = found.version === 1 && found.counts.open + found.counts.done === 0;
  if (isNew && found.timeZone === "UTC" && ownZone !== "UTC")
    await changePerson(found, { name: found.name, timeZone: ownZone }).catch(() => undefined);
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
      <SignInFirst title="What is due, and when">
        Notes with a day, or without one: what is late, what is for today, and how full the weeks
        ahead are. As a list, a calendar and a line through time. Nobody else sees it.
      </SignInFirst>
    );
  }
  if (person.value) return <>{children}</>;
  return error === undefined ? <Loading /> : <ProblemBox error={error} onRetry={reload} />;
}

function Page() {
  return (
    <Shell
      page="notes"
      title="Notes"
      sections={user.value ? sections : []}
      suggest={user.value ? suggest : undefined}
      searchLabel="Find a note"
    >
      <Signed>
        <Views views={views} home={{ href: "/notes", label: "All notes" }} />
      </Signed>
    </Shell>
  );
}

setInterval(() => (now.value = Date.now()), tickMs);
start("notes", () => <Page />);
