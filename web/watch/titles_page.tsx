import { ReadOn } from "../shared/read_on";
import { Icon } from "../shared/icons";
import { useShortcut } from "../shared/keys";
import { usePages } from "../shared/pages";
import { Empty, Loading, manyText, PageTitle, ProblemBox } from "../shared/pieces";
import { Link, navigate, query, setQuery } from "../shared/router";
import { WordsField } from "./discover_page";
import { Poster } from "./pieces";
import { type ContentType, idOf, isAdmin, isCurator, titles } from "./server";

const sorts = {
  popular: "In most lists",
  rating: "Best rated",
  year: "Latest year",
  newest: "Added last",
};

export const genres = [
  "Action",
  "Adventure",
  "Animation",
  "Biography",
  "Comedy",
  "Crime",
  "Documentary",
  "Drama",
  "Family",
  "Fantasy",
  "Horror",
  "Mystery",
  "Romance",
  "Science Fiction",
  "Thriller",
];

export function TitlesPage() {
  const type: ContentType = query.value.get("type") === "SHOW" ? "SHOW" : "MOVIE";
  const words = (query.value.get("q") ?? "").trim();
  const genre = query.value.get("genre") ?? "";
  const asked = query.value.get("year") ?? "";
  const year = /^(18|19|20)\d\d$/.test(asked) ? asked : "";
  const wanted = query.value.get("sort") ?? "popular";
  const sort = words ? "best" : wanted in sorts ? wanted : "popular";
  const found = usePages(
    (cursor, signal) => titles(type, { q: words, genre, year, sort, cursor }, signal),
    [type, words, genre, year, sort],
  );
  const mayAdd = isCurator() || isAdmin();
  useShortcut("n", "Add a title", () => mayAdd && navigate("/watch/add"));
  const choices = genre && !genres.includes(genre) ? [genre, ...genres] : genres;
  const isFiltered = words !== "" || genre !== "" || year !== "";
  return (
    <>
      <PageTitle title="Titles" line="Everything that a list can have.">
        {mayAdd && (
          <Link class="button primary" href="/watch/add">
            <Icon name="plus" /> Add a title
          </Link>
        )}
      </PageTitle>
      <div class="find-row">
        <span class="switch" role="group" aria-label="Kind">
          {(["MOVIE", "SHOW"] as const).map((kind) => (
            <button
              key={kind}
              type="button"
              aria-pressed={kind === type}
              onClick={() => setQuery({ type: kind === "MOVIE" ? null : kind })}
            >
              {kind === "SHOW" ? "Series" : "Films"}
            </button>
          ))}
        </span>
        <WordsField label="Find titles" hint="Title, person or words" />
        <select
          aria-label="Genre"
          value={genre}
          onChange={(event) => setQuery({ genre: event.currentTarget.value || null })}
        >
          <option value="">All genres</option>
          {choices.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        <input
          class="year"
          inputMode="numeric"
          aria-label="Year"
          placeholder="Year"
          maxLength={4}
          value={asked}
          onInput={(event) => {
            const text = event.currentTarget.value.trim();
            setQuery({ year: text || null });
          }}
        />
        <select
          aria-label="Order"
          value={wanted in sorts ? wanted : "popular"}
          disabled={words !== ""}
          onChange={(event) => {
            const chosen = event.currentTarget.value;
            setQuery({ sort: chosen === "popular" ? null : chosen });
          }}
        >
          {Object.entries(sorts).map(([value, label]) => (
            <option key={value} value={value}>
              {words ? "Best match" : label}
            </option>
          ))}
        </select>
      </div>
      {found.error !== undefined && <ProblemBox error={found.error} onRetry={found.reload} />}
      {!found.first && found.error === undefined && <Loading what="Looking for titles" />}
      {found.first && (
        <p class="soft" role="status">
          {type === "SHOW" ? `${found.first.total} series` : manyText(found.first.total, "film")}
          {isFiltered ? " found" : ""}
        </p>
      )}
      {found.first && found.items.length === 0 && (
        <Empty title={isFiltered ? "No title fits" : "Nothing here yet"}>
          <p>
            {isFiltered
              ? "Try fewer words, or another genre or year."
              : "Curators add the films and series that they write about."}
          </p>
          {isFiltered && (
            <button type="button" onClick={() => setQuery({ q: null, genre: null, year: null })}>
              Show all
            </button>
          )}
        </Empty>
      )}
      {found.items.length > 0 && (
        <ul class="wall" aria-label={type === "SHOW" ? "Series" : "Films"}>
          {found.items.map((title) => (
            <Poster key={idOf(title)} title={title} />
          ))}
        </ul>
      )}
      <ReadOn cursor={found.cursor} read={found.more} />
    </>
  );
}
