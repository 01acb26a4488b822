// Carrying a story on, and changing what one has written. A change sends what differs, on
// condition that it was not changed elsewhere since it was read.

import { useSignal } from "@preact/signals";
import { Problem } from "../shared/api";
import { Conflict, type Difference } from "../shared/conflict";
import {
  AreaField,
  FormProblem,
  SelectField,
  SubmitButton,
  TextField,
  useForm,
} from "../shared/form";
import { Icon } from "../shared/icons";
import { touch } from "../shared/live";
import { Markdown } from "../shared/markdown";
import { Loading, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { Link, navigate } from "../shared/router";
import { done } from "../shared/toast";
import { type Texts, useDraft } from "./draft";
import { Editor, FoundDraft, LengthHint, Saved } from "./editor";
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

const names = ["title", "branchDescription", "ageRating", "content"] as const;
type Name = (typeof names)[number];
const labels: Record<Name, string> = {
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
  draft: ReturnType<typeof useDraft>;
  form: ReturnType<typeof useForm>;
}

function Fields({ story, isBranch, draft, form }: FieldsProps) {
  const state = form.state.value;
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
    <form class="card form" onSubmit={form.onSubmit} noValidate>
      <FoundDraft draft={draft} />
      <Fields story={story} isBranch draft={draft} form={form} />
      <FormProblem state={form.state.value} />
      <div class="form-end">
        <Saved draft={draft} />
        <Link class="button" href={readHref(storyId, parent.nodeId)}>
          Later
        </Link>
        <SubmitButton state={form.state.value}>Post this branch</SubmitButton>
      </div>
    </form>
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
            <Markdown text={ending ?? ""} />
          </details>
          <BranchForm story={data.story} parent={data.parent} />
        </>
      )}
    </div>
  );
}

function changesOf(before: Texts, after: Texts): Texts {
  const changes: Texts = {};
  for (const name of names) if (after[name] !== before[name]) changes[name] = after[name] ?? "";
  return changes;
}

// What is empty is taken away.
const bodyOf = (changes: Texts) =>
  Object.fromEntries(
    Object.entries(changes).map(([name, text]) => [
      name,
      text === "" && (name === "branchDescription" || name === "ageRating") ? null : text,
    ]),
  );

function EditForm({ story, chapter }: { story: Story; chapter: Chapter }) {
  const { storyId, nodeId } = chapter;
  const base = useSignal(chapter);
  const draft = useDraft(`chapter.${nodeId}`, textsOf(chapter));
  const conflict = useSignal<{ current: Chapter; changes: Texts } | null>(null);
  const save = async (from: Chapter, changes: Texts) => {
    const after =
      Object.keys(changes).length > 0 ? await changeChapter(from, bodyOf(changes)) : from;
    draft.forget();
    done(`${after.title} is saved`);
    touch();
    navigate(readHref(storyId, nodeId), { replace: true });
  };
  const form = useForm(async () => {
    const changes = changesOf(textsOf(base.value), draft.texts.value);
    try {
      await save(base.value, changes);
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 412) throw error;
      conflict.value = { current: await getChapter(storyId, nodeId), changes };
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
    };
    return (
      <Conflict
        what="chapter"
        differences={differences}
        onMine={() => save(current, changes)}
        onTheirs={() => goOn(theirs)}
        onEdit={() => goOn({ ...theirs, ...changes })}
      />
    );
  }
  return (
    <form class="card form" onSubmit={form.onSubmit} noValidate>
      <FoundDraft draft={draft} />
      <Fields
        story={story}
        isBranch={chapter.parentNodeId !== undefined}
        draft={draft}
        form={form}
      />
      <FormProblem state={form.state.value} />
      <div class="form-end">
        <Saved draft={draft} />
        <Link class="button" href={readHref(storyId, nodeId)}>
          Cancel
        </Link>
        <SubmitButton state={form.state.value}>Save</SubmitButton>
      </div>
    </form>
  );
}

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
      {data && <EditForm story={data.story} chapter={data.chapter} />}
    </div>
  );
}
