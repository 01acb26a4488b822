// Lists that somebody has saved, how far they are with them, and what has changed in them.

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { ReadOn } from "../shared/read_on";
import { Icon } from "../shared/icons";
import { leaving, removeSoon } from "../shared/leaving";
import { changed, touch } from "../shared/live";
import { usePages } from "../shared/pages";
import { Empty, Loading, manyText, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { Link } from "../shared/router";
import { attempt, done } from "../shared/toast";
import { Ago, ListCard, listHref, minutesText } from "./pieces";
import {
  feed,
  type FeedEntry,
  feedSeen,
  progressOf,
  readMe,
  type Saved,
  savedLists,
  savedPath,
  tagOf,
} from "./server";

function HowFar({ id, children }: { id: string; children: ComponentChildren }) {
  const { data } = useLoad((signal) => progressOf(id, signal), [id, changed.value]);
  const { seen, total, runtimeLeft } = data ?? { seen: 0, total: 0, runtimeLeft: 0 };
  const words = seen === total && total > 0 ? "All seen" : `${seen} of ${total} seen`;
  return (
    <div class="how-far">
      <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" focusable="false">
        <rect class="bar-whole" width={100} height={4} />
        <rect class="bar-part" width={total > 0 ? (seen / total) * 100 : 0} height={4} />
      </svg>
      <div class="how-far-line">
        <p>
          {data && <strong>{words}</strong>}
          {runtimeLeft > 0 && <small> · {minutesText(runtimeLeft)} left</small>}
        </p>
        {children}
      </div>
    </div>
  );
}

function SavedCard({ saved }: { saved: Saved }) {
  const list = saved.watchlist;
  const forget = () =>
    removeSoon(
      savedPath(saved.watchlistId),
      tagOf(saved),
      list ? `${list.title} is no longer saved` : "The list is no longer saved",
    );
  if (!list) {
    return (
      <li class="list-card is-away">
        <h3>A list that is not available</h3>
        <p class="soft">Its curator has made it private. It may come back.</p>
        <p class="row">
          <button type="button" class="small" onClick={forget}>
            Forget it
          </button>
        </p>
      </li>
    );
  }
  return (
    <ListCard list={list}>
      {saved.changed && <span class="chip chip-new start">changed since you looked</span>}
      <HowFar id={list.watchlistId}>
        <button
          type="button"
          class="quiet small"
          aria-label={`Forget ${list.title}`}
          onClick={forget}
        >
          Forget
        </button>
      </HowFar>
    </ListCard>
  );
}

function newsText(entry: FeedEntry): string {
  if (entry.kind === "REMOVED") return "is no longer public";
  const times = entry.changes >= 100 ? "100 or more changes" : manyText(entry.changes, "change");
  return entry.kind === "ITEMS" ? `${times} to its titles` : `${times} to what it says`;
}

function Feed() {
  const isBusy = useSignal(false);
  const found = usePages(feed, []);
  const isNew = found.items.some((entry) => !entry.seen);
  const read = async () => {
    isBusy.value = true;
    await attempt(async () => {
      await feedSeen();
      await readMe();
      done("All read");
    });
    isBusy.value = false;
    touch();
  };
  return (
    <section class="stack" aria-labelledby="feed">
      <div class="row spread">
        <h2 id="feed">What has changed</h2>
        {isNew && (
          <button
            type="button"
            class="small"
            disabled={isBusy.value}
            aria-busy={isBusy.value}
            onClick={() => void read()}
          >
            Mark as read
          </button>
        )}
      </div>
      {found.error !== undefined && <ProblemBox error={found.error} onRetry={found.reload} />}
      {!found.first && found.error === undefined && <Loading />}
      {found.first && found.items.length === 0 && (
        <p class="soft">Nothing has changed in your saved lists. You will see it here.</p>
      )}
      <ol class="feed">
        {found.items.map((entry) => (
          <li key={entry.feedId} class={entry.seen ? "" : "is-new"}>
            <p>
              {entry.title ? (
                <Link href={listHref(entry.watchlistId)}>{entry.title}</Link>
              ) : (
                <strong>A saved list</strong>
              )}{" "}
              {entry.curatorName && <span class="soft">by {entry.curatorName}</span>}
            </p>
            <p>
              {!entry.seen && <span class="visually-hidden">New: </span>}
              {newsText(entry)}{" "}
              <small>
                <Ago time={entry.lastAt} />
              </small>
            </p>
          </li>
        ))}
      </ol>
      <ReadOn cursor={found.cursor} read={found.more} />
    </section>
  );
}

export function SavedPage() {
  const found = usePages(savedLists, []);
  const shown = found.items.filter((it) => !leaving.value.has(savedPath(it.watchlistId)));
  return (
    <>
      <PageTitle title="Saved" line="Lists that you follow, and how far you are with them." />
      <div class="saved-body">
        <section class="stack" aria-label="Saved lists">
          {found.error !== undefined && <ProblemBox error={found.error} onRetry={found.reload} />}
          {!found.first && found.error === undefined && <Loading what="Looking for your lists" />}
          {found.first && shown.length === 0 && (
            <Empty title="Nothing saved yet">
              <p>Save a list that you like: its progress stands here, and so does what changes.</p>
              <Link class="button primary" href="/watch">
                <Icon name="compass" /> Discover lists
              </Link>
            </Empty>
          )}
          <ul class="list-cards" aria-label="Lists">
            {shown.map((saved) => (
              <SavedCard key={saved.watchlistId} saved={saved} />
            ))}
          </ul>
          <ReadOn cursor={found.cursor} read={found.more} />
        </section>
        <Feed />
      </div>
    </>
  );
}
