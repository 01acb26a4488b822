// The author's desk: which branches wait for a word, and how the stories are doing.

import { useSignal } from "@preact/signals";
import { user } from "../shared/api";
import { agoText } from "../shared/dates";
import { Dialog } from "../shared/dialog";
import { Icon } from "../shared/icons";
import { useShortcut } from "../shared/keys";
import { leaving } from "../shared/leaving";
import { changed, touch } from "../shared/live";
import { Markdown } from "../shared/markdown";
import {
  countText,
  Empty,
  Fact,
  Loading,
  manyText,
  PageTitle,
  ProblemBox,
  useLoad,
} from "../shared/pieces";
import { Link, navigate, query, setQuery } from "../shared/router";
import { attempt, done } from "../shared/toast";
import { BranchHeat, ReadsAndVotes, WhereReadersLeave } from "./desk_charts";
import { AuthorLink, Badges, Cover, readHref, statusNames, storyHref } from "./pieces";
import {
  approve,
  type Chapter,
  getChapter,
  getStatistics,
  getStory,
  getTree,
  storiesOf,
  type Story,
  storyPath,
  type Tree,
  type TreeNode,
} from "./server";

const dayMs = 86_400_000;
const spans = [30, 90, 365];
const heatDays = 371;
const storiesMax = 40;
const queueShown = 30;

interface Own {
  story: Story;
  tree: Tree;
}

async function load(sub: string, signal: AbortSignal): Promise<Own[]> {
  const stories = (await storiesOf(sub, signal)).slice(0, storiesMax);
  return Promise.all(
    stories.map(async ({ storyId }) => {
      const [story, tree] = await Promise.all([
        getStory(storyId, signal),
        getTree(storyId, signal),
      ]);
      return { story, tree };
    }),
  );
}

type Marks = { authorApproved?: boolean; matchesVision?: boolean };

// Decided on what the branch says now; the undo is decided on what it says then.
async function decide(storyId: string, nodeId: string, marks: Marks, said: string): Promise<void> {
  await attempt(async () => {
    const before = await getChapter(storyId, nodeId);
    await approve(before, marks);
    done(said, async () => {
      const now = await getChapter(storyId, nodeId);
      await approve(now, {
        authorApproved: before.authorApproved,
        matchesVision: before.matchesVision,
      });
      touch();
    });
  });
  touch();
}

function Decisions({ storyId, node }: { storyId: string; node: TreeNode }) {
  const isApproved = node.badges.includes("APPROVED");
  const isVision = node.badges.includes("VISION");
  return (
    <span class="row decisions">
      <button
        type="button"
        class="small"
        aria-pressed={isApproved}
        aria-label={isApproved ? `Approved: ${node.title}` : `Approve ${node.title}`}
        onClick={() =>
          void decide(
            storyId,
            node.id,
            { authorApproved: !isApproved },
            isApproved ? `${node.title} is no longer approved` : `${node.title} is approved`,
          )
        }
      >
        <Icon name="check" /> {isApproved ? "Approved" : "Approve"}
      </button>
      <button
        type="button"
        class="small"
        aria-pressed={isVision}
        aria-label={isVision ? `My vision: ${node.title}` : `Mark ${node.title} as my vision`}
        onClick={() =>
          void decide(
            storyId,
            node.id,
            { matchesVision: !isVision },
            isVision ? `${node.title} is one branch of many` : `${node.title} is your vision`,
          )
        }
      >
        <Icon name="star" /> {isVision ? "My vision" : "Vision"}
      </button>
    </span>
  );
}

function Waiting({
  story,
  node,
  onLook,
}: {
  story: Story;
  node: TreeNode;
  onLook: (node: TreeNode) => void;
}) {
  return (
    <li class="waiting">
      <div>
        <strong>
          <Link href={readHref(story.storyId, node.id)}>{node.title}</Link>
        </strong>
        <small>
          by <AuthorLink id={node.authorId} name={node.author} /> in {story.title}, chapter{" "}
          {node.depth + 1} · {agoText(node.createdAt)} · {manyText(node.reads, "read")} ·{" "}
          {manyText(node.score, "point")}
        </small>
        <span class="labels">
          <Badges badges={node.badges} />
        </span>
      </div>
      <span class="row">
        <button
          type="button"
          class="small"
          aria-label={`Read here: ${node.title}`}
          onClick={() => onLook(node)}
        >
          Read here
        </button>
        <Decisions storyId={story.storyId} node={node} />
      </span>
    </li>
  );
}

const which = { waiting: "Waiting", approved: "Approved", all: "All" };
type Which = keyof typeof which;

function Queue({ own }: { own: Own[] }) {
  const asked = query.value.get("show") ?? "waiting";
  const show = (asked in which ? asked : "waiting") as Which;
  const looked = useSignal<{ story: Story; node: TreeNode; chapter?: Chapter } | null>(null);
  const all = own
    .flatMap(({ story, tree }) =>
      tree.nodes
        .filter((node) => node.authorId !== story.authorId && !node.removed)
        .map((node) => ({ story, node })),
    )
    .sort((a, b) => b.node.createdAt.localeCompare(a.node.createdAt));
  const isDecided = (node: TreeNode) =>
    node.badges.includes("APPROVED") || node.badges.includes("VISION");
  const lists: Record<Which, typeof all> = {
    waiting: all.filter(({ node }) => !isDecided(node)),
    approved: all.filter(({ node }) => isDecided(node)),
    all,
  };
  const shown = lists[show];
  const look = (story: Story, node: TreeNode) => {
    looked.value = { story, node };
    void attempt(async () => {
      const chapter = await getChapter(story.storyId, node.id);
      if (looked.value?.node.id === node.id) looked.value = { story, node, chapter };
    });
  };
  const current = looked.value;
  const fresh = current && all.find(({ node }) => node.id === current.node.id);
  return (
    <section class="stack" aria-labelledby="queue">
      <div class="row spread">
        <h2 id="queue">Branches by others</h2>
        <span class="switch" role="group" aria-label="Which branches">
          {(Object.keys(which) as Which[]).map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === show}
              onClick={() => setQuery({ show: name === "waiting" ? null : name })}
            >
              {which[name]} <span class="count">{lists[name].length}</span>
            </button>
          ))}
        </span>
      </div>
      {shown.length === 0 ? (
        <p class="soft">
          {show === "waiting"
            ? "Nothing waits for you. What others write in your stories comes here."
            : "None."}
        </p>
      ) : (
        <ul class="queue card">
          {shown.slice(0, queueShown).map(({ story, node }) => (
            <Waiting key={node.id} story={story} node={node} onLook={(it) => look(story, it)} />
          ))}
        </ul>
      )}
      {shown.length > queueShown && (
        <p class="soft">And {countText(shown.length - queueShown)} more, in the tree.</p>
      )}
      <p class="hint">
        Approved branches carry a mark. One branch of each chapter can be your vision: how you would
        have gone on.
      </p>
      <Dialog
        title={current?.node.title ?? ""}
        isOpen={current !== null}
        onClose={() => (looked.value = null)}
        isSheet
      >
        {current && (
          <>
            <p class="soft">
              by {current.node.author} in {current.story.title}
            </p>
            {current.chapter ? (
              <div class="prose size-1 face-serif width-wide lines-normal">
                <Markdown text={current.chapter.content ?? ""} />
              </div>
            ) : (
              <Loading />
            )}
            {fresh && <Decisions storyId={fresh.story.storyId} node={fresh.node} />}
          </>
        )}
      </Dialog>
    </section>
  );
}

function OwnStories({ own, chosen }: { own: Own[]; chosen?: string }) {
  return (
    <section class="stack" aria-labelledby="own">
      <h2 id="own">Your stories</h2>
      <ul class="own-stories">
        {own.map(({ story }) => (
          <li key={story.storyId} class={`card ${story.storyId === chosen ? "is-chosen" : ""}`}>
            <Cover title={story.title} src={story.coverImageUrl} />
            <div>
              <strong>
                <Link href={storyHref(story.storyId)}>{story.title}</Link>
              </strong>
              <small>
                {[
                  statusNames[story.status],
                  manyText(story.stats?.totalChapters ?? 0, "chapter"),
                  manyText(story.stats?.totalReads ?? 0, "read"),
                ].join(" · ")}
              </small>
            </div>
            <button
              type="button"
              class="small"
              aria-pressed={story.storyId === chosen}
              aria-label={`Figures of ${story.title}`}
              onClick={() => setQuery({ story: story.storyId })}
            >
              <Icon name="chart" /> Figures
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Figures({ story }: { story: Story }) {
  const span = spans.find((days) => String(days) === query.value.get("days")) ?? 30;
  const to = new Date().toISOString().slice(0, 10);
  const from = new Date(Date.parse(to) - heatDays * dayMs).toISOString().slice(0, 10);
  const { data, error, reload } = useLoad(
    (signal) => getStatistics(story.storyId, from, to, signal),
    [story.storyId, from, to, changed.value],
  );
  if (error !== undefined) return <ProblemBox error={error} onRetry={reload} />;
  if (!data) return <Loading what="Adding up" />;
  return (
    <section class="stack" aria-labelledby="figures">
      <div class="row spread">
        <h2 id="figures">{story.title}, in figures</h2>
        <span class="switch" role="group" aria-label="How many days">
          {spans.map((days) => (
            <button
              key={days}
              type="button"
              aria-pressed={days === span}
              onClick={() => setQuery({ days: days === 30 ? null : String(days) })}
            >
              {days === 365 ? "Year" : `${days} days`}
            </button>
          ))}
        </span>
      </div>
      <dl class="facts">
        <Fact name="Chapters">{countText(data.totals.totalChapters)}</Fact>
        <Fact name="Branches">{countText(data.totals.totalBranches)}</Fact>
        <Fact name="Reads">{countText(data.totals.totalReads)}</Fact>
        <Fact name="Upvotes">{countText(data.totals.totalUpvotes)}</Fact>
      </dl>
      <div class="charts">
        <section class="card">
          <ReadsAndVotes stats={data} days={span} />
        </section>
        <section class="card">
          <WhereReadersLeave stats={data} />
        </section>
      </div>
      <section class="card">
        <BranchHeat stats={data} />
      </section>
    </section>
  );
}

export function DeskPage() {
  const sub = user.value?.sub ?? "";
  const { data, error, reload } = useLoad((signal) => load(sub, signal), [sub, changed.value]);
  useShortcut("n", "Begin a story", () => navigate("/stories/new"));
  const own = (data ?? []).filter(({ story }) => !leaving.value.has(storyPath(story.storyId)));
  const asked = query.value.get("story");
  const chosen =
    own.find(({ story }) => story.storyId === asked) ??
    own.find(({ story }) => story.status !== "DRAFT") ??
    own[0];
  return (
    <>
      <PageTitle title="Desk" line="Your stories, and what others make of them.">
        <Link class="button primary" href="/stories/new">
          <Icon name="plus" /> Begin a story
        </Link>
      </PageTitle>
      {error !== undefined && <ProblemBox error={error} onRetry={reload} />}
      {!data && error === undefined && <Loading />}
      {data && own.length === 0 && (
        <Empty title="Your desk is empty">
          <p>Begin a story. When others carry it on, you decide here which ways you approve of.</p>
          <Link class="button primary" href="/stories/new">
            Begin a story
          </Link>
        </Empty>
      )}
      {chosen && (
        <>
          <Queue own={own} />
          <OwnStories own={own} chosen={chosen.story.storyId} />
          <Figures key={chosen.story.storyId} story={chosen.story} />
        </>
      )}
    </>
  );
}
