import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { ReadOn } from "../shared/read_on";
import { type List, user } from "../shared/api";
import { Icon } from "../shared/icons";
import { useShortcut } from "../shared/keys";
import { leaving } from "../shared/leaving";
import { changed } from "../shared/live";
import { Empty, Loading, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { Link, navigate, query, setQuery } from "../shared/router";
import { Cover, ratingNames, readHref, StoryCard } from "./pieces";
import {
  type Bookmark,
  genres,
  listBookmarks,
  listStories,
  ratings,
  type Story,
  storyPath,
  type StoryQuery,
  warnings,
} from "./server";

const sorts = {
  newest: "Newest first",
  popular: "Most loved first",
  branches: "Most branches first",
  updated: "Lately changed first",
};
const typingMs = 250;
const continuedMax = 4;

// Where somebody is in what they read.
function GoOn() {
  const sub = user.value?.sub;
  const { data } = useLoad(
    async (signal) => (sub ? (await listBookmarks(signal)).items : []),
    [sub, changed.value],
  );
  const isWhole = useSignal(false);
  const all = (data ?? [])
    .filter((it): it is Bookmark & { story: Story } => it.story !== undefined)
    .sort((a, b) => b.updatedAt.localeCompare(a.updatedAt));
  const shown = isWhole.value ? all : all.slice(0, continuedMax);
  if (shown.length === 0) return null;
  return (
    <section class="stack" aria-labelledby="go-on">
      <div class="row spread">
        <h2 id="go-on">Go on reading</h2>
        {all.length > continuedMax && (
          <button
            type="button"
            class="small"
            aria-expanded={isWhole.value}
            onClick={() => (isWhole.value = !isWhole.value)}
          >
            {isWhole.value ? "Show fewer" : `Show all ${all.length}`}
          </button>
        )}
      </div>
      <ul class="go-on">
        {shown.map(({ story, storyId, currentNodeId }) => (
          <li key={storyId}>
            <Link href={readHref(storyId, currentNodeId)}>
              <Cover title={story.title} src={story.coverImageUrl} />
              <span>
                <strong>{story.title}</strong>
                <small>by {story.authorName}</small>
              </span>
              <Icon name="next" />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Filters({ asked }: { asked: StoryQuery }) {
  const typed = useSignal(asked.q ?? "");
  const timer = useRef(0);
  useEffect(() => {
    if ((asked.q ?? "") !== typed.peek().trim()) typed.value = asked.q ?? "";
  }, [asked.q]);
  const onType = (text: string) => {
    typed.value = text;
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setQuery({ q: text.trim() || null }), typingMs);
  };
  const without = new Set((asked.warningsExclude ?? "").split(",").filter(Boolean));
  const toggle = (warning: string) => {
    if (!without.delete(warning)) without.add(warning);
    setQuery({ without: [...without].join(",") || null });
  };
  const choice = (name: string, label: string, first: string, options: [string, string][]) => (
    <select
      aria-label={label}
      value={query.value.get(name) ?? ""}
      onChange={(event) => setQuery({ [name]: event.currentTarget.value || null })}
    >
      <option value="">{first}</option>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
  return (
    <div class="stack filters">
      <div class="filter-row">
        <input
          type="search"
          aria-label="Find by title, synopsis or author"
          placeholder="Find by title, synopsis or author"
          value={typed.value}
          onInput={(event) => onType(event.currentTarget.value)}
        />
        {choice(
          "genre",
          "Genre",
          "Every genre",
          genres.map((genre) => [genre, genre]),
        )}
        {choice(
          "rating",
          "Rating",
          "Every rating",
          ratings.map((rating) => [rating, ratingNames[rating]]),
        )}
        {choice("status", "State", "Open and complete", [
          ["PUBLISHED", "Open"],
          ["COMPLETED", "Complete"],
        ])}
        <select
          aria-label="Order"
          value={query.value.get("sort") ?? "newest"}
          onChange={(event) => {
            const chosen = event.currentTarget.value;
            setQuery({ sort: chosen === "newest" ? null : chosen });
          }}
        >
          {Object.entries(sorts).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <details open={without.size > 0}>
        <summary>
          Leave out what warns of{without.size > 0 ? ` ${[...without].join(", ")}` : "…"}
        </summary>
        <div class="toggles" role="group" aria-label="Leave out">
          {warnings.map((warning) => (
            <button
              key={warning}
              type="button"
              class="small"
              aria-pressed={without.has(warning)}
              onClick={() => toggle(warning)}
            >
              {warning}
            </button>
          ))}
        </div>
      </details>
    </div>
  );
}

function Cards({ stories, label }: { stories: Story[]; label: string }) {
  return (
    <ul class="story-cards" aria-label={label}>
      {stories
        .filter((story) => !leaving.value.has(storyPath(story.storyId)))
        .map((story) => (
          <StoryCard key={story.storyId} story={story} />
        ))}
    </ul>
  );
}

// The rest of a list, read as its end comes into sight.
function Rest({ first, asked }: { first: List<Story>; asked: StoryQuery }) {
  const more = useSignal<Story[]>([]);
  const cursor = useSignal(first.nextCursor);
  const read = async () => {
    const page = await listStories({ ...asked, cursor: cursor.value });
    more.value = [...more.value, ...page.items];
    cursor.value = page.nextCursor;
  };
  return (
    <>
      {more.value.length > 0 && <Cards stories={more.value} label="More stories" />}
      <ReadOn cursor={cursor.value} read={read} />
    </>
  );
}

export function DiscoverPage() {
  const value = (name: string) => query.value.get(name)?.trim() || undefined;
  const asked: StoryQuery = {
    q: value("q")?.slice(0, 400),
    genre: value("genre"),
    ageRating: value("rating"),
    status: value("status"),
    warningsExclude: value("without"),
    sort: value("sort"),
  };
  const key = JSON.stringify(asked);
  const isFiltered = Object.entries(asked).some(([name, it]) => name !== "sort" && it);
  useShortcut("n", "Begin a story", () => navigate("/stories/new"));
  const { data, error, reload } = useLoad(
    (signal) => listStories(asked, signal),
    [key, user.value?.sub, changed.value],
  );
  return (
    <>
      <PageTitle title="Stories" line="Somebody begins, anybody goes on. Every chapter can branch.">
        <Link class="button primary" href="/stories/new">
          <Icon name="plus" /> Begin a story
        </Link>
      </PageTitle>
      {!isFiltered && <GoOn />}
      <section class="stack" aria-labelledby="all-stories">
        <h2 id="all-stories">{isFiltered ? "What fits" : "Discover"}</h2>
        <Filters asked={asked} />
        {error !== undefined && <ProblemBox error={error} onRetry={reload} />}
        {!data && error === undefined && <Loading what="Fetching stories" />}
        {data && data.items.length === 0 && !data.nextCursor && (
          <Empty title={isFiltered ? "No story fits" : "No stories yet"}>
            <p>
              {isFiltered
                ? "Ask for less, or write the one that is missing."
                : "Somebody has to begin: with a title, a few lines about it and a first chapter."}
            </p>
            {isFiltered ? (
              <Link class="button" href="/stories">
                Show all stories
              </Link>
            ) : (
              <Link class="button primary" href="/stories/new">
                Begin a story
              </Link>
            )}
          </Empty>
        )}
        {data && data.items.length > 0 && <Cards stories={data.items} label="Stories" />}
        {data?.nextCursor && <Rest key={data.nextCursor} first={data} asked={asked} />}
      </section>
    </>
  );
}
