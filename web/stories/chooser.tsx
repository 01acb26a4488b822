// What happens next: the branches of a chapter, and room for one more.

import { useSignal } from "@preact/signals";
import { user } from "../shared/api";
import { Icon } from "../shared/icons";
import { useShortcut } from "../shared/keys";
import { leaving } from "../shared/leaving";
import { changed } from "../shared/live";
import { Loading, manyText, ProblemBox, useLoad } from "../shared/pieces";
import { Link, navigate, query, setQuery } from "../shared/router";
import { Badges, ratingNames, readHref, storyHref, toneOf } from "./pieces";
import { type Chapter, chapterPath, getTree, listBranches, type Story } from "./server";

const sorts = {
  order: "As they came",
  popular: "Best loved",
  newest: "Newest",
  approved: "Author's choice",
  random: "Any order",
};

function shuffled<T>(items: T[], seed: number): T[] {
  const keyed = items.map((item, i) => ({ item, key: (Math.sin(seed * 997 + i * 131) * 1e4) % 1 }));
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
}

function BranchCard({
  branch,
  place,
  isRead,
}: {
  branch: Chapter;
  place: number;
  isRead: boolean;
}) {
  return (
    <li class={`branch-card tone-${toneOf(branch)} ${isRead ? "" : "is-unread"}`}>
      <Link href={readHref(branch.storyId, branch.nodeId)}>
        <span class="branch-place" aria-hidden="true">
          {place}
        </span>
        <span class="branch-words">
          <strong>{branch.title}</strong>
          {branch.branchDescription && <span>{branch.branchDescription}</span>}
        </span>
      </Link>
      <p class="labels">
        <Badges badges={branch.badges} />
        {branch.ageRating && <span class="chip">{ratingNames[branch.ageRating]}</span>}
        <small>
          {branch.authorName} · {manyText(branch.stats.reads, "read")} ·{" "}
          {manyText(branch.score, "point")} ·{" "}
          {manyText(branch.stats.childCount, "branch", "branches")}
        </small>
        {!isRead && user.value && <span class="chip chip-new">Unread</span>}
      </p>
    </li>
  );
}

interface ChooserProps {
  story: Story;
  chapter: Chapter;
}

export function Chooser({ story, chapter }: ChooserProps) {
  const asked = query.value.get("order") ?? "order";
  const sort = asked in sorts ? asked : "order";
  const seed = useSignal(Math.random());
  const { storyId, nodeId } = chapter;
  const { data, error, reload } = useLoad(
    async (signal) => {
      const [{ items }, { nodes }] = await Promise.all([
        listBranches(storyId, nodeId, sort === "random" ? "order" : sort, signal),
        getTree(storyId, signal, { root: nodeId, depth: 1 }),
      ]);
      const read = new Set(nodes.filter((node) => node.readByMe).map((node) => node.id));
      return { nodeId, items, read };
    },
    [storyId, nodeId, sort, user.value?.sub, changed.value],
  );
  const isCurrent = data?.nodeId === nodeId;
  const found = (isCurrent ? data.items : []).filter(
    (branch) => !leaving.value.has(chapterPath(branch.storyId, branch.nodeId)),
  );
  const branches = sort === "random" ? shuffled(found, seed.value) : found;
  const take = (i: number) => {
    const branch = branches[i];
    if (branch) navigate(readHref(storyId, branch.nodeId));
  };
  useShortcut("1", "Take the first branch", () => take(0));
  useShortcut("2", "Take the second branch", () => take(1));
  useShortcut("3", "Take the third branch", () => take(2));
  const writeHref = `${storyHref(storyId)}/write/${encodeURIComponent(nodeId)}`;
  useShortcut("w", "Write what happens next", () => navigate(writeHref));
  const isOpen = story.status !== "COMPLETED" || story.branchesWhenCompleted === true;
  return (
    <section class="chooser stack" aria-labelledby="next">
      <div class="row spread">
        <h2 id="next">
          {found.length > 0 || !isCurrent ? "What happens next?" : "Here the story stops"}
        </h2>
        {found.length > 1 && (
          <select
            aria-label="Order of the branches"
            value={sort}
            onChange={(event) => {
              const chosen = event.currentTarget.value;
              seed.value = Math.random();
              setQuery({ order: chosen === "order" ? null : chosen });
            }}
          >
            {Object.entries(sorts).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )}
      </div>
      {error !== undefined && <ProblemBox error={error} onRetry={reload} />}
      {!isCurrent && error === undefined && <Loading what="Looking for branches" />}
      <ol class="branch-cards">
        {branches.map((branch, i) => (
          <BranchCard
            key={branch.nodeId}
            branch={branch}
            place={i + 1}
            isRead={data?.read.has(branch.nodeId) ?? false}
          />
        ))}
        {isOpen && !chapter.removed && (
          <li class="branch-card branch-new">
            <Link href={writeHref}>
              <span class="branch-place" aria-hidden="true">
                <Icon name="plus" />
              </span>
              <span class="branch-words">
                <strong>
                  {found.length > 0 ? "Write another way on" : "Write what happens next"}
                </strong>
                <span>
                  {found.length > 0
                    ? "None of these is yours? Begin a branch from here."
                    : "Nobody has gone on from here. The next page is yours."}
                </span>
              </span>
            </Link>
          </li>
        )}
      </ol>
      {!isOpen && isCurrent && found.length === 0 && (
        <p class="soft">The story is complete, and takes no more branches.</p>
      )}
    </section>
  );
}
