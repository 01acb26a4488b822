// What readers say about a chapter, and answer each other.

import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import { user } from "../shared/api";
import { Comments as AllComments, type Said } from "../shared/comments";
import { Icon } from "../shared/icons";
import { touch } from "../shared/live";
import { usePages } from "../shared/pages";
import { attempt } from "../shared/toast";
import { personHref } from "./pieces";
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

function Votes({ remark }: { remark: Remark }) {
  const mine = useSignal<1 | -1 | 0>(remark.myVote ?? 0);
  useEffect(() => void (mine.value = remark.myVote ?? 0), [remark.myVote]);
  const cast = (value: 1 | -1) =>
    attempt(async () => {
      const next = mine.value === value ? 0 : value;
      await voteRemark(remark, next);
      mine.value = next;
    }).finally(touch);
  const vote = (value: 1 | -1, way: "up" | "down") => (
    <button
      type="button"
      class="quiet small"
      aria-label={`Vote this comment ${way}`}
      aria-pressed={mine.value === value}
      onClick={() => void cast(value)}
    >
      <Icon name={way} />
    </button>
  );
  return (
    <>
      {vote(1, "up")}
      {vote(-1, "down")}
    </>
  );
}

function saidOf(remark: Remark): Said {
  const { storyId, nodeId, commentId } = remark;
  const isOwn = remark.authorId === user.value?.sub;
  return {
    id: commentId,
    parent: remark.parentCommentId,
    author: { name: remark.authorName, href: personHref(remark.authorId) },
    at: remark.createdAt,
    isEdited: remark.updatedAt !== remark.createdAt && !remark.removed,
    text: remark.removed ? undefined : remark.text,
    gone: remark.hidden ? "[hidden by moderators]" : undefined,
    isOwn,
    canRemove: isOwn,
    path: remarkPath(remark),
    etag: tagOf(remark) ?? "",
    save: (text) => changeRemark(remark, text),
    reply:
      remark.depth < deepest ? (text) => addRemark(storyId, nodeId, text, commentId) : undefined,
    tools: (
      <>
        {!isOwn && <Votes remark={remark} />}
        <span class="score">{remark.score}</span>
        {!isOwn && (
          <ReportButton
            what="this comment"
            target={{ targetType: "COMMENT", targetId: commentId, storyId, nodeId }}
          />
        )}
      </>
    ),
  };
}

interface CommentsProps {
  id: string;
  node: string;
  place: RefObject<HTMLFormElement | null>;
}

export function Comments({ id, node, place }: CommentsProps) {
  const pages = usePages(
    (cursor, signal) => listRemarks(id, node, cursor, signal),
    [id, node, user.value?.sub],
  );
  return (
    <AllComments
      key={node}
      title="What readers say"
      name="text"
      place={place}
      pages={pages}
      all={pages.items.filter((it) => it.nodeId === node).map(saidOf)}
      add={(text) => addRemark(id, node, text)}
    />
  );
}
