import { useSignal } from "@preact/signals";
import { ReadOn } from "../shared/read_on";
import { Problem, user } from "../shared/api";
import { AreaField, FormProblem, SubmitButton, useForm } from "../shared/form";
import { useShortcut } from "../shared/keys";
import { leaving, removeSoon } from "../shared/leaving";
import { touch } from "../shared/live";
import { Markdown } from "../shared/markdown";
import { usePages } from "../shared/pages";
import { hueOf, Loading, ProblemBox } from "../shared/pieces";
import { Link } from "../shared/router";
import { done } from "../shared/toast";
import { Ago, curatorHref, signInHref } from "./pieces";
import {
  addComment,
  changeComment,
  type Comment,
  commentPath,
  commentsOf,
  isAdmin,
  isMine,
  tagOf,
  type Watchlist,
} from "./server";

interface CommentFormProps {
  label: string;
  text: string;
  button: string;
  save: (text: string) => Promise<unknown>;
  onEnd?: () => void;
}

function CommentForm({ label, text, button, save, onEnd }: CommentFormProps) {
  const turn = useSignal(0);
  const { state, onSubmit } = useForm(async (data) => {
    try {
      await save(String(data.get("commentText") ?? ""));
    } catch (error) {
      if (error instanceof Problem && error.status === 412) {
        throw new Error(
          "this comment was changed elsewhere; copy your text, close this and open it again",
        );
      }
      throw error;
    }
    turn.value += 1;
    touch();
    onEnd?.();
  });
  return (
    <form class="form comment-form" key={turn.value} onSubmit={onSubmit} noValidate>
      <AreaField
        label={label}
        name="commentText"
        rows={3}
        state={state.value}
        defaultValue={text}
        hint="**bold**, *italic*, lists"
      />
      <FormProblem state={state.value} />
      <div class="form-end">
        {onEnd && (
          <button type="button" onClick={onEnd}>
            Cancel
          </button>
        )}
        <SubmitButton state={state.value}>{button}</SubmitButton>
      </div>
    </form>
  );
}

function OneComment({ comment, list }: { comment: Comment; list: Watchlist }) {
  const isEditing = useSignal(false);
  const isOwn = comment.userId === user.value?.sub;
  const name = comment.username ?? "Somebody";
  if (isEditing.value) {
    return (
      <li class="comment">
        <CommentForm
          label="Your comment"
          text={comment.commentText}
          button="Save comment"
          save={(text) => changeComment(comment, text)}
          onEnd={() => (isEditing.value = false)}
        />
      </li>
    );
  }
  return (
    <li class="comment">
      <span class={`face ${hueOf(name)}`} aria-hidden="true">
        {[...name][0]}
      </span>
      <div class="comment-body">
        <p class="comment-head">
          <Link href={curatorHref(comment.userId)}>{name}</Link>
          {comment.userId === list.curatorId && <span class="chip">curator</span>}
          <small>
            <Ago time={comment.createdAt} />
            {comment.updatedAt && ", edited"}
          </small>
        </p>
        <Markdown text={comment.commentText} />
        {(isOwn || isMine(list) || isAdmin()) && (
          <p class="comment-tools">
            {isOwn && (
              <button type="button" class="quiet small" onClick={() => (isEditing.value = true)}>
                Edit comment
              </button>
            )}
            <button
              type="button"
              class="quiet small"
              onClick={() =>
                removeSoon(commentPath(comment), tagOf(comment), "The comment is deleted")
              }
            >
              Delete comment
            </button>
          </p>
        )}
      </div>
    </li>
  );
}

export function Comments({ list }: { list: Watchlist }) {
  const found = usePages(
    (cursor, signal) => commentsOf(list.watchlistId, cursor, signal),
    [list.watchlistId],
  );
  useShortcut("c", "Write a comment", () =>
    document.querySelector<HTMLElement>("[name=commentText]")?.focus(),
  );
  const shown = found.items.filter((comment) => !leaving.value.has(commentPath(comment)));
  return (
    <section class="stack comments" aria-labelledby="comments">
      <h2 id="comments">Comments</h2>
      {user.value ? (
        <CommentForm
          label="What do you think?"
          text=""
          button="Comment"
          save={async (text) => {
            await addComment(list.watchlistId, text);
            done("Your comment is there");
          }}
        />
      ) : (
        <p class="soft">
          <a href={signInHref()}>Sign in</a> to say what you think.
        </p>
      )}
      {found.error !== undefined && <ProblemBox error={found.error} onRetry={found.reload} />}
      {!found.first && found.error === undefined && <Loading />}
      {found.first && shown.length === 0 && <p class="soft">Nobody has said anything yet.</p>}
      <ul class="stack">
        {shown.map((comment) => (
          <OneComment key={comment.token} comment={comment} list={list} />
        ))}
      </ul>
      <ReadOn cursor={found.cursor} read={found.more} />
    </section>
  );
}
