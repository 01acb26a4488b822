import { Problem, user } from "../shared/api";
import { agoText, dayText } from "../shared/dates";
import { download } from "../shared/download";
import { Icon } from "../shared/icons";
import { useShortcut } from "../shared/keys";
import { leaving, removeSoon } from "../shared/leaving";
import { changed, touch } from "../shared/live";
import { PictureEditor } from "../shared/picture";
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
import { Link, navigate } from "../shared/router";
import { attempt, done } from "../shared/toast";
import { AuthorLink, Badges, Cover, Labels, personHref, readHref, storyHref } from "./pieces";
import { ReportButton } from "./report";
import {
  exportHref,
  exportText,
  getStory,
  getTree,
  removeBookmark,
  setBookmark,
  type Story,
  storyPath,
  tagOf,
  type Tree,
  type TreeNode,
  turnStory,
} from "./server";

const shownMax = 5;

function follow(story: Story) {
  return attempt(async () => {
    const bookmark = story.me?.bookmark;
    if (bookmark) {
      await removeBookmark(bookmark);
      done(`You no longer follow ${story.title}`, async () => {
        await setBookmark(story.storyId, bookmark.currentNodeId);
        touch();
      });
    } else {
      await setBookmark(story.storyId, story.rootNodeId ?? "");
      done(`You follow ${story.title}: new branches and its end are told to you`);
    }
  }).finally(touch);
}

const turns = {
  publish: { from: "DRAFT", label: "Publish", said: "is published: everybody can read it" },
  complete: { from: "PUBLISHED", label: "Mark as complete", said: "is complete" },
  reopen: { from: "COMPLETED", label: "Open it again", said: "is open again" },
} as const;
type Turn = keyof typeof turns;
const backOf: Partial<Record<Turn, Turn>> = { complete: "reopen", reopen: "complete" };

function OwnActions({ story }: { story: Story }) {
  const turn = (name: Turn) =>
    attempt(async () => {
      const after = await turnStory(story, name);
      const back = backOf[name];
      done(
        `${story.title} ${turns[name].said}`,
        back &&
          (async () => {
            await turnStory(after, back);
            touch();
          }),
      );
    }).finally(touch);
  const isOthers = (story.foreignBranches ?? 0) > 0;
  const remove = () => {
    removeSoon(storyPath(story.storyId), tagOf(story) ?? "", `${story.title} is deleted`);
    navigate("/stories/desk");
  };
  const next = (Object.keys(turns) as Turn[]).find((name) => turns[name].from === story.status);
  return (
    <div class="own-actions row">
      <span class="soft">Your story</span>
      {next && (
        <button
          type="button"
          class={next === "publish" ? "primary" : ""}
          onClick={() => void turn(next)}
        >
          {turns[next].label}
        </button>
      )}
      <Link class="button" href={`${storyHref(story.storyId)}/edit`}>
        <Icon name="design" /> Edit
      </Link>
      <Link class="button" href={`/stories/desk?story=${encodeURIComponent(story.storyId)}`}>
        <Icon name="chart" /> Desk
      </Link>
      {isOthers ? (
        <small>Others have continued it: it cannot be deleted any more.</small>
      ) : (
        <button type="button" class="danger" onClick={remove}>
          <Icon name="trash" /> Delete
        </button>
      )}
    </div>
  );
}

const formats = [
  ["epub", "EPUB"],
  ["md", "Markdown"],
  ["html", "HTML"],
  ["json", "JSON"],
] as const;

/** The whole tree, or the way to one chapter, as a file. */
export function Exports({ story, node }: { story: Story; node?: string }) {
  // A link says nothing of who follows it: what is not for everybody is fetched instead.
  const isPublic = story.status !== "DRAFT" && story.ageRating !== "ADULT_18_PLUS" && !story.hidden;
  const take = (format: string) =>
    attempt(async () => {
      const text = await exportText(exportHref(story.storyId, format, node));
      download(text, `${story.title}.${format}`);
      done(`${story.title}.${format} is on its way to your downloads`);
    });
  return (
    <p class="row exports">
      <span class="soft">{node ? "Take this path along as" : "Take it along as"}</span>
      {formats.map(([format, name]) => {
        const label = `Download as ${name}`;
        if (isPublic) {
          return (
            <a
              key={format}
              class="button small"
              aria-label={label}
              download
              href={exportHref(story.storyId, format, node)}
            >
              {name}
            </a>
          );
        }
        if (format === "epub") return null;
        return (
          <button
            key={format}
            type="button"
            class="small"
            aria-label={label}
            onClick={() => void take(format)}
          >
            {name}
          </button>
        );
      })}
    </p>
  );
}

function ChapterRow({ story, node, line }: { story: Story; node: TreeNode; line: string }) {
  return (
    <li class={node.readByMe || !user.value ? "" : "is-unread"}>
      <Link href={readHref(story.storyId, node.id)}>{node.title}</Link>
      <span class="labels">
        <Badges badges={node.badges.filter((badge) => badge !== "AUTHOR")} />
      </span>
      <small>
        {node.author} · {line}
      </small>
    </li>
  );
}

function Contributors({ tree }: { tree: Tree }) {
  const people = new Map<string, { id: string; name: string; count: number }>();
  for (const node of tree.nodes) {
    const known = people.get(node.authorId);
    if (known) known.count += 1;
    else people.set(node.authorId, { id: node.authorId, name: node.author, count: 1 });
  }
  const all = [...people.values()].sort((a, b) => b.count - a.count);
  return (
    <section class="stack" aria-labelledby="writers">
      <h2 id="writers">Written by {manyText(all.length, "person", "people")}</h2>
      <ul class="people">
        {all.slice(0, 24).map(({ id, name, count }) => (
          <li key={id}>
            <Link class="chip" href={personHref(id)}>
              {name} <span class="count">{count}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Overview({ story, tree }: { story: Story; tree: Tree }) {
  const branches = tree.nodes.filter((node) => node.parent !== null && !node.removed);
  const loved = [...branches].sort((a, b) => b.score - a.score || b.reads - a.reads);
  const latest = [...branches].sort((a, b) => b.createdAt.localeCompare(a.createdAt));
  const list = (title: string, nodes: TreeNode[], line: (node: TreeNode) => string) => (
    <section class="card stack" aria-label={title}>
      <h2>{title}</h2>
      <ol class="chapter-list">
        {nodes.slice(0, shownMax).map((node) => (
          <ChapterRow key={node.id} story={story} node={node} line={line(node)} />
        ))}
      </ol>
    </section>
  );
  if (branches.length === 0) {
    return (
      <Empty title="Nobody has gone on yet">
        <p>There is a first chapter, and then nothing. What happens next?</p>
        <Link
          class="button primary"
          href={`${storyHref(story.storyId)}/write/${encodeURIComponent(tree.rootNodeId)}`}
        >
          Write what happens next
        </Link>
      </Empty>
    );
  }
  return (
    <div class="charts">
      {list("Best loved branches", loved, (node) => `${manyText(node.score, "point")}`)}
      {list("Latest branches", latest, (node) => agoText(node.createdAt))}
    </div>
  );
}

async function load(id: string, signal: AbortSignal) {
  const [story, tree] = await Promise.all([getStory(id, signal), getTree(id, signal)]);
  return { story, tree };
}

/** What stands where a story cannot be seen. */
export function NoStory() {
  return (
    <Empty isPage title="This story is not here">
      <p>It was deleted, is a draft, or is for adults who have asked for such stories.</p>
      <Link class="button" href="/stories">
        All stories
      </Link>
    </Empty>
  );
}

export const isMissing = (error: unknown) => error instanceof Problem && error.status === 404;

export function StoryPage({ id }: { id: string }) {
  const { data, error, reload } = useLoad(
    (signal) => load(id, signal),
    [id, user.value?.sub, changed.value],
  );
  const isOwn = data?.story.authorId === user.value?.sub;
  useShortcut("v", "Show the tree", () => navigate(`${storyHref(id)}/tree`));
  useShortcut("e", "Edit this story", () => isOwn && navigate(`${storyHref(id)}/edit`));
  if (leaving.value.has(storyPath(id)) || isMissing(error)) return <NoStory />;
  if (error !== undefined) return <ProblemBox error={error} onRetry={reload} />;
  if (!data) return <Loading what="Opening the story" />;
  const { story, tree } = data;
  const bookmark = story.me?.bookmark;
  const read = tree.nodes.filter((node) => node.readByMe).length;
  return (
    <>
      <div class="story-head">
        <div class="stack">
          <Cover title={story.title} src={story.coverImageUrl} alt={`Cover of ${story.title}`} />
          {isOwn && (
            <PictureEditor
              title={story.title}
              address={story.coverImageUrl}
              path={storyPath(id)}
              etag={tagOf(story)}
              onChanged={() => touch()}
              isShown
            />
          )}
        </div>
        <div class="stack">
          <PageTitle
            title={story.title}
            line={
              <>
                by <AuthorLink id={story.authorId} name={story.authorName} />
                {story.publishedAt && `, since ${dayText(story.publishedAt)}`}
              </>
            }
          />
          {story.hidden && (
            <p class="note">
              Moderators have hidden this story{story.hiddenReason && `: ${story.hiddenReason}`}
            </p>
          )}
          <p class="lead">{story.synopsis}</p>
          <Labels story={story} />
          <div class="row">
            <Link
              class="button primary"
              href={readHref(id, bookmark?.currentNodeId ?? tree.rootNodeId)}
            >
              <Icon name="book" /> {bookmark ? "Go on reading" : "Begin to read"}
            </Link>
            <Link class="button" href={`${storyHref(id)}/tree`}>
              <Icon name="branch" /> Tree
            </Link>
            {user.value && (
              <button
                type="button"
                aria-pressed={bookmark !== undefined}
                onClick={() => void follow(story)}
              >
                <Icon name="bookmark" /> {bookmark ? "Following" : "Follow"}
              </button>
            )}
            {!isOwn && (
              <ReportButton target={{ targetType: "STORY", targetId: id }} what="this story" />
            )}
          </div>
          {isOwn && <OwnActions story={story} />}
        </div>
      </div>
      <dl class="facts">
        <Fact name="Chapters">{countText(tree.totalNodes)}</Fact>
        <Fact name="Deepest path">{manyText(tree.maxDepth + 1, "chapter")}</Fact>
        <Fact name="Reads">{countText(story.stats?.totalReads ?? 0)}</Fact>
        <Fact name="Upvotes">{countText(story.stats?.totalUpvotes ?? 0)}</Fact>
        {user.value && (
          <Fact name="You have read">
            {countText(read)} <small>of {countText(tree.totalNodes)}</small>
          </Fact>
        )}
      </dl>
      <Overview story={story} tree={tree} />
      <Contributors tree={tree} />
      <Exports story={story} />
    </>
  );
}
