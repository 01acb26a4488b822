import { useEffect, useRef } from "preact/hooks";
import { ReadOn } from "../shared/read_on";
import { Problem, user } from "../shared/api";
import { dayText } from "../shared/dates";
import { HeatMap } from "../shared/heat_map";
import { leaving } from "../shared/leaving";
import { changed } from "../shared/live";
import { Markdown } from "../shared/markdown";
import { usePages } from "../shared/pages";
import { Fact, hueOf, Loading, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { Plot } from "../shared/plot";
import { isUploaded } from "../shared/picture";
import { Link } from "../shared/router";
import { Gone } from "./list_page";
import { ListCard } from "./pieces";
import { type Activity, activityOf, listPath, listsOf, personOf } from "./server";

const months = 12;
const monthName = (month: string) =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString("en-GB", {
    month: "short",
    timeZone: "UTC",
  });

/** The twelve months up to a day, as "2026-01". */
function monthsUpTo(date: string): string[] {
  const last = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;
  return Array.from({ length: months }, (_, i) => {
    const month = last - months + 1 + i;
    return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, "0")}`;
  });
}

function ActivityCharts({ activity }: { activity: Activity }) {
  const place = useRef<HTMLDivElement>(null);
  // Where a year does not fit, its end is what matters.
  useEffect(() => {
    const map = place.current?.querySelector(".heat-map");
    if (map) map.scrollLeft = map.scrollWidth;
  }, []);
  const perDay = new Map(activity.items.map((day) => [day.date, day.lists + day.items]));
  const names = monthsUpTo(activity.to);
  const all = names.map((month, x) => {
    const days = activity.items.filter((day) => day.date.startsWith(month));
    return {
      x,
      month,
      items: days.reduce((sum, day) => sum + day.items, 0),
      lists: days.reduce((sum, day) => sum + day.lists, 0),
    };
  });
  return (
    <section class="card stack" aria-label="Activity" ref={place}>
      <HeatMap
        title="A year of lists"
        days={perDay}
        until={activity.to}
        unit="additions"
        one="addition"
      />
      <Plot
        title="Per month"
        height={190}
        from={-0.6}
        to={months - 0.4}
        layers={[
          {
            kind: "bars",
            label: "Titles added",
            width: 0.45,
            points: all.map(({ x, items }) => ({ x: x - 0.2, y: items })),
          },
          {
            kind: "bars",
            label: "Lists made",
            tone: 1,
            width: 0.45,
            points: all.map(({ x, lists }) => ({ x: x + 0.2, y: lists })),
          },
        ]}
        marks={all.map(({ x, month }) => ({ x, text: monthName(month) }))}
        stops={all.map(({ x, month, items, lists }) => ({
          x,
          text: `${monthName(month)} · ${items} titles · ${lists} lists`,
        }))}
        head={["Month", "Titles added", "Lists made"]}
        rows={all.map(({ month, items, lists }) => [month, String(items), String(lists)])}
      />
    </section>
  );
}

async function load(id: string, signal: AbortSignal) {
  const [person, activity] = await Promise.all([personOf(id, signal), activityOf(id, signal)]);
  return { person, activity };
}

export function CuratorPage({ id }: { id: string }) {
  const { data, error, reload } = useLoad((signal) => load(id, signal), [id, changed.value]);
  const lists = usePages((cursor, signal) => listsOf(id, cursor, signal), [id]);
  if (error instanceof Problem && error.status === 404) return <Gone what="person" />;
  if (error !== undefined) return <ProblemBox error={error} onRetry={reload} />;
  if (!data) return <Loading />;
  const { person, activity } = data;
  const shown = lists.items.filter((list) => !leaving.value.has(listPath(list.watchlistId)));
  const isCurator = person.curatorStatus === "approved";
  const saves = shown.reduce((sum, list) => sum + list.saveCount, 0);
  const additions = activity.items.reduce((sum, day) => sum + day.items, 0);
  return (
    <>
      <div class="person-head">
        {isUploaded(person.avatarUrl) ? (
          <img class="face face-large" src={person.avatarUrl} alt={person.username} />
        ) : (
          <span class={`face face-large ${hueOf(person.username)}`} aria-hidden="true">
            {[...person.username][0]}
          </span>
        )}
        <div class="stack">
          <PageTitle
            title={person.username}
            line={`${isCurator ? "Curator, here" : "Here"} since ${dayText(person.createdAt)}`}
          >
            {person.userId === user.value?.sub && (
              <Link class="button" href="/watch/profile">
                Edit profile
              </Link>
            )}
          </PageTitle>
          {person.bio && <Markdown text={person.bio} />}
        </div>
      </div>
      {shown.length > 0 && (
        <dl class="facts">
          <Fact name="Lists">
            {shown.length}
            {lists.cursor && "+"}
          </Fact>
          <Fact name="Saves">{saves}</Fact>
          <Fact name="Titles added in a year">{additions}</Fact>
          <Fact name="Active days">{activity.items.length}</Fact>
        </dl>
      )}
      {activity.items.length > 0 && <ActivityCharts activity={activity} />}
      <section class="stack" aria-labelledby="lists">
        <h2 id="lists">Lists</h2>
        {lists.first && shown.length === 0 && <p class="soft">No public lists.</p>}
        <ul class="list-cards" aria-labelledby="lists">
          {shown.map((list) => (
            <ListCard key={list.watchlistId} list={list} />
          ))}
        </ul>
        <ReadOn cursor={lists.cursor} read={lists.more} />
      </section>
    </>
  );
}
