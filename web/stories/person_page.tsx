import { user } from "../shared/api";
import { agoText, dateOf, dayText } from "../shared/dates";
import { HeatMap } from "../shared/heat_map";
import { leaving } from "../shared/leaving";
import { changed } from "../shared/live";
import { Markdown } from "../shared/markdown";
import {
  countText,
  Empty,
  Fact,
  hueOf,
  Loading,
  manyText,
  PageTitle,
  ProblemBox,
  useLoad,
} from "../shared/pieces";
import { isUploaded } from "../shared/picture";
import { Link } from "../shared/router";
import { Badges, readHref, StoryCard, storyHref } from "./pieces";
import { ReportButton } from "./report";
import {
  branchesOf,
  type Chapter,
  chapterPath,
  getPerson,
  type Person,
  storiesOf,
  type Story,
  storyPath,
} from "./server";
import { isMissing } from "./story_page";

const branchesShown = 12;

export interface Work {
  person: Person;
  stories: Story[];
  branches: Chapter[];
}

export async function loadWork(id: string, signal: AbortSignal): Promise<Work> {
  const [person, stories, branches] = await Promise.all([
    getPerson(id, signal),
    storiesOf(id, signal),
    branchesOf(id, signal),
  ]);
  return { person, stories, branches };
}

export function Face({ name, src }: { name: string; src?: string }) {
  if (isUploaded(src)) return <img class="face" src={src} alt={name} />;
  const [letter = "?"] = name.trim();
  return (
    <span class={`face ${hueOf(name)}`} aria-hidden="true">
      {letter.toUpperCase()}
    </span>
  );
}

export function PersonFacts({ person }: { person: Person }) {
  const { storiesCreated, branchesContributed, totalReads, totalUpvotes } = person.stats;
  return (
    <dl class="facts">
      <Fact name="Stories">{countText(storiesCreated)}</Fact>
      <Fact name="Branches">{countText(branchesContributed)}</Fact>
      <Fact name="Reads">{countText(totalReads)}</Fact>
      <Fact name="Upvotes">{countText(totalUpvotes)}</Fact>
    </dl>
  );
}

/** Stories and branches by the day they were begun. */
export function Contributions({ work }: { work: Work }) {
  const days = new Map<string, number>();
  for (const { createdAt } of [...work.stories, ...work.branches]) {
    const day = dateOf(createdAt);
    days.set(day, (days.get(day) ?? 0) + 1);
  }
  return (
    <section class="card">
      <HeatMap
        title="A year of writing"
        days={days}
        until={dateOf(Date.now())}
        unit="stories and branches"
        one="story or branch"
      />
    </section>
  );
}

export function Works({ work }: { work: Work }) {
  const stories = work.stories.filter((it) => !leaving.value.has(storyPath(it.storyId)));
  const branches = work.branches.filter(
    (it) => !leaving.value.has(chapterPath(it.storyId, it.nodeId)),
  );
  return (
    <>
      <section class="stack" aria-labelledby="their-stories">
        <h2 id="their-stories">{manyText(stories.length, "story", "stories")} begun</h2>
        {stories.length === 0 && <p class="soft">None that can be seen.</p>}
        <ul class="story-cards">
          {stories.map((story) => (
            <StoryCard key={story.storyId} story={story} />
          ))}
        </ul>
      </section>
      <section class="stack" aria-labelledby="their-branches">
        <h2 id="their-branches">{manyText(branches.length, "branch", "branches")} written</h2>
        {branches.length === 0 && <p class="soft">No story was carried on yet.</p>}
        <ol class="chapter-list card">
          {branches.slice(0, branchesShown).map((branch) => (
            <li key={branch.nodeId}>
              <Link href={readHref(branch.storyId, branch.nodeId)}>{branch.title}</Link>
              <span class="labels">
                <Badges badges={branch.badges.filter((badge) => badge !== "AUTHOR")} />
              </span>
              <small>
                in <Link href={storyHref(branch.storyId)}>{branch.storyTitle ?? "a story"}</Link>
                {`, ${agoText(branch.createdAt)} · ${manyText(branch.stats.reads, "read")}`}
              </small>
            </li>
          ))}
        </ol>
      </section>
    </>
  );
}

export function PersonPage({ id }: { id: string }) {
  const { data, error, reload } = useLoad(
    (signal) => loadWork(id, signal),
    [id, user.value?.sub, changed.value],
  );
  if (isMissing(error)) {
    return (
      <Empty isPage title="Nobody is here">
        <p>There is no such person, or not any more.</p>
        <Link class="button" href="/stories">
          All stories
        </Link>
      </Empty>
    );
  }
  if (error !== undefined) return <ProblemBox error={error} onRetry={reload} />;
  if (!data) return <Loading />;
  const { person } = data;
  return (
    <>
      <div class="person-head">
        <Face name={person.displayName} src={person.profilePictureUrl} />
        <div class="stack">
          <PageTitle title={person.displayName} line={`Here since ${dayText(person.createdAt)}`}>
            {id === user.value?.sub ? (
              <Link class="button" href="/stories/profile">
                Edit your profile
              </Link>
            ) : (
              <ReportButton target={{ targetType: "USER", targetId: id }} what="this person" />
            )}
          </PageTitle>
          {person.bio && <Markdown text={person.bio} />}
        </div>
      </div>
      <PersonFacts person={person} />
      <Contributions work={data} />
      <Works work={data} />
    </>
  );
}
