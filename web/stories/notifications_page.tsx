import { useSignal } from "@preact/signals";
import { agoText, dateOf, dateText } from "../shared/dates";
import { Icon, type IconName } from "../shared/icons";
import { ended } from "../shared/job";
import { useShortcut } from "../shared/keys";
import { leaving, removeSoon } from "../shared/leaving";
import { changed, touch } from "../shared/live";
import { Empty, Loading, manyText, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { Link, navigate, query } from "../shared/router";
import { attempt, done } from "../shared/toast";
import { readHref, storyHref } from "./pieces";
import {
  listNotices,
  type Notice,
  noticePath,
  type NoticeType,
  readAllNotices,
  readNotice,
  tagOf,
} from "./server";

const icons: Record<NoticeType, IconName> = {
  NEW_BRANCH: "branch",
  UPVOTE: "up",
  AUTHOR_APPROVED: "check",
  STORY_COMPLETED: "book",
};

function hrefOf(notice: Notice): string | undefined {
  const { relatedStoryId: story, relatedNodeId: node } = notice;
  if (!story) return undefined;
  return node ? readHref(story, node) : storyHref(story);
}

function OneNotice({ notice }: { notice: Notice }) {
  const href = hrefOf(notice);
  const mark = () =>
    attempt(async () => {
      await readNotice(notice.notificationId);
    }).finally(touch);
  const open = (event: MouseEvent) => {
    if (!href || event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    if (!notice.read) void mark();
    navigate(href);
  };
  const words = (
    <>
      <strong>{notice.title}</strong>
      <span>{notice.message}</span>
    </>
  );
  return (
    <li class={`notice ${notice.read ? "" : "is-unread"}`}>
      <span class={`notice-icon notice-${notice.type.toLowerCase()}`} aria-hidden="true">
        <Icon name={icons[notice.type]} />
      </span>
      {href ? (
        <a class="notice-words" href={href} onClick={open}>
          {words}
        </a>
      ) : (
        <span class="notice-words">{words}</span>
      )}
      <small>
        <time dateTime={notice.createdAt}>{agoText(notice.createdAt)}</time>
        {!notice.read && <span class="visually-hidden">, unread</span>}
      </small>
      <span class="notice-tools">
        {!notice.read && (
          <button
            type="button"
            class="quiet small icon-only"
            aria-label={`Mark as read: ${notice.title}`}
            title="Mark as read"
            onClick={() => void mark()}
          >
            <Icon name="check" />
          </button>
        )}
        <button
          type="button"
          class="quiet small icon-only"
          aria-label={`Delete: ${notice.title}`}
          title="Delete"
          onClick={() =>
            removeSoon(
              noticePath(notice.notificationId),
              tagOf(notice) ?? "",
              "The notification is deleted",
            )
          }
        >
          <Icon name="close" />
        </button>
      </span>
    </li>
  );
}

export function NotificationsPage() {
  const isUnread = query.value.get("show") === "unread";
  const more = useSignal<Notice[]>([]);
  const cursor = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  const { data, error, reload } = useLoad(
    async (signal) => {
      const list = await listNotices(isUnread, undefined, signal);
      more.value = [];
      cursor.value = list.nextCursor;
      return list;
    },
    [isUnread, changed.value],
  );
  const readMore = () =>
    attempt(async () => {
      const list = await listNotices(isUnread, cursor.value);
      more.value = [...more.value, ...list.items];
      cursor.value = list.nextCursor;
    });
  const markAll = async () => {
    if (isBusy.value || !data?.unreadCount) return;
    isBusy.value = true;
    await attempt(async () => {
      await ended("stories", await readAllNotices());
      done("All notifications are read");
    });
    isBusy.value = false;
    touch();
  };
  useShortcut("a", "Mark all as read", () => void markAll());
  const shown = [...(data?.items ?? []), ...more.value].filter(
    (notice) => !leaving.value.has(noticePath(notice.notificationId)),
  );
  const days = new Map<string, Notice[]>();
  for (const notice of shown) {
    const day = dateOf(notice.createdAt);
    days.set(day, [...(days.get(day) ?? []), notice]);
  }
  const today = dateOf(Date.now());
  const unread = data?.unreadCount ?? 0;
  return (
    <>
      <PageTitle
        title="Notifications"
        line={data && (unread > 0 ? `${manyText(unread, "thing")} you have not seen` : "All seen")}
      >
        <button
          type="button"
          disabled={isBusy.value || unread === 0}
          aria-busy={isBusy.value}
          onClick={() => void markAll()}
        >
          <Icon name="check" /> {isBusy.value ? "Working…" : "Mark all as read"}
        </button>
        <Link class="button" href="/stories/profile#tell">
          What you hear of
        </Link>
      </PageTitle>
      <nav class="tabs" aria-label="Which notifications">
        <Link href="/stories/notifications" aria-current={isUnread ? undefined : "page"}>
          All
        </Link>
        <Link
          href="/stories/notifications?show=unread"
          aria-current={isUnread ? "page" : undefined}
        >
          Unread <span class="count">{unread}</span>
        </Link>
      </nav>
      {error !== undefined && <ProblemBox error={error} onRetry={reload} />}
      {!data && error === undefined && <Loading />}
      {data && shown.length === 0 && (
        <Empty title={isUnread ? "Nothing unread" : "Nothing happened yet"}>
          <p>
            You hear of it here when somebody continues your chapters, likes them, approves a branch
            of yours, or completes a story that you follow.
          </p>
          <Link class="button" href="/stories">
            Find something to follow
          </Link>
        </Empty>
      )}
      {[...days].map(([day, notices]) => (
        <section key={day} class="stack" aria-label={day === today ? "Today" : dateText(day)}>
          <h2 class="day">{day === today ? "Today" : dateText(day)}</h2>
          <ul class="notices">
            {notices.map((notice) => (
              <OneNotice key={notice.notificationId} notice={notice} />
            ))}
          </ul>
        </section>
      ))}
      {cursor.value && (
        <button type="button" class="start" onClick={() => void readMore()}>
          Older ones
        </button>
      )}
    </>
  );
}
