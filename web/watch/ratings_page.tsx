// What somebody has rated.

import { Empty, Fact, Loading, manyText, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { leaving, removeSoon } from "../shared/leaving";
import { changed } from "../shared/live";
import { Markdown } from "../shared/markdown";
import { Link, query, setQuery } from "../shared/router";
import { Thumb } from "./art";
import { Ago, factsText, kindText, Stars, titleHref } from "./pieces";
import { allRatings, ratingPath, tagOf } from "./server";
import { Distribution } from "./title_page";

const kinds = { "": "All", MOVIE: "Films", SHOW: "Series" };

export function RatingsPage() {
  const asked = query.value.get("type") ?? "";
  const type = asked in kinds ? asked : "";
  const { data, error, reload } = useLoad(
    (signal) => allRatings(type, signal),
    [type, changed.value],
  );
  const shown = (data ?? [])
    .filter((it) => !leaving.value.has(ratingPath(it.contentType, it.contentId)))
    .sort((a, b) => b.rating - a.rating || (a.ratedAt < b.ratedAt ? 1 : -1));
  const distribution = Array.from(
    { length: 10 },
    (_, i) => shown.filter((it) => it.rating === i + 1).length,
  );
  const sum = shown.reduce((all, it) => all + it.rating, 0);
  const average = shown.length > 0 ? Math.round((sum * 10) / shown.length) / 10 : undefined;
  return (
    <>
      <PageTitle title="Your ratings" line="What you thought of what you saw, the best first.">
        <span class="switch" role="group" aria-label="Kind">
          {Object.entries(kinds).map(([value, label]) => (
            <button
              key={value}
              type="button"
              aria-pressed={value === type}
              onClick={() => setQuery({ type: value || null })}
            >
              {label}
            </button>
          ))}
        </span>
      </PageTitle>
      {error !== undefined && <ProblemBox error={error} onRetry={reload} />}
      {!data && error === undefined && <Loading what="Looking for your ratings" />}
      {data && shown.length === 0 && (
        <Empty title="Nothing rated yet">
          <p>Open a film or series that you have seen and give it its stars.</p>
          <Link class="button primary" href="/watch/titles">
            Find titles
          </Link>
        </Empty>
      )}
      {shown.length > 0 && (
        <div class="ratings-body">
          <ul class="own-ratings" aria-label="Ratings">
            {shown.map((it) => (
              <li key={it.contentType + it.contentId}>
                <Thumb title={it.content?.title ?? "?"} genres={it.content?.genres} />
                <div>
                  <h3>
                    <Link href={titleHref(it.contentType, it.contentId)}>
                      {it.content?.title ?? "A title that is gone"}
                    </Link>
                  </h3>
                  <p class="entry-facts">
                    <Stars rating={it.rating} />
                    <span>
                      {[kindText(it.contentType), it.content && factsText(it.content)]
                        .filter(Boolean)
                        .join(" · ")}
                    </span>
                    <span>
                      <Ago time={it.ratedAt} />
                    </span>
                  </p>
                  {it.review && (
                    <div class="entry-note">
                      <Markdown text={it.review} />
                    </div>
                  )}
                </div>
                <button
                  type="button"
                  class="quiet small"
                  aria-label={`Take back the rating of ${it.content?.title ?? "it"}`}
                  onClick={() =>
                    removeSoon(
                      ratingPath(it.contentType, it.contentId),
                      tagOf(it),
                      `Your rating of ${it.content?.title ?? "it"} is taken back`,
                    )
                  }
                >
                  Take back
                </button>
              </li>
            ))}
          </ul>
          <aside class="stack" aria-label="All of them">
            <dl class="facts">
              <Fact name="Rated">{manyText(shown.length, "title")}</Fact>
              <Fact name="On average">
                {average} <small>of 10</small>
              </Fact>
            </dl>
            <div class="card">
              <Distribution title="How you rate" distribution={distribution} />
            </div>
          </aside>
        </div>
      )}
    </>
  );
}
