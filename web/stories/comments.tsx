// What readers say about a chapter, and answer each other.

import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { Problem, user } from "../shared/api";
import { agoText } from "../shared/dates";
import { AreaField, FormProblem, SubmitButton, useForm } from "../shared/form";
import { Icon } from "../shared/icons";
import { leaving, removeSoon } from "../shared/leaving";
import { changed, touch } from "../shared/live";
import { Markdown } from "../shared/markdown";
import { Loading, ProblemBox, useLoad } from "../shared/pieces";
import { attempt, done } from "../shared/toast";
import { AuthorLink } from "./pieces";
import { ReportButton } from "./report";
import {
  addRemark,
  changeRemark,
  listRemarks,
  type Remark,
  remarkPath,
  tagOf,
  voteRemark,
} from "./server";

const deepest = 5;

interface RemarkFormProps {
  label: string;
  text?: string;
  button: string;
  save: (text: string) => Promise<unknown>;
  onEnd?: () => void;
  place?: RefObject<HTMLFormElement | null>;
}

function RemarkForm({ label, text = "", button, save, onEnd, place }: RemarkFormProps) {
  const turn = useSignal(0);
  const { state, onSubmit } = useForm(async (data) => {
    try {
      await save(String(data.get("text") ?? ""));
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
    <form class="form remark-form" onSubmit={onSubmit} noValidate ref={place}>
      <AreaField
        key={turn.value}
        label={label}
        name="text"
        rows={3}
        state={state.value}
        defaultValue={text}
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

function OneRemark({ remark, replies }: { remark: Remark; replies: Map<string, Remark[]> }) {
  const open = useSignal<"reply" | "edit" | null>(null);
  const mine = useSignal<1 | -1 | 0>(0);
  const isOwn = remark.authorId === user.value?.sub;
  const close = () => void (open.value = null);
  const below = replies.get(remark.commentId) ?? [];
  const cast = (value: 1 | -1) =>
    attempt(async () => {
      const next = mine.value === value ? 0 : value;
      await voteRemark(remark, next);
      mine.value = next;
    }).finally(touch);
  const isGone = leaving.value.has(remarkPath(remark));
  if (isGone && below.length === 0) return null;
  return (
    <li class="remark">
      <article aria-label={`Comment by ${remark.authorName}`}>
        <header>
          <AuthorLink id={remark.authorId} name={remark.authorName} />
          <small>
            {agoText(remark.createdAt)}
            {remark.updatedAt !== remark.createdAt && !remark.removed && ", edited"}
          </small>
        </header>
        {open.value === "edit" ? (
          <RemarkForm
            label="Your comment"
            text={remark.text}
            button="Save comment"
            save={(text) => changeRemark(remark, text)}
            onEnd={close}
          />
        ) : remark.removed || remark.text === undefined || isGone ? (
          <p class="soft">{remark.hidden ? "[hidden by moderators]" : "[removed]"}</p>
        ) : (
          <Markdown text={remark.text} />
        )}
        {user.value && !remark.removed && !isGone && open.value === null && (
          <footer class="remark-tools">
            {!isOwn && (
              <>
                <button
                  type="button"
                  class="quiet small"
                  aria-label="Vote this comment up"
                  aria-pressed={mine.value === 1}
                  onClick={() => void cast(1)}
                >
                  <Icon name="up" />
                </button>
                <button
                  type="button"
                  class="quiet small"
                  aria-label="Vote this comment down"
                  aria-pressed={mine.value === -1}
                  onClick={() => void cast(-1)}
                >
                  <Icon name="down" />
                </button>
              </>
            )}
            <span class="score">{remark.score}</span>
            {remark.depth < deepest && (
              <button type="button" class="quiet small" onClick={() => (open.value = "reply")}>
                Reply
              </button>
            )}
            {isOwn ? (
              <>
                <button
                  type="button"
                  class="quiet small"
                  aria-label="Edit comment"
                  onClick={() => (open.value = "edit")}
                >
                  Edit
                </button>
                <button
                  type="button"
                  class="quiet small"
                  aria-label="Delete comment"
                  onClick={() =>
                    removeSoon(remarkPath(remark), tagOf(remark) ?? "", "The comment is deleted")
                  }
                >
                  Delete
                </button>
              </>
            ) : (
              <ReportButton
                what="this comment"
                target={{
                  targetType: "COMMENT",
                  targetId: remark.commentId,
                  storyId: remark.storyId,
                  nodeId: remark.nodeId,
                }}
              />
            )}
          </footer>
        )}
        {open.value === "reply" && (
          <RemarkForm
            label={`Reply to ${remark.authorName}`}
            button="Send reply"
            save={(text) => addRemark(remark.storyId, remark.nodeId, text, remark.commentId)}
            onEnd={close}
          />
        )}
      </article>
      {below.length > 0 && (
        <ul class="remarks">
          {below.map((reply) => (
            <OneRemark key={reply.commentId} remark={reply} replies={replies} />
          ))}
        </ul>
      )}
    </li>
  );
}

interface CommentsProps {
  id: string;
  node: string;
  place: RefObject<HTMLFormElement | null>;
}

export function Comments({ id, node, place }: CommentsProps) {
  const more = useSignal<Remark[]>([]);
  const cursor = useSignal<string | undefined>(undefined);
  const { data, error, reload } = useLoad(
    async (signal) => {
      const list = await listRemarks(id, node, undefined, signal);
      more.value = [];
      cursor.value = list.nextCursor;
      return list.items;
    },
    [id, node, user.value?.sub, changed.value],
  );
  const readMore = () =>
    attempt(async () => {
      const list = await listRemarks(id, node, cursor.value);
      more.value = [...more.value, ...list.items];
      cursor.value = list.nextCursor;
    });
  const all = [...(data ?? []), ...more.value].filter((it) => it.nodeId === node);
  const replies = new Map<string, Remark[]>();
  const known = new Set(all.map((remark) => remark.commentId));
  for (const remark of all) {
    const parent = remark.parentCommentId;
    const place = parent && known.has(parent) ? parent : "";
    replies.set(place, [...(replies.get(place) ?? []), remark]);
  }
  return (
    <section class="stack comments" aria-labelledby="comments">
      <h2 id="comments">What readers say</h2>
      {error !== undefined && <ProblemBox error={error} onRetry={reload} />}
      {!data && error === undefined && <Loading />}
      {data && all.length === 0 && <p class="soft">Nobody has said anything yet.</p>}
      <ul class="remarks">
        {(replies.get("") ?? []).map((remark) => (
          <OneRemark key={remark.commentId} remark={remark} replies={replies} />
        ))}
      </ul>
      {cursor.value && (
        <button type="button" onClick={() => void readMore()}>
          Later comments
        </button>
      )}
      {user.value && (
        <RemarkForm
          key={node}
          place={place}
          label="Your comment"
          button="Comment"
          save={async (text) => {
            await addRemark(id, node, text);
            done("Your comment is there");
          }}
        />
      )}
    </section>
  );
}
