// Beginning a story, and changing what it says of itself.

import { useSignal } from "@preact/signals";
import { Problem } from "../shared/api";
import { Conflict, type Difference } from "../shared/conflict";
import {
  AreaField,
  FormProblem,
  type FormState,
  SelectField,
  SubmitButton,
  TextField,
  useForm,
} from "../shared/form";
import { touch } from "../shared/live";
import { Loading, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { Link, navigate } from "../shared/router";
import { done } from "../shared/toast";
import { type Draft, type Texts, useDraft } from "./draft";
import { Editor, FoundDraft, LengthHint, Saved } from "./editor";
import { ratingNames, storyHref } from "./pieces";
import {
  addStory,
  changeStory,
  genres,
  getStory,
  type Rating,
  ratings,
  type Story,
  warnings,
} from "./server";
import { isMissing, NoStory } from "./story_page";

const names = [
  "title",
  "synopsis",
  "genre",
  "genres",
  "ageRating",
  "contentWarnings",
  "branchesWhenCompleted",
] as const;
type Name = (typeof names)[number];
const labels: Record<Name, string> = {
  title: "Title",
  synopsis: "What it is about",
  genre: "Genre",
  genres: "Also",
  ageRating: "For whom",
  contentWarnings: "Warnings",
  branchesWhenCompleted: "Branches when complete",
};

// Lists stand in the form with a comma between.
const listOf = (text = "") =>
  text
    .split(",")
    .map((it) => it.trim())
    .filter(Boolean);

function textsOf(story?: Story): Texts {
  return {
    title: story?.title ?? "",
    synopsis: story?.synopsis ?? "",
    genre: story?.genre ?? "Adventure",
    genres: (story?.genres ?? []).join(", "),
    ageRating: story?.ageRating ?? "G",
    contentWarnings: (story?.contentWarnings ?? []).join(", "),
    branchesWhenCompleted: story?.branchesWhenCompleted ? "yes" : "",
  };
}

function bodyOf(texts: Texts): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const name of names) {
    const text = texts[name];
    if (text === undefined) continue;
    if (name === "genres" || name === "contentWarnings") body[name] = listOf(text);
    else if (name === "branchesWhenCompleted") body[name] = text === "yes";
    else body[name] = text.trim();
  }
  return body;
}

// The server names places by their path; a form has names.
function named(error: unknown): unknown {
  if (!(error instanceof Problem)) return error;
  const errors = error.errors.map((it) => {
    const [, first = "", second = ""] = it.pointer.split("/");
    const name =
      first === "firstChapter" ? (second === "title" ? "chapterTitle" : "content") : first;
    return { ...it, pointer: `/${name}` };
  });
  const { status, code, message, body } = error;
  return new Problem({ status, code, message, errors, body });
}

interface ToggleProps {
  legend: string;
  all: readonly string[];
  chosen: string[];
  most?: number;
  onChange: (chosen: string[]) => void;
}

function Toggles({ legend, all, chosen, most = Infinity, onChange }: ToggleProps) {
  return (
    <div class="toggles" role="group" aria-label={legend}>
      {all.map((it) => {
        const isChosen = chosen.includes(it);
        return (
          <button
            key={it}
            type="button"
            class="small"
            aria-pressed={isChosen}
            disabled={!isChosen && chosen.length >= most}
            onClick={() =>
              onChange(isChosen ? chosen.filter((other) => other !== it) : [...chosen, it])
            }
          >
            {it}
          </button>
        );
      })}
    </div>
  );
}

function StoryFields({ draft, state, lowest }: { draft: Draft; state: FormState; lowest: Rating }) {
  const texts = draft.texts.value;
  const field = (name: Name) => ({ label: labels[name], name, state });
  const known: readonly string[] = warnings;
  const chosen = listOf(texts.contentWarnings);
  const own = useSignal(chosen.filter((it) => !known.includes(it)).join(", "));
  const setWarnings = (list: string[], words: string) =>
    draft.set({ contentWarnings: [...list, ...listOf(words)].join(", ") });
  const marked = chosen.filter((it) => known.includes(it));
  const also = listOf(texts.genres);
  return (
    <>
      <TextField
        {...field("title")}
        value={texts.title}
        onInput={(title) => draft.set({ title })}
        required
      />
      <AreaField
        {...field("synopsis")}
        key={draft.isFound.value ? "found" : "new"}
        rows={4}
        defaultValue={texts.synopsis}
        onInput={(synopsis) => draft.set({ synopsis })}
        hint={
          <>
            What makes somebody begin to read.{" "}
            <LengthHint text={texts.synopsis ?? ""} min={50} max={2000} />
          </>
        }
      />
      <div class="form-row">
        <SelectField
          {...field("genre")}
          value={texts.genre}
          onChange={(genre) =>
            draft.set({ genre, genres: also.filter((it) => it !== genre).join(", ") })
          }
          options={[...genres]}
        />
        <SelectField
          {...field("ageRating")}
          value={texts.ageRating}
          onChange={(ageRating) => draft.set({ ageRating })}
          options={ratings
            .slice(ratings.indexOf(lowest))
            .map((value) => ({ value, label: ratingNames[value] }))}
          hint="It may rise later, and never fall"
        />
      </div>
      <div class="field">
        <span class="label">{labels.genres}</span>
        <Toggles
          legend="More genres, at most three"
          all={genres.filter((genre) => genre !== texts.genre)}
          chosen={also}
          most={3}
          onChange={(list) => draft.set({ genres: list.join(", ") })}
        />
        {state.fields.genres && <p class="field-error">{state.fields.genres}</p>}
      </div>
      <div class="field">
        <span class="label">{labels.contentWarnings}</span>
        <Toggles
          legend="Warnings"
          all={warnings}
          chosen={marked}
          onChange={(list) => setWarnings(list, own.value)}
        />
        <input
          aria-label="Warnings of your own"
          placeholder="Others, at most three, with commas between"
          value={own.value}
          aria-invalid={state.fields.contentWarnings ? true : undefined}
          onInput={(event) => {
            own.value = event.currentTarget.value;
            setWarnings(marked, own.value);
          }}
        />
        {state.fields.contentWarnings && <p class="field-error">{state.fields.contentWarnings}</p>}
      </div>
    </>
  );
}

export function NewStoryPage() {
  const draft = useDraft("new", { ...textsOf(), chapterTitle: "", content: "" });
  const { state, onSubmit } = useForm(async () => {
    const { chapterTitle = "", content = "", ...texts } = draft.texts.value;
    const { branchesWhenCompleted: _, ...body } = bodyOf(texts);
    const fields = { ...body, firstChapter: { title: chapterTitle.trim(), content } };
    const story = await addStory(fields).catch((error: unknown) => {
      throw named(error);
    });
    draft.forget();
    done(`${story.title} is saved as a draft. Only you can see it`);
    touch();
    navigate(storyHref(story.storyId), { replace: true });
  });
  const texts = draft.texts.value;
  return (
    <div class="write stack">
      <PageTitle
        title="Begin a story"
        line="It stays a draft until you publish it. Then anybody may carry it on."
      />
      <form class="card form" onSubmit={onSubmit} noValidate>
        <FoundDraft draft={draft} />
        <StoryFields draft={draft} state={state.value} lowest="G" />
        <hr />
        <h2>The first chapter</h2>
        <TextField
          label="Title of the chapter"
          name="chapterTitle"
          state={state.value}
          value={texts.chapterTitle}
          onInput={(chapterTitle) => draft.set({ chapterTitle })}
        />
        <Editor
          label="Text"
          value={texts.content ?? ""}
          onInput={(content) => draft.set({ content })}
          state={state.value}
        />
        <FormProblem state={state.value} />
        <div class="form-end">
          <Saved draft={draft} />
          <Link class="button" href="/stories">
            Later
          </Link>
          <SubmitButton state={state.value}>Save as a draft</SubmitButton>
        </div>
      </form>
    </div>
  );
}

function changesOf(before: Texts, after: Texts): Texts {
  const changes: Texts = {};
  for (const name of names) if (after[name] !== before[name]) changes[name] = after[name] ?? "";
  return changes;
}

function EditForm({ story }: { story: Story }) {
  const base = useSignal(story);
  const draft = useDraft(`story.${story.storyId}`, textsOf(story));
  const conflict = useSignal<{ current: Story; changes: Texts } | null>(null);
  const turn = useSignal(0);
  const save = async (from: Story, changes: Texts) => {
    const after = Object.keys(changes).length > 0 ? await changeStory(from, bodyOf(changes)) : from;
    draft.forget();
    done(`${after.title} is saved`);
    touch();
    navigate(storyHref(story.storyId), { replace: true });
  };
  const { state, onSubmit } = useForm(async () => {
    const changes = changesOf(textsOf(base.value), draft.texts.value);
    try {
      await save(base.value, changes);
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 412) throw named(error);
      conflict.value = { current: await getStory(story.storyId), changes };
    }
  });
  if (conflict.value) {
    const { current, changes } = conflict.value;
    const mine = draft.texts.value;
    const theirs = textsOf(current);
    const before = textsOf(base.value);
    const differences: Difference[] = names
      .filter((name) => mine[name] !== theirs[name])
      .map((name) => ({
        label: labels[name],
        before: before[name] ?? "",
        mine: mine[name] ?? "",
        theirs: theirs[name] ?? "",
        isMine: name in changes,
      }));
    const goOn = (texts: Texts) => {
      base.value = current;
      draft.set(texts);
      conflict.value = null;
      turn.value += 1;
    };
    return (
      <Conflict
        what="story"
        differences={differences}
        onMine={() => save(current, changes)}
        onTheirs={() => goOn(theirs)}
        onEdit={() => goOn({ ...theirs, ...changes })}
      />
    );
  }
  return (
    <form class="card form" key={turn.value} onSubmit={onSubmit} noValidate>
      <FoundDraft draft={draft} />
      <StoryFields draft={draft} state={state.value} lowest={base.value.ageRating} />
      <label class="check">
        <input
          type="checkbox"
          checked={draft.texts.value.branchesWhenCompleted === "yes"}
          onChange={(event) =>
            draft.set({ branchesWhenCompleted: event.currentTarget.checked ? "yes" : "" })
          }
        />
        Others may branch it even when it is complete
      </label>
      <FormProblem state={state.value} />
      <div class="form-end">
        <Saved draft={draft} />
        <Link class="button" href={storyHref(story.storyId)}>
          Cancel
        </Link>
        <SubmitButton state={state.value}>Save</SubmitButton>
      </div>
    </form>
  );
}

export function EditStoryPage({ id }: { id: string }) {
  // Read once: what comes later is a conflict, not a new start.
  const { data, error, reload } = useLoad((signal) => getStory(id, signal), [id]);
  if (isMissing(error)) return <NoStory />;
  return (
    <div class="write stack">
      <PageTitle title={data ? `Edit ${data.title}` : "Edit"} />
      {error !== undefined && <ProblemBox error={error} onRetry={reload} />}
      {!data && error === undefined && <Loading />}
      {data && <EditForm story={data} />}
    </div>
  );
}
