// Beginning a story, and changing what it says of itself.

import { useSignal } from "@preact/signals";
import { Problem } from "../shared/api";
import { AreaField, type FormState, SelectField, TextField, useForm } from "../shared/form";
import { touch } from "../shared/live";
import { Loading, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { navigate } from "../shared/router";
import { done } from "../shared/toast";
import { type Draft, type Texts, useDraft } from "./draft";
import { DraftForm, EditDraft, Editor, LengthHint } from "./editor";
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

const labels = {
  title: "Title",
  synopsis: "What it is about",
  genre: "Genre",
  genres: "Also",
  ageRating: "For whom",
  contentWarnings: "Warnings",
  branchesWhenCompleted: "Branches when complete",
};
type Name = keyof typeof labels;

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

function valueOf(name: string, text: string): unknown {
  if (name === "genres" || name === "contentWarnings") return listOf(text);
  return name === "branchesWhenCompleted" ? text === "yes" : text.trim();
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
  const form = useForm(async () => {
    const {
      chapterTitle = "",
      content = "",
      branchesWhenCompleted: _,
      ...about
    } = draft.texts.value;
    const story = await addStory({
      ...Object.fromEntries(
        Object.entries(about).map(([name, text]) => [name, valueOf(name, text)]),
      ),
      firstChapter: { title: chapterTitle.trim(), content },
    }).catch((error: unknown) => {
      throw named(error);
    });
    draft.forget();
    done(`${story.title} is saved as a draft. Only you can see it`);
    touch();
    navigate(storyHref(story.storyId), { replace: true });
  });
  const texts = draft.texts.value;
  const state = form.state.value;
  return (
    <div class="write stack">
      <PageTitle
        title="Begin a story"
        line="It stays a draft until you publish it. Then anybody may carry it on."
      />
      <DraftForm
        draft={draft}
        form={form}
        back={{ href: "/stories", label: "Later" }}
        button="Save as a draft"
      >
        <StoryFields draft={draft} state={state} lowest="G" />
        <hr />
        <h2>The first chapter</h2>
        <TextField
          label="Title of the chapter"
          name="chapterTitle"
          state={state}
          value={texts.chapterTitle}
          onInput={(chapterTitle) => draft.set({ chapterTitle })}
        />
        <Editor
          label="Text"
          value={texts.content ?? ""}
          onInput={(content) => draft.set({ content })}
          state={state}
        />
      </DraftForm>
    </div>
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
      {data && (
        <EditDraft<Story>
          what="story"
          name={`story.${id}`}
          item={data}
          titleOf={(story) => story.title}
          href={storyHref(id)}
          labels={labels}
          typedOf={textsOf}
          valueOf={valueOf}
          read={() => getStory(id)}
          change={(from, fields) =>
            changeStory(from, fields).catch((error: unknown) => {
              throw named(error);
            })
          }
        >
          {(draft, state, base) => (
            <>
              <StoryFields draft={draft} state={state} lowest={base.ageRating} />
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
            </>
          )}
        </EditDraft>
      )}
    </div>
  );
}
