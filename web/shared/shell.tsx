// What every page has around its own content.

import { computed, signal } from "@preact/signals";
import { type ComponentChildren, render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { askAgain, isOffline, resume, signOut, user, working } from "./api";
import { Icon, type IconName, Mark } from "./icons";
import { isHelpOpen, ShortcutHelp, useShortcut } from "./keys";
import { lazyView } from "./lazy_view";
import { keepForOffline } from "./offline";
import { Link, navigate, path, setBase } from "./router";
import { restoreScroll } from "./scroll";
import { SearchBox, type Suggest } from "./search_box";
import { theme, toggleTheme } from "./theme";
import { attempt, Toasts } from "./toast";

const SignInAgain = lazyView(async () => (await import("./sign_in_again")).SignInAgain);

export interface AppPage {
  name: string;
  title: string;
  line: string;
  icon: IconName;
}

export const appPages: AppPage[] = [
  {
    name: "books",
    title: "Books",
    line: "What you read, page by page, and what it adds up to",
    icon: "book",
  },
  {
    name: "library",
    title: "Library",
    line: "What you own, in shelves and series, and who has borrowed it",
    icon: "shelf",
  },
  {
    name: "watch",
    title: "Watch",
    line: "Lists of films and series by people with taste",
    icon: "film",
  },
  {
    name: "stories",
    title: "Stories",
    line: "Stories that readers carry on, in branches",
    icon: "branch",
  },
  { name: "notes", title: "Notes", line: "What is due, and when", icon: "note" },
];

/** The names of what runs here. */
export const running = signal<string[] | undefined>(undefined);

// By build.mjs: the folders that are pages, with a blank between.
declare const BUILT_PAGES: string;

/** The applications that run here and have a page. */
export const openApps = computed(() =>
  appPages.filter(
    (app) => BUILT_PAGES.split(" ").includes(app.name) && running.value?.includes(app.name),
  ),
);

export interface Section {
  href: string;
  label: string;
  icon: IconName;
  /** Pressed after "g". */
  key: string;
}

interface ShellProps {
  /** The folder of this page's code, and its address. */
  page: string;
  title: string;
  sections?: Section[];
  suggest?: Suggest;
  searchLabel?: string;
  children: ComponentChildren;
}

function useGoing(sections: Section[]): void {
  useShortcut("g h", "Go to the start page", () => navigate("/"));
  for (const section of sections) {
    useShortcut(`g ${section.key}`, `Go to ${section.label.toLowerCase()}`, () =>
      navigate(section.href),
    );
  }
}

const isHere = (section: Section, sections: Section[]) => {
  const fits = (other: Section) =>
    path.value === other.href || path.value.startsWith(`${other.href}/`);
  const best = sections.filter(fits).sort((a, b) => b.href.length - a.href.length)[0];
  return best === section;
};

// Where the sections do not fit, the one that is open is in sight.
function useSectionInSight(count: number): void {
  const here = path.value;
  useEffect(() => {
    const current = document.querySelector(".side [aria-current]");
    current?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [here, count]);
}

async function findRunning(): Promise<void> {
  if (running.value !== undefined) return;
  const answer = await fetch("/", { headers: { Accept: "application/json" } });
  const { apps } = (await answer.json()) as { apps: { name: string }[] };
  running.value = apps.map((app) => app.name);
}

export function Menu({
  label,
  icon,
  children,
}: {
  label: string;
  icon: IconName;
  children: ComponentChildren;
}) {
  const element = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event) => {
      const menu = element.current;
      if (!menu?.open) return;
      if (event instanceof KeyboardEvent) {
        if (event.key !== "Escape") return;
        menu.querySelector("summary")?.focus();
      } else if (event.target instanceof Node && menu.contains(event.target)) return;
      menu.open = false;
    };
    addEventListener("click", close);
    addEventListener("keydown", close);
    return () => {
      removeEventListener("click", close);
      removeEventListener("keydown", close);
    };
  }, []);
  return (
    <details class="menu" ref={element}>
      <summary aria-label={label} title={label}>
        <Icon name={icon} />
      </summary>
      <div class="menu-inside">{children}</div>
    </details>
  );
}

function Switcher({ page }: { page: string }) {
  useEffect(() => void findRunning().catch(() => (running.value = [])), []);
  return (
    <Menu label="Applications" icon="apps">
      <nav aria-label="Applications">
        <ul>
          {[{ name: "", title: "Start", icon: "apps" as const }, ...openApps.value].map((app) => (
            <li key={app.name}>
              <a
                href={`/${app.name}`}
                data-app={app.name}
                aria-current={app.name === page ? "page" : undefined}
              >
                <Icon name={app.icon} /> {app.title}
              </a>
            </li>
          ))}
          <li>
            <a
              href="/studio"
              data-app="studio"
              aria-current={page === "studio" ? "page" : undefined}
            >
              <Icon name="table" /> Studio
            </a>
          </li>
        </ul>
      </nav>
    </Menu>
  );
}

function Account() {
  const here = user.value;
  if (!here) {
    return (
      <a
        class="button quiet sign-in"
        aria-label="Sign in"
        href={`/signin?next=${encodeURIComponent(location.pathname + location.search)}`}
      >
        <Icon name="user" />
        <span>Sign in</span>
      </a>
    );
  }
  return (
    <Menu label={`Account of ${here.name ?? here.email ?? "you"}`} icon="user">
      <p class="menu-text">
        <strong>{here.name}</strong>
        <br />
        {here.email}
      </p>
      <a href="/account">
        <Icon name="user" /> Your account
      </a>
      <button
        type="button"
        onClick={() => void attempt(async () => signOut().then(() => location.assign("/")))}
      >
        Sign out
      </button>
    </Menu>
  );
}

export function Shell({ page, title, sections = [], suggest, searchLabel, children }: ShellProps) {
  useGoing(sections);
  useSectionInSight(sections.length);
  useShortcut("t", "Light or dark", toggleTheme);
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="top">
        <a class="brand" href="/" aria-label="Trestle, start page">
          <Mark />
          <span>Trestle</span>
        </a>
        {title && (
          <Link class="brand-page" href={`/${page}`}>
            {title}
          </Link>
        )}
        <div class="top-search">
          {suggest && <SearchBox suggest={suggest} label={searchLabel ?? "Search"} />}
        </div>
        <div class="top-tools">
          <button
            class="quiet icon-only hide-narrow"
            type="button"
            aria-label="Keyboard shortcuts"
            title="Keyboard shortcuts (?)"
            onClick={() => (isHelpOpen.value = true)}
          >
            <Icon name="keyboard" />
          </button>
          <button
            class="quiet icon-only"
            type="button"
            aria-label={theme.value === "dark" ? "Use light colours" : "Use dark colours"}
            title="Light or dark (t)"
            onClick={toggleTheme}
          >
            <Icon name={theme.value === "dark" ? "sun" : "moon"} />
          </button>
          <Switcher page={page} />
          <Account />
        </div>
        <div class={`progress ${working.value > 0 ? "is-working" : ""}`} aria-hidden="true" />
      </header>
      {isOffline.value && (
        <p class="banner" role="status">
          The server cannot be reached. What you see was read earlier.
        </p>
      )}
      <div class={sections.length > 0 ? "frame" : "frame frame-plain"}>
        {sections.length > 0 && (
          <nav class="side" aria-label={title}>
            <ul>
              {sections.map((section) => (
                <li key={section.href}>
                  <Link
                    href={section.href}
                    aria-current={isHere(section, sections) ? "page" : undefined}
                  >
                    <Icon name={section.icon} />
                    {section.label}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        )}
        <main id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
      <ShortcutHelp />
      {askAgain.value && <SignInAgain />}
      <Toasts />
    </>
  );
}

/** Starts a page: finds out who is here and shows `view` in the one place for it. */
export function start(page: string, view: () => ComponentChildren): void {
  setBase(page === "" ? "/" : `/${page}`);
  void resume();
  const place = document.getElementById("app");
  if (place) render(<>{view()}</>, place);
  restoreScroll();
  // When everything else is there.
  addEventListener("load", () => void keepForOffline().catch(() => undefined));
}
