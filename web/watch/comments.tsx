import { user } from "../shared/api";
import { Comments as AllComments, type Said } from "../shared/comments";
import { useShortcut } from "../shared/keys";
import { usePages } from "../shared/pages";
import { curatorHref } from "./pieces";
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

function saidOf(comment: Comment, list: Watchlist): Said {
  const isOwn = comment.userId === user.value?.sub;
  return {
    id: comment.token,
    author: { name: comment.username ?? "Somebody", href: curatorHref(comment.userId) },
    mark: comment.userId === list.curatorId ? "curator" : undefined,
    at: comment.createdAt,
    isEdited: comment.updatedAt !== undefined,
    text: comment.commentText,
    isOwn,
    canRemove: isOwn || isMine(list) || isAdmin(),
    path: commentPath(comment),
    etag: tagOf(comment),
    save: (text) => changeComment(comment, text),
  };
}

export function Comments({ list }: { list: Watchlist }) {
  const id = list.watchlistId;
  const pages = usePages((cursor, signal) => commentsOf(id, cursor, signal), [id]);
  useShortcut("c", "Write a comment", () =>
    document.querySelector<HTMLElement>("[name=commentText]")?.focus(),
  );
  return (
    <AllComments
      title="Comments"
      name="commentText"
      pages={pages}
      all={pages.items.map((comment) => saidOf(comment, list))}
      add={(text) => addComment(id, text)}
    />
  );
}
