import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Problem, sentenceOf, user } from "../shared/api";
import { agoText, dayText } from "../shared/dates";
import { Icon } from "../shared/icons";
import { useShortcut } from "../shared/keys";
import { leaving, removeSoon } from "../shared/leaving";
import { changed, touch } from "../shared/live";
import { Markdown } from "../shared/markdown";
import { CopyButton, Empty, Loading, manyText, ProblemBox, useLoad } from "../shared/pieces";
import { Link, navigate } from "../shared/router";
import { attempt, done } from "../shared/toast";
import { Chooser } from "./chooser";
import { Comments } from "./comments";
import { LookControls, lookClass } from "./look";
import { AuthorLink, Badges, minutesText, ratingNames, readHref, storyHref } from "./pieces";
import { ReportButton } from "./report";
import {
  type Chapter,
  chapterPath,
  countRead,
  getChapter,
  getStory,
  getWay,
  setBookmark,
  type Story,
  tagOf,
  vote,
  type VoteType,
  type Way,
} from "./server";
import { Exports, isMissing, NoStory } from "./story_page";

const trailMax = 5;
// So long the end of a chapter is in sight before the chapter counts as read.
const readMs = 1000;

interface Open {
  story: Story;
  chapter: Chapter;
  way: Way;
}

async function load(id: string, node: string, signal: AbortSignal): Promise<Open> {
  const [story, chapter, way] = await Promise.all([
    getStory(id, signal),
    getChapter(id, node, signal),
    getWay(id, node, signal),
  ]);
  return { story, chapter, way };
}

// From the story's first chapter to this one.
function Trail({ story, way }: { story: Story; way: Way }) {
  const isWhole = useSignal(false);
  const list = useRef<HTMLOListElement>(null);
  const last = way.items.length - 1;
  useEffect(() => {
    if (list.current) list.current.scrollLeft = list.current.scrollWidth;
  }, [way.items[last]?.nodeId, isWhole.value]);
  const isShort = isWhole.value || way.items.length <= trailMax;
  const shown = isShort ? way.items : [...way.items.slice(0, 1), ...way.items.slice(-3)];
  return (
    <nav class="trail" aria-label="The path to this chapter">
      <ol ref={list}>
        <li>
          <Link href={storyHref(story.storyId)}>
            <Icon name="book" />
            {story.title}
          </Link>
        </li>
        {shown.map((chapter, i) => (
          <li key={chapter.nodeId}>
            {!isShort && i === 1 && (
              <button
                type="button"
                class="small quiet"
                aria-label={`Show ${way.items.length - shown.length} more chapters`}
                onClick={() => (isWhole.value = true)}
              >
                …
              </button>
            )}
            {chapter === way.items[last] ? (
              <span aria-current="page">{chapter.title}</span>
            ) : (
              <Link href={readHref(story.storyId, chapter.nodeId)}>{chapter.title}</Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Votes({ chapter }: { chapter: Chapter }) {
  const mine = chapter.me?.vote;
  const isOwn = chapter.authorId === user.value?.sub;
  const cast = (type: VoteType) => {
    if (!user.value || isOwn) return;
    void attempt(async () => {
      const next = mine === type ? undefined : type;
      await vote(chapter.storyId, chapter.nodeId, next);
      done(next === "UPVOTE" ? "Voted up" : next ? "Voted down" : "Your vote is taken back");
    }).finally(touch);
  };
  useShortcut("u", "Vote up", () => cast("UPVOTE"));
  useShortcut("d", "Vote down", () => cast("DOWNVOTE"));
  const button = (type: VoteType) => (
    <button type="button" aria-pressed={mine === type} onClick={() => cast(type)}>
      <Icon name={type === "UPVOTE" ? "up" : "down"} />
      <span class="visually-hidden">{type === "UPVOTE" ? "Vote up" : "Vote down"}</span>
      {type === "UPVOTE" ? chapter.stats.upvotes : chapter.stats.downvotes}
    </button>
  );
  if (!user.value || isOwn) {
    return (
      <span class="soft">
        {manyText(chapter.stats.upvotes, "upvote")}
        {chapter.stats.downvotes > 0 && `, ${manyText(chapter.stats.downvotes, "downvote")}`}
      </span>
    );
  }
  return (
    <span class="switch votes" role="group" aria-label="Your vote">
      {button("UPVOTE")}
      {button("DOWNVOTE")}
    </span>
  );
}

function BookmarkButton({ open }: { open: Open }) {
  const { story, chapter } = open;
  const bookmark = story.me?.bookmark;
  const isHere = bookmark?.currentNodeId === chapter.nodeId;
  const mark = () => {
    if (isHere) return;
    void attempt(async () => {
      await setBookmark(story.storyId, chapter.nodeId, bookmark);
      done(
        bookmark
          ? "The bookmark is here now"
          : "The bookmark is here. It goes on with you, and you hear of new branches",
      );
    }).finally(touch);
  };
  useShortcut("b", "Put the bookmark here", mark);
  if (!user.value) return null;
  return (
    <button type="button" aria-pressed={isHere} onClick={mark}>
      <Icon name="bookmark" />{" "}
      {isHere ? "Bookmark is here" : bookmark ? "Move bookmark here" : "Bookmark"}
    </button>
  );
}

function Siblings({ chapter }: { chapter: Chapter }) {
  const siblings = chapter.siblings ?? [];
  const at = siblings.indexOf(chapter.nodeId);
  const before = siblings[at - 1];
  const after = siblings[at + 1];
  const go = (node: string | undefined) => node && navigate(readHref(chapter.storyId, node));
  useShortcut("[", "The branch before, beside this one", () => go(before));
  useShortcut("]", "The next branch, beside this one", () => go(after));
  if (siblings.length < 2) return null;
  const step = (node: string | undefined, label: string, icon: "back" | "next") =>
    node ? (
      <Link
        class="button quiet icon-only"
        aria-label={label}
        title={label}
        href={readHref(chapter.storyId, node)}
      >
        <Icon name={icon} />
      </Link>
    ) : (
      <span class="no-step" />
    );
  return (
    <span class="siblings">
      {step(before, "The branch before", "back")}
      <small>
        Branch {at + 1} of {siblings.length}
      </small>
      {step(after, "The next branch", "next")}
    </span>
  );
}

// Its author may change a chapter for an hour, and in a draft always.
function OwnTools({ open }: { open: Open }) {
  const { story, chapter } = open;
  const isEditable = story.status === "DRAFT" || Date.parse(chapter.editableUntil) > Date.now();
  const minutes = Math.ceil((Date.parse(chapter.editableUntil) - Date.now()) / 60_000);
  const isLeaf = chapter.stats.childCount === 0 && chapter.parentNodeId !== undefined;
  const remove = () => {
    removeSoon(
      chapterPath(chapter.storyId, chapter.nodeId),
      tagOf(chapter) ?? "",
      `${chapter.title} is deleted`,
    );
    navigate(readHref(chapter.storyId, chapter.parentNodeId ?? ""));
  };
  if (chapter.authorId !== user.value?.sub || chapter.removed) return null;
  return (
    <p class="own-actions row">
      <span class="soft">Your chapter</span>
      {isEditable ? (
        <>
          <Link
            class="button small"
            href={`${storyHref(chapter.storyId)}/edit/${encodeURIComponent(chapter.nodeId)}`}
          >
            <Icon name="design" /> Edit
          </Link>
          {story.status !== "DRAFT" && <small>for {manyText(minutes, "more minute")}</small>}
        </>
      ) : (
        <small>It could be changed for an hour after it was posted.</small>
      )}
      {isLeaf && (
        <button type="button" class="danger small" onClick={remove}>
          <Icon name="trash" /> Delete
        </button>
      )}
    </p>
  );
}

/** Counts a chapter as read when its end was in sight, and takes the bookmark along. */
function useReading(open: Open | undefined) {
  const end = useRef<HTMLDivElement>(null);
  const node = open?.chapter.nodeId;
  useEffect(() => {
    const element = end.current;
    if (!open || !element || !user.value) return;
    let timer = 0;
    const count = async () => {
      const { story, chapter, way } = open;
      await countRead(story.storyId, chapter.nodeId);
      const bookmark = story.me?.bookmark;
      const at = bookmark?.currentNodeId;
      // Onwards only: whoever looks back does not want to lose the place.
      const isOnwards = at !== chapter.nodeId && way.items.some((it) => it.nodeId === at);
      if (bookmark && isOnwards) {
        await setBookmark(story.storyId, chapter.nodeId, bookmark);
        touch();
      }
    };
    const observer = new IntersectionObserver((seen) => {
      clearTimeout(timer);
      if (!seen.some((it) => it.isIntersecting)) return;
      timer = window.setTimeout(() => {
        observer.disconnect();
        // Reading goes on when this fails.
        void count().catch(() => undefined);
      }, readMs);
    });
    observer.observe(element);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [node, user.value?.sub]);
  return end;
}

function Closed({ error, id }: { error: unknown; id: string }) {
  return (
    <Empty isPage title="This chapter is closed">
      <p>{sentenceOf(error)}.</p>
      <p class="row">
        <Link class="button" href={storyHref(id)}>
          Back to the story
        </Link>
        {user.value && (
          <Link class="button" href="/stories/profile">
            What you want to see
          </Link>
        )}
      </p>
    </Empty>
  );
}

export function ReaderPage({ id, node }: { id: string; node: string }) {
  const { data, error, isLoading, reload } = useLoad(
    (signal) => load(id, node, signal),
    [id, node, user.value?.sub, changed.value],
  );
  const comment = useRef<HTMLFormElement>(null);
  const chapter = data?.chapter;
  const title = chapter?.title;
  useEffect(() => {
    if (title) document.title = `${title} · Trestle`;
  }, [title]);
  const end = useReading(chapter?.nodeId === node ? data : undefined);
  const parent = chapter?.previous;
  useShortcut("ArrowLeft", "The chapter before", () => parent && navigate(readHref(id, parent)));
  useShortcut("v", "Show the tree", () =>
    navigate(`${storyHref(id)}/tree?at=${encodeURIComponent(node)}`),
  );
  useShortcut("c", "Comment", () => {
    const area = comment.current?.querySelector("textarea");
    area?.scrollIntoView({ block: "center" });
    area?.focus();
  });
  if (leaving.value.has(chapterPath(id, node)) || isMissing(error)) return <NoStory />;
  if (error instanceof Problem && error.status === 403) return <Closed error={error} id={id} />;
  if (error !== undefined) return <ProblemBox error={error} onRetry={reload} />;
  if (!data || !chapter) return <Loading what="Opening the chapter" />;
  const { story, way } = data;
  return (
    <div class={`reader ${isLoading && chapter.nodeId !== node ? "is-turning" : ""}`}>
      <div class="reader-top">
        <Trail story={story} way={way} />
        <span class="reader-tools">
          <LookControls />
          <Link
            class="button quiet icon-only"
            aria-label="Show the tree"
            title="Show the tree (v)"
            href={`${storyHref(id)}/tree?at=${encodeURIComponent(node)}`}
          >
            <Icon name="branch" />
          </Link>
        </span>
      </div>
      <article class={lookClass()}>
        <header>
          <p class="kicker">
            Chapter {chapter.depth + 1}
            <Siblings chapter={chapter} />
          </p>
          <h1>{chapter.title}</h1>
          <p class="by">
            by <AuthorLink id={chapter.authorId} name={chapter.authorName} /> ·{" "}
            <time dateTime={chapter.createdAt} title={dayText(chapter.createdAt)}>
              {agoText(chapter.createdAt)}
            </time>
            {chapter.content && ` · ${minutesText(chapter.content)}`}
          </p>
          <p class="labels">
            <Badges badges={chapter.badges} />
            {chapter.ageRating && <span class="chip">{ratingNames[chapter.ageRating]}</span>}
          </p>
        </header>
        {chapter.removed ? (
          <p class="soft">This chapter was removed. What others made of it goes on below.</p>
        ) : (
          <Markdown text={chapter.content ?? ""} />
        )}
        <div ref={end} class="chapter-end" aria-hidden="true" />
      </article>
      <div class="reader-below stack">
        <div class="row spread chapter-tools">
          <Votes chapter={chapter} />
          <span class="row">
            <BookmarkButton open={data} />
            <CopyButton text={location.origin + readHref(id, node)} label="Copy link" />
            {chapter.authorId !== user.value?.sub && (
              <ReportButton
                what="this chapter"
                target={{ targetType: "CHAPTER", targetId: node, storyId: id }}
              />
            )}
          </span>
        </div>
        <OwnTools open={data} />
        <Chooser story={story} chapter={chapter} />
        {!user.value && (
          <p class="card row spread">
            <span>Sign in to vote, comment, keep your place and write branches.</span>
            <a
              class="button"
              href={`/signin?next=${encodeURIComponent(location.pathname + location.search)}`}
            >
              Sign in
            </a>
          </p>
        )}
        <Comments id={id} node={chapter.nodeId} place={comment} />
        <footer class="stack">
          <p class="soft">
            This path was written by{" "}
            {way.contributors.map(({ userId, name }, i) => (
              <span key={userId}>
                {i > 0 && (i === way.contributors.length - 1 ? " and " : ", ")}
                <AuthorLink id={userId} name={name} />
              </span>
            ))}
            .
          </p>
          <Exports story={story} node={chapter.nodeId} />
        </footer>
      </div>
    </div>
  );
}
