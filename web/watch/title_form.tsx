// A film or series for the catalogue: added, or changed.

import { useSignal } from "@preact/signals";
import { EditForm, type FieldOf, fieldsIn, readTyped, type Typed } from "../shared/editing";
import {
  AreaField,
  FormProblem,
  SelectField,
  SubmitButton,
  TextField,
  useForm,
} from "../shared/form";
import { touch } from "../shared/live";
import { Loading, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { Link, navigate, query } from "../shared/router";
import { done } from "../shared/toast";
import { kindText, listHref, titleHref } from "./pieces";
import { genres } from "./titles_page";
import {
  addEntry,
  addTitle,
  changeTitle,
  type ContentType,
  getTitle,
  idOf,
  type Title,
} from "./server";

const filmLabels = {
  title: "Title",
  releaseYear: "Year",
  runtime: "Minutes",
  genres: "Genres",
  directors: "Directed by",
  cast: "With",
  synopsis: "What it is about",
};
const seriesLabels = {
  title: "Title",
  startYear: "First year",
  endYear: "Last year",
  numberOfSeasons: "Seasons",
  numberOfEpisodes: "Episodes",
  status: "State",
  genres: "Genres",
  creators: "Made by",
  cast: "With",
  synopsis: "What it is about",
};
const labelsOf = (type: ContentType): Record<string, string> =>
  type === "SHOW" ? seriesLabels : filmLabels;

const listNames = ["genres", "directors", "creators", "cast"];
const numberNames = [
  "releaseYear",
  "startYear",
  "endYear",
  "runtime",
  "numberOfSeasons",
  "numberOfEpisodes",
];

const typedOf =
  (type: ContentType) =>
  (title: object): Typed => {
    const values = title as Record<string, unknown>;
    const text = (value: unknown) =>
      Array.isArray(value) ? value.join(", ") : value === undefined ? "" : String(value);
    return Object.fromEntries(
      Object.keys(labelsOf(type)).map((name) => [name, text(values[name])]),
    );
  };

function valueOf(name: string, text: string): unknown {
  if (listNames.includes(name))
    return text
      .split(",")
      .map((it) => it.trim())
      .filter(Boolean);
  if (text === "" && name !== "title") return null;
  // What is no number goes as text, and the server says what it wants.
  if (numberNames.includes(name)) return /^\d{1,9}$/.test(text) ? Number(text) : text;
  return text;
}

function Fields({ field, type }: { field: FieldOf; type: ContentType }) {
  const state = useSignal(type === "SHOW" ? field("status").defaultValue : "");
  return (
    <>
      <TextField {...field("title")} required />
      {type === "SHOW" ? (
        <>
          <div class="form-row">
            <TextField {...field("startYear")} />
            <TextField {...field("endYear")} />
            <SelectField
              label="State"
              name="status"
              state={field("status").state}
              value={state.value}
              onChange={(value) => (state.value = value)}
              options={[
                { value: "", label: "Not known" },
                { value: "ongoing", label: "Goes on" },
                { value: "ended", label: "Ended" },
                { value: "cancelled", label: "Cancelled" },
              ]}
            />
          </div>
          <div class="form-row">
            <TextField {...field("numberOfSeasons")} />
            <TextField {...field("numberOfEpisodes")} />
          </div>
        </>
      ) : (
        <div class="form-row">
          <TextField {...field("releaseYear")} />
          <TextField {...field("runtime")} />
        </div>
      )}
      <TextField {...field("genres")} hint="With commas between" {...{ list: "genres" }} />
      <datalist id="genres">
        {genres.map((genre) => (
          <option key={genre} value={genre} />
        ))}
      </datalist>
      <div class="form-row">
        <TextField {...field(type === "SHOW" ? "creators" : "directors")} hint="With commas" />
        <TextField {...field("cast")} hint="With commas" />
      </div>
      <AreaField {...field("synopsis")} rows={4} />
    </>
  );
}

export function AddTitlePage() {
  const type = useSignal<ContentType>(query.value.get("type") === "SHOW" ? "SHOW" : "MOVIE");
  const list = query.value.get("list");
  const typed = { title: query.value.get("title") ?? "" };
  const labels = labelsOf(type.value);
  const { state, onSubmit } = useForm(async (data) => {
    const after = readTyped(Object.keys(labels), data);
    const fields = Object.fromEntries(
      Object.entries(after)
        .filter(([name, text]) => text !== "" || name === "title")
        .map(([name, text]) => [name, valueOf(name, text)]),
    );
    const title = await addTitle(type.value, fields);
    if (list) await addEntry(list, type.value, idOf(title));
    done(list ? `${title.title} is in the list` : `${title.title} is in the catalogue`);
    touch();
    const next = list ? `${listHref(list)}/edit` : titleHref(type.value, idOf(title));
    navigate(next, { replace: true });
  });
  return (
    <div class="narrow stack">
      <PageTitle title="Add a title" line="Everybody can put it on lists and rate it." />
      <form class="card form" onSubmit={onSubmit} noValidate>
        <span class="switch start" role="group" aria-label="Kind">
          {(["MOVIE", "SHOW"] as const).map((kind) => (
            <button
              key={kind}
              type="button"
              aria-pressed={kind === type.value}
              onClick={() => (type.value = kind)}
            >
              {kindText(kind)}
            </button>
          ))}
        </span>
        <Fields field={fieldsIn(labels, typed, state.value)} type={type.value} />
        <FormProblem state={state.value} />
        <div class="form-end">
          <Link class="button" href={list ? `${listHref(list)}/edit` : "/watch/titles"}>
            Cancel
          </Link>
          <SubmitButton state={state.value}>Add title</SubmitButton>
        </div>
      </form>
    </div>
  );
}

export function EditTitlePage({ type, id }: { type: ContentType; id: string }) {
  // Read once: what comes later is a conflict, not a new start.
  const { data, error, reload } = useLoad((signal) => getTitle(type, id, signal), [type, id]);
  return (
    <div class="narrow stack">
      <PageTitle title={data ? `Edit ${data.title}` : "Edit"} />
      {error !== undefined && <ProblemBox error={error} onRetry={reload} />}
      {!data && error === undefined && <Loading />}
      {data && (
        <EditForm<Title>
          what="title"
          item={data}
          labels={labelsOf(type)}
          typedOf={typedOf(type)}
          valueOf={valueOf}
          read={() => getTitle(type, id)}
          change={changeTitle}
          onSaved={(after) => {
            done(`${after.title} is saved`);
            touch();
            navigate(titleHref(type, id), { replace: true });
          }}
          end={
            <Link class="button" href={titleHref(type, id)}>
              Cancel
            </Link>
          }
        >
          {(typed, state) => <Fields field={fieldsIn(labelsOf(type), typed, state)} type={type} />}
        </EditForm>
      )}
    </div>
  );
}
