import { useSignal } from "@preact/signals";
import { ReadOn } from "../shared/read_on";
import { Problem, user } from "../shared/api";
import { AreaField, FormProblem, SubmitButton, useForm } from "../shared/form";
import { Icon } from "../shared/icons";
import { useShortcut } from "../shared/keys";
import { keep, leaving, removeSoon } from "../shared/leaving";
import { changed, touch } from "../shared/live";
import { Markdown } from "../shared/markdown";
import { usePages } from "../shared/pages";
import { isUploaded, PictureEditor } from "../shared/picture";
import { Fact, hueOf, Loading, manyText, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { Plot } from "../shared/plot";
import { Link, navigate } from "../shared/router";
import { attempt, done } from "../shared/toast";
import { Art } from "./art";
import { Gone } from "./list_page";
import {
  Ago,
  curatorHref,
  factsText,
  genreHref,
  kindText,
  listHref,
  SeenButton,
  signInHref,
  StarPicker,
  Stars,
  titleHref,
  useDescription,
} from "./pieces";
import {
  addEntry,
  type ContentType,
  getTitle,
  isAdmin,
  isCurator,
  listsOf,
  me,
  type OwnRating,
  ownRating,
  rate,
  ratingPath,
  reviewsOf,
  tagOf,
  type Title,
  titlePath,
  type Watchlist,
  yearOf,
} from "./server";

const points = Array.from({ length: 10 }, (_, i) => i + 1);

/** How often 1 to 10 was given. */
export function Distribution({
  title,
  distribution,
  average,
}: {
  title: string;
  distribution: number[];
  average?: number;
}) {
  const count = distribution.reduce((sum, it) => sum + it, 0);
  const share = (times: number) => `${Math.round((times / Math.max(count, 1)) * 100)} %`;
  return (
    <Plot
      title={average === undefined ? title : `${title}, ${average} on average`}
      height={190}
      from={0.4}
      to={10.6}
      layers={[
        {
          kind: "bars",
          label: "Ratings",
          width: 1,
          points: points.map((x) => ({ x, y: distribution[x - 1] ?? 0 })),
        },
      ]}
      marks={points.map((x) => ({ x, text: String(x) }))}
      stops={points.map((x) => {
        const times = distribution[x - 1] ?? 0;
        return { x, text: `${x} of 10 · ${manyText(times, "rating")} · ${share(times)}` };
      })}
      head={["Rating", "How often", "Share"]}
      rows={points.map((x) => {
        const times = distribution[x - 1] ?? 0;
        return [String(x), String(times), share(times)];
      })}
    />
  );
}

function RatingCard({ title, type, id }: { title: Title; type: ContentType; id: string }) {
  const path = ratingPath(type, id);
  const isRated = title.me?.rating !== undefined && !leaving.value.has(path);
  // Only where there is one: the API has no address to read one rating.
  const { data } = useLoad(
    async (signal) => (isRated ? ownRating(type, id, signal) : undefined),
    [id, isRated, changed.value],
  );
  const isBusy = useSignal(false);
  const isWriting = useSignal(false);
  const own: OwnRating | undefined = isRated ? data : undefined;
  const value = own?.rating ?? (isRated ? title.me?.rating : undefined);

  const pick = async (rating: number) => {
    isBusy.value = true;
    keep(path);
    await attempt(async () => {
      const before =
        own ?? (title.me?.rating === undefined ? undefined : await ownRating(type, id));
      const review = before?.review;
      await rate(type, id, { rating, ...(review && { review }) }, before);
      done(`You gave ${title.title} ${rating} of 10`);
    });
    isBusy.value = false;
    touch();
  };
  const { state, onSubmit } = useForm(async (form) => {
    const review = String(form.get("review") ?? "").trim();
    if (!own) throw new Error("rate it first");
    try {
      await rate(type, id, { rating: own.rating, ...(review && { review }) }, own);
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 412) throw error;
      touch();
      throw new Error("your rating was changed elsewhere; look at what it says now and save again");
    }
    isWriting.value = false;
    done(review ? "Your review is saved" : "Your review is gone");
    touch();
  });
  useShortcut("r", "Rate it", () =>
    document.querySelector<HTMLElement>(".picker input:checked, .picker input")?.focus(),
  );
  if (!user.value) {
    return (
      <section class="card stack" aria-labelledby="yours">
        <h2 id="yours">Seen it?</h2>
        <p class="soft">
          <a href={signInHref()}>Sign in</a> to rate it and to keep track of what you have seen.
        </p>
      </section>
    );
  }
  return (
    <section class="card stack" aria-labelledby="yours">
      <div class="row spread">
        <h2 id="yours">Your rating</h2>
        {!isRated && (
          <SeenButton
            name={title.title}
            type={type}
            id={id}
            mark={title.me && { ...title.me, rating: undefined }}
          />
        )}
      </div>
      <StarPicker value={value} isBusy={isBusy.value} onPick={(rating) => void pick(rating)} />
      {own && !isWriting.value && (
        <>
          {own.review && (
            <div class="own-review">
              <Markdown text={own.review} />
            </div>
          )}
          <p class="row">
            <button type="button" class="small" onClick={() => (isWriting.value = true)}>
              {own.review ? "Change the review" : "Write a review"}
            </button>
            <button
              type="button"
              class="quiet small"
              onClick={() => removeSoon(path, tagOf(own), "Your rating is taken back")}
            >
              Take it back
            </button>
          </p>
        </>
      )}
      {own && isWriting.value && (
        <form class="form" onSubmit={onSubmit} noValidate>
          <AreaField
            label="Review"
            name="review"
            rows={5}
            state={state.value}
            defaultValue={own.review ?? ""}
            hint="**bold**, *italic*, lists. Everybody can read it."
          />
          <FormProblem state={state.value} />
          <div class="form-end">
            <button type="button" onClick={() => (isWriting.value = false)}>
              Cancel
            </button>
            <SubmitButton state={state.value}>Save review</SubmitButton>
          </div>
        </form>
      )}
    </section>
  );
}

/** Puts the title into a list of the curator's. */
function AddToList({ title, type, id }: { title: Title; type: ContentType; id: string }) {
  const sub = me.value?.userId ?? "";
  const { data } = useLoad((signal) => listsOf(sub, undefined, signal), [sub, changed.value]);
  const there = new Set((title.lists ?? []).map((list) => list.watchlistId));
  const free = (data?.items ?? []).filter((list) => !there.has(list.watchlistId));
  if (free.length === 0) return null;
  const add = (list: Watchlist) =>
    attempt(async () => {
      await addEntry(list.watchlistId, type, id);
      done(`${title.title} is in ${list.title}`);
    }).finally(touch);
  return (
    <select
      class="auto"
      aria-label="Add to a list of yours"
      value=""
      onChange={(event) => {
        const list = free.find((it) => it.watchlistId === event.currentTarget.value);
        event.currentTarget.value = "";
        if (list) void add(list);
      }}
    >
      <option value="">Add to a list…</option>
      {free.map((list) => (
        <option key={list.watchlistId} value={list.watchlistId}>
          {list.title}
        </option>
      ))}
    </select>
  );
}

function Lists({ title }: { title: Title }) {
  const lists = title.lists ?? [];
  return (
    <section class="stack" aria-labelledby="lists">
      <h2 id="lists">In {manyText(lists.length, "list")}</h2>
      {lists.length === 0 && <p class="soft">No list has it yet.</p>}
      <ul class="short-lists">
        {lists.map((list) => (
          <li key={list.watchlistId}>
            <Link href={listHref(list.watchlistId)}>{list.title}</Link>
            <small>
              {list.curatorName && `by ${list.curatorName} · `}
              {manyText(list.itemCount, "title")}
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ReviewProps {
  found: ReturnType<typeof useReviews>;
}
const useReviews = (type: ContentType, id: string) =>
  usePages((cursor, signal) => reviewsOf(type, id, cursor, signal), [type, id]);

function Ratings({ found }: ReviewProps) {
  if (!found.first) return null;
  const { count, average, distribution } = found.first;
  return (
    <section class="card" aria-label="Ratings">
      {count === 0 ? (
        <>
          <h2>Ratings</h2>
          <p class="soft">Nobody has rated it yet.</p>
        </>
      ) : (
        <Distribution title={manyText(count, "rating")} {...{ distribution, average }} />
      )}
    </section>
  );
}

function ReviewList({ found, own }: ReviewProps & { own: string }) {
  const isLeaving = leaving.value.has(own);
  const shown = found.items
    .filter((it) => !(isLeaving && it.userId === user.value?.sub))
    .sort((a, b) => Number(Boolean(b.review)) - Number(Boolean(a.review)));
  return (
    <section class="stack" aria-labelledby="reviews">
      <h2 id="reviews">What people say</h2>
      {found.error !== undefined && <ProblemBox error={found.error} onRetry={found.reload} />}
      {!found.first && found.error === undefined && <Loading />}
      {found.first && shown.length === 0 && (
        <p class="soft">Nobody has said anything. The first word could be yours.</p>
      )}
      <ul class="reviews">
        {shown.map((it) => (
          <li key={it.userId} class={it.review ? "card review" : "review is-short"}>
            <p class="comment-head">
              <span class={`face ${hueOf(it.username ?? "?")}`} aria-hidden="true">
                {[...(it.username ?? "?")][0]}
              </span>
              <Link href={curatorHref(it.userId)}>{it.username ?? "Somebody"}</Link>
              <Stars rating={it.rating} />
              <small>
                <Ago time={it.ratedAt} />
              </small>
            </p>
            {it.review && <Markdown text={it.review} />}
          </li>
        ))}
      </ul>
      <ReadOn cursor={found.cursor} read={found.more} />
    </section>
  );
}

export function TitlePage({ type, id }: { type: ContentType; id: string }) {
  const { data, error, reload } = useLoad(
    (signal) => getTitle(type, id, signal),
    [type, id, changed.value],
  );
  useDescription(data?.synopsis);
  const reviews = useReviews(type, id);
  const mayEdit = data !== undefined && (isAdmin() || data.createdBy === user.value?.sub);
  const edit = `${titleHref(type, id)}/edit`;
  useShortcut("e", "Edit this title", () => mayEdit && navigate(edit));
  if (leaving.value.has(titlePath(type, id)) || (error instanceof Problem && error.status === 404))
    return <Gone what="title" />;
  if (error !== undefined) return <ProblemBox error={error} onRetry={reload} />;
  if (!data) return <Loading what="Opening the title" />;
  const makers = data.directors ?? data.creators ?? [];
  const remove = () => {
    removeSoon(titlePath(type, id), tagOf(data), `${data.title} is deleted`);
    navigate("/watch/titles");
  };
  return (
    <>
      <div class="title-head">
        <div class="stack">
          {isUploaded(data.posterUrl) ? (
            <img class="poster-photo" src={data.posterUrl} alt={`Poster of ${data.title}`} />
          ) : (
            <div class={`poster poster-large ${hueOf(data.title)}`} aria-hidden="true">
              <Art seed={data.title} genres={data.genres} />
              <span class="poster-title">{data.title}</span>
              <span class="poster-year">{yearOf(data)}</span>
            </div>
          )}
          {mayEdit && (
            <PictureEditor
              title={data.title}
              address={data.posterUrl}
              path={titlePath(type, id)}
              etag={tagOf(data)}
              onChanged={() => touch()}
              isShown
            />
          )}
        </div>
        <div class="stack title-words">
          <PageTitle
            title={data.title}
            line={[kindText(type), factsText(data)].filter(Boolean).join(" · ")}
          >
            {isCurator() && <AddToList title={data} type={type} id={id} />}
            {mayEdit && (
              <Link class="button" href={edit}>
                <Icon name="design" /> Edit
              </Link>
            )}
            {isAdmin() && data.listCount === 0 && (
              <button type="button" class="danger" onClick={remove}>
                <Icon name="trash" /> Delete
              </button>
            )}
          </PageTitle>
          {data.genres.length > 0 && (
            <ul class="tags" aria-label="Genres">
              {data.genres.map((genre) => (
                <li key={genre}>
                  <Link class={`chip ${hueOf(genre)}`} href={genreHref(genre)}>
                    {genre}
                  </Link>
                </li>
              ))}
            </ul>
          )}
          {data.synopsis && (
            <div class="synopsis">
              <Markdown text={data.synopsis} />
            </div>
          )}
          <dl class="facts">
            <Fact name="Average">
              {data.rating === undefined ? (
                "–"
              ) : (
                <>
                  {data.rating} <small>of 10</small>
                </>
              )}
            </Fact>
            {makers.length > 0 && (
              <Fact name={type === "SHOW" ? "Made by" : "Directed by"}>{makers.join(", ")}</Fact>
            )}
            {data.status && <Fact name="State">{data.status}</Fact>}
            {data.cast.length > 0 && <Fact name="With">{data.cast.join(", ")}</Fact>}
          </dl>
        </div>
      </div>
      <div class="title-body">
        <div class="stack">
          <RatingCard title={data} type={type} id={id} />
          <ReviewList found={reviews} own={ratingPath(type, id)} />
        </div>
        <div class="stack">
          <Ratings found={reviews} />
          <Lists title={data} />
        </div>
      </div>
    </>
  );
}
