// Carrying a story on, and changing what one has written. A change sends what differs, on
// condition that it was not changed elsewhere since it was read.

import { AreaField, type FormState, SelectField, TextField, useForm } from "../shared/form";
import { Icon } from "../shared/icons";
import { touch } from "../shared/live";
import { Markdown } from "../shared/markdown";
import { Loading, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { Link, navigate } from "../shared/router";
import { done } from "../shared/toast";
import { type Draft, type Texts, useDraft } from "./draft";
import { DraftForm, EditDraft, Editor, LengthHint } from "./editor";
import { ratingNames, readHref, storyHref } from "./pieces";
import {
  addBranch,
  type Chapter,
  changeChapter,
  getChapter,
  getStory,
  ratings,
  type Story,
} from "./server";
import { isMissing, NoStory } from "./story_page";

const labels = {
  title: "Title",
  branchDescription: "What it promises",
  ageRating: "Rating",
  content: "Text",
};

const textsOf = (chapter?: Chapter): Texts => ({
  title: chapter?.title ?? "",
  branchDescription: chapter?.branchDescription ?? "",
  ageRating: chapter?.ageRating ?? "",
  content: chapter?.content ?? "",
});

interface FieldsProps {
  story: Story;
  isBranch: boolean;
  draft: Draft;
  state: FormState;
}

function Fields({ story, isBranch, draft, state }: FieldsProps) {
  const texts = draft.texts.value;
  const lowest = ratings.indexOf(story.ageRating);
  return (
    <>
      <TextField
        label={labels.title}
        name="title"
        state={state}
        value={texts.title}
        onInput={(title) => draft.set({ title })}
        required
      />
      {isBranch && (
        <div class="write-row">
          <AreaField
            key={draft.isFound.value ? "found" : "new"}
            label={labels.branchDescription}
            name="branchDescription"
            rows={2}
            state={state}
            defaultValue={texts.branchDescription}
            onInput={(branchDescription) => draft.set({ branchDescription })}
            hint={
              <>
                What a reader sees before choosing it; may stay empty.{" "}
                <LengthHint text={texts.branchDescription ?? ""} min={50} max={200} />
              </>
            }
          />
          <SelectField
            label={labels.ageRating}
            name="ageRating"
            state={state}
            value={texts.ageRating}
            onChange={(ageRating) => draft.set({ ageRating })}
            options={[
              { value: "", label: `As the story: ${ratingNames[story.ageRating]}` },
              ...ratings
                .slice(lowest + 1)
                .map((value) => ({ value: value as string, label: ratingNames[value] })),
            ]}
          />
        </div>
      )}
      <Editor
        label={labels.content}
        value={texts.content ?? ""}
        onInput={(content) => draft.set({ content })}
        state={state}
      />
    </>
  );
}

function BranchForm({ story, parent }: { story: Story; parent: Chapter }) {
  const { storyId } = story;
  const draft = useDraft(`branch.${parent.nodeId}`, textsOf());
  const form = useForm(async () => {
    const { title, branchDescription, ageRating, content } = draft.texts.value;
    const branch = await addBranch(storyId, parent.nodeId, {
      title: title?.trim(),
      branchDescription: branchDescription?.trim() || undefined,
      ageRating: ageRating || undefined,
      content,
    });
    draft.forget();
    done(`${branch.title} is posted. You can change it for an hour`);
    touch();
    navigate(readHref(storyId, branch.nodeId), { replace: true });
  });
  return (
    <DraftForm
      draft={draft}
      form={form}
      back={{ href: readHref(storyId, parent.nodeId), label: "Later" }}
      button="Post this branch"
    >
      <Fields story={story} isBranch draft={draft} state={form.state.value} />
    </DraftForm>
  );
}

export function BranchPage({ id, node }: { id: string; node: string }) {
  const { data, error, reload } = useLoad(
    async (signal) => {
      const [story, parent] = await Promise.all([
        getStory(id, signal),
        getChapter(id, node, signal),
      ]);
      return { story, parent };
    },
    [id, node],
  );
  if (isMissing(error)) return <NoStory />;
  const ending = data?.parent.content
    ?.split(/\n\s*\n/)
    .slice(-2)
    .join("\n\n");
  return (
    <div class="write stack">
      <PageTitle
        title="Write what happens next"
        line={
          data && (
            <>
              in <Link href={storyHref(id)}>{data.story.title}</Link>, after{" "}
              <Link href={readHref(id, node)}>{data.parent.title}</Link>
            </>
          )
        }
      />
      {error !== undefined && <ProblemBox error={error} onRetry={reload} />}
      {!data && error === undefined && <Loading />}
      {data && (
        <>
          <details class="before" open>
            <summary>
              <Icon name="book" /> How it ended
            </summary>
            <div class="ending" role="region" aria-label="How it ended" tabIndex={0}>
              <Markdown text={ending ?? ""} />
            </div>
          </details>
          <BranchForm story={data.story} parent={data.parent} />
        </>
      )}
    </div>
  );
}

// What is empty is taken away.
const valueOf = (name: string, text: string) =>
  text === "" && (name === "branchDescription" || name === "ageRating") ? null : text;

export function EditChapterPage({ id, node }: { id: string; node: string }) {
  // Read once: what comes later is a conflict, not a new start.
  const { data, error, reload } = useLoad(
    async (signal) => {
      const [story, chapter] = await Promise.all([
        getStory(id, signal),
        getChapter(id, node, signal),
      ]);
      return { story, chapter };
    },
    [id, node],
  );
  if (isMissing(error)) return <NoStory />;
  return (
    <div class="write stack">
      <PageTitle title={data ? `Edit ${data.chapter.title}` : "Edit"} line={data?.story.title} />
      {error !== undefined && <ProblemBox error={error} onRetry={reload} />}
      {!data && error === undefined && <Loading />}
      {data && (
        <EditDraft<Chapter>
          what="chapter"
          name={`chapter.${node}`}
          item={data.chapter}
          titleOf={(chapter) => chapter.title}
          href={readHref(id, node)}
          labels={labels}
          typedOf={textsOf}
          valueOf={valueOf}
          read={() => getChapter(id, node)}
          change={changeChapter}
        >
          {(draft, state) => (
            <Fields
              story={data.story}
              isBranch={data.chapter.parentNodeId !== undefined}
              draft={draft}
              state={state}
            />
          )}
        </EditDraft>
      )}
    </div>
  );
}
