// What the Story Hub's API takes and gives.

import { signal } from "@preact/signals";
import { address, get, isIn, type List, patch, post, put, remove } from "../shared/api";
import type { Job } from "../shared/job";

const root = "/api/stories/v1";

export const ratings = ["G", "PG", "PG_13", "M", "ADULT_18_PLUS"] as const;
export type Rating = (typeof ratings)[number];
export const genres = [
  "Adventure",
  "Comedy",
  "Crime",
  "Drama",
  "Fairy Tale",
  "Fantasy",
  "Folklore",
  "Gothic",
  "History",
  "Horror",
  "Mystery",
  "Romance",
  "Satire",
  "Science Fiction",
  "Slice of Life",
  "Thriller",
] as const;
export const warnings = [
  "Abuse",
  "Death",
  "Gore",
  "Self-Harm",
  "Sexual Content",
  "Strong Language",
  "Substance Use",
  "Violence",
] as const;
export type Status = "DRAFT" | "PUBLISHED" | "COMPLETED";
export type Badge = "AUTHOR" | "APPROVED" | "VISION";
export type VoteType = "UPVOTE" | "DOWNVOTE";
export const contentMin = 500;
export const contentMax = 60_000;

export interface Bookmark {
  storyId: string;
  currentNodeId: string;
  updatedAt: string;
  version: number;
  /** Absent in a story's own answer, and when the story cannot be seen any more. */
  story?: Story;
}

export interface Story {
  storyId: string;
  title: string;
  synopsis: string;
  coverImageUrl?: string;
  authorId: string;
  authorName: string;
  genre: string;
  genres: string[];
  ageRating: Rating;
  contentWarnings: string[];
  status: Status;
  createdAt: string;
  updatedAt: string;
  publishedAt?: string;
  completedAt?: string;
  hidden?: boolean;
  hiddenReason?: string;
  // Lists of one person's stories are without these.
  rootNodeId?: string;
  branchesWhenCompleted?: boolean;
  foreignBranches?: number;
  stats?: {
    totalBranches: number;
    totalChapters: number;
    totalReads: number;
    totalUpvotes: number;
  };
  version?: number;
  me?: { bookmark?: Bookmark; votes: Record<string, VoteType> };
}

export interface Chapter {
  nodeId: string;
  storyId: string;
  parentNodeId?: string;
  authorId: string;
  authorName: string;
  storyTitle?: string;
  title: string;
  content?: string;
  branchDescription?: string;
  ageRating?: Rating;
  matchesVision: boolean;
  authorApproved: boolean;
  byStoryAuthor: boolean;
  editableUntil: string;
  depth: number;
  order: number;
  removed: boolean;
  hidden: boolean;
  commentCount: number;
  createdAt: string;
  updatedAt: string;
  stats: { childCount: number; reads: number; upvotes: number; downvotes: number };
  score: number;
  badges: Badge[];
  version: number;
  previous?: string;
  next?: string[];
  siblings?: string[];
  me?: { vote?: VoteType; read: boolean };
}

export interface TreeNode {
  id: string;
  parent: string | null;
  order: number;
  depth: number;
  title: string;
  author: string;
  authorId: string;
  reads: number;
  upvotes: number;
  score: number;
  children: number;
  comments: number;
  createdAt: string;
  ageRating?: Rating;
  badges: Badge[];
  removed?: boolean;
  closed?: boolean;
  readByMe: boolean;
}

export interface Tree {
  storyId: string;
  rootNodeId: string;
  totalNodes: number;
  maxDepth: number;
  nodes: TreeNode[];
}

export interface Way {
  items: Chapter[];
  contributors: { userId: string; name: string }[];
}

export interface Remark {
  storyId: string;
  nodeId: string;
  commentId: string;
  parentCommentId?: string;
  depth: number;
  authorId: string;
  authorName: string;
  text?: string;
  score: number;
  /** The caller's own; nothing: none. */
  myVote?: 1 | -1;
  removed: boolean;
  hidden: boolean;
  createdAt: string;
  updatedAt: string;
  version: number;
}

export type NoticeType = "NEW_BRANCH" | "UPVOTE" | "AUTHOR_APPROVED" | "STORY_COMPLETED";

export interface Notice {
  notificationId: string;
  type: NoticeType;
  title: string;
  message: string;
  relatedStoryId?: string;
  relatedNodeId?: string;
  read: boolean;
  eventCount: number;
  createdAt: string;
  version: number;
}

export interface Settings {
  showAdult: boolean;
  hiddenWarnings: string[];
  mutedTypes: NoticeType[];
  digest: "OFF" | "DAILY" | "WEEKLY";
}

export interface Person {
  userId: string;
  displayName: string;
  bio?: string;
  profilePictureUrl?: string;
  createdAt: string;
  erased: boolean;
  stats: {
    branchesContributed: number;
    storiesCreated: number;
    totalReads: number;
    totalUpvotes: number;
  };
  version: number;
  // Of oneself only.
  email?: string;
  unreadCount?: number;
  settings?: Settings;
}

export interface Statistics {
  from: string;
  to: string;
  totals: NonNullable<Story["stats"]>;
  days: { date: string; reads: number; upvotes: number; branches: number }[];
  depths: { depth: number; chapters: number; reads: number }[];
}

export type Hit = { type: "story" | "chapter" | "user"; item: Story | Chapter | Person };

/** Who is here; undefined for guests. */
export const me = signal<Person | undefined>(undefined);
/** Rises when a story was begun to be followed: the live updates must be asked for again. */
export const followed = signal(0);

const part = encodeURIComponent;
export const tagOf = (item: { version?: number }) =>
  item.version === undefined ? undefined : `"${item.version}"`;
export const mePath = `${root}/me`;
export const storyPath = (id: string) => `${root}/stories/${part(id)}`;
export const chapterPath = (story: string, node: string) =>
  `${storyPath(story)}/chapters/${part(node)}`;
export const remarkPath = (it: { storyId: string; nodeId: string; commentId: string }) =>
  `${chapterPath(it.storyId, it.nodeId)}/comments/${part(it.commentId)}`;
export const noticePath = (id: string) => `${root}/me/notifications/${part(id)}`;
// What is behind the mark is for the browser alone, and starts the stream anew when it changes.
export const livePath = () => `${root}/live#${followed.value}`;

async function read<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await get<T>(path, { signal })).data;
}

export interface StoryQuery {
  q?: string;
  genre?: string;
  ageRating?: string;
  status?: string;
  warningsExclude?: string;
  sort?: string;
  cursor?: string;
}

export const listStories = (query: StoryQuery, signal?: AbortSignal) =>
  read<List<Story>>(address(`${root}/stories`, { ...query, limit: 24 }), signal);
export const search = (q: string, signal?: AbortSignal) =>
  read<List<Hit>>(address(`${root}/search`, { q: q.slice(0, 400), limit: 10 }), signal);
export const getStory = (id: string, signal?: AbortSignal) => read<Story>(storyPath(id), signal);
export const getTree = (
  id: string,
  signal?: AbortSignal,
  part: { root?: string; depth?: number } = {},
) => read<Tree>(address(`${storyPath(id)}/tree`, part), signal);
export const getWay = (id: string, node: string, signal?: AbortSignal) =>
  read<Way>(`${storyPath(id)}/path/${part(node)}`, signal);
export const getChapter = (id: string, node: string, signal?: AbortSignal) =>
  read<Chapter>(chapterPath(id, node), signal);
export const listBranches = (id: string, node: string, sort: string, signal?: AbortSignal) =>
  read<List<Chapter>>(address(`${chapterPath(id, node)}/children`, { sort, limit: 100 }), signal);
export const getStatistics = (id: string, from: string, to: string, signal?: AbortSignal) =>
  read<Statistics>(address(`${storyPath(id)}/stats`, { from, to }), signal);

export const exportHref = (id: string, format: string, node?: string) =>
  address(`${storyPath(id)}/export`, { format, path: node });
export async function exportText(href: string): Promise<string> {
  const options = { parse: (text: string) => text, headers: { Accept: "*/*" } };
  return (await get<string>(href, options)).data;
}
export const exportMine = () => exportText(address(`${root}/export`, { format: "json" }));

export const addStory = async (fields: object) =>
  (await post<Story>(`${root}/stories`, fields)).data;
export const changeStory = async (before: Story, fields: object) =>
  (await patch<Story>(storyPath(before.storyId), fields, tagOf(before))).data;
export const turnStory = async (story: Story, turn: "publish" | "complete" | "reopen") =>
  (
    await post<Story>(`${storyPath(story.storyId)}/${turn}`, undefined, {
      ifMatch: tagOf(story),
    })
  ).data;

export const addBranch = async (id: string, node: string, fields: object) =>
  (await post<Chapter>(`${chapterPath(id, node)}/branches`, fields)).data;
export const changeChapter = async (before: Chapter, fields: object) =>
  (await patch<Chapter>(chapterPath(before.storyId, before.nodeId), fields, tagOf(before))).data;
export const approve = async (
  branch: Chapter,
  marks: { authorApproved?: boolean; matchesVision?: boolean },
) =>
  (
    await put<Chapter>(
      `${chapterPath(branch.storyId, branch.nodeId)}/approval`,
      marks,
      tagOf(branch),
    )
  ).data;
export const countRead = (id: string, node: string) => post<void>(`${chapterPath(id, node)}/reads`);
export const vote = async (id: string, node: string, voteType: VoteType | undefined) => {
  const path = `${chapterPath(id, node)}/vote`;
  await (voteType ? put(path, { voteType }) : remove(path));
};

export const listBookmarks = (signal?: AbortSignal) =>
  read<List<Bookmark>>(address(`${root}/me/bookmarks`, { limit: 100 }), signal);
export async function setBookmark(
  id: string,
  currentNodeId: string,
  before?: Bookmark,
): Promise<void> {
  const path = `${root}/me/bookmarks/${part(id)}`;
  await put(path, { currentNodeId }, before && tagOf(before));
  if (!before) followed.value += 1;
}
export const removeBookmark = (before: Bookmark) =>
  remove(`${root}/me/bookmarks/${part(before.storyId)}`, tagOf(before));

export const listRemarks = (id: string, node: string, cursor?: string, signal?: AbortSignal) =>
  read<List<Remark>>(address(`${chapterPath(id, node)}/comments`, { limit: 100, cursor }), signal);
export const addRemark = (id: string, node: string, text: string, parentCommentId?: string) =>
  post<Remark>(`${chapterPath(id, node)}/comments`, { text, parentCommentId });
export const changeRemark = (before: Remark, text: string) =>
  patch<Remark>(remarkPath(before), { text }, tagOf(before));
export const voteRemark = (remark: Remark, value: 1 | -1 | 0) => {
  const path = `${remarkPath(remark)}/vote`;
  return value === 0 ? remove(path) : put(path, { value });
};

export const listNotices = (isUnread: boolean, cursor?: string, signal?: AbortSignal) =>
  read<List<Notice> & { unreadCount: number }>(
    address(`${root}/me/notifications`, { unread: isUnread || undefined, limit: 50, cursor }),
    signal,
  );
export const readNotice = (id: string) => post<Notice>(`${noticePath(id)}/read`);

export const readAllNotices = async () => (await post<Job>(`${noticePath("read-all")}`)).data;

export async function readMe(signal?: AbortSignal): Promise<void> {
  me.value = await read<Person>(`${root}/me`, signal);
}
export async function changeMe(before: Person, fields: object): Promise<void> {
  me.value = (await patch<Person>(`${root}/me`, fields, tagOf(before))).data;
}
export const changeSettings = (before: Person, settings: Settings) =>
  put<Settings>(`${root}/me/settings`, settings, tagOf(before));
export const getPerson = (id: string, signal?: AbortSignal) =>
  read<Person>(`${root}/users/${part(id)}`, signal);

async function whole<T>(path: string, signal?: AbortSignal, most = 500): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await read<List<T>>(address(path, { limit: 100, cursor }), signal);
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor && items.length < most);
  return items;
}
export const storiesOf = (id: string, signal?: AbortSignal) =>
  whole<Story>(`${root}/users/${part(id)}/stories`, signal);
export const branchesOf = (id: string, signal?: AbortSignal) =>
  whole<Chapter>(`${root}/users/${part(id)}/branches`, signal);

export interface Target {
  targetType: "STORY" | "CHAPTER" | "COMMENT" | "USER";
  targetId: string;
  storyId?: string;
  nodeId?: string;
}
export const report = (fields: Target & { reason: string; text?: string }) =>
  post<void>(`${root}/reports`, fields);

export type ReportState = "OPEN" | "UPHELD" | "DISMISSED";
export interface Report extends Target {
  reportId: string;
  reporterId: string;
  reason: string;
  text?: string;
  state: ReportState;
  decidedBy?: string;
  decidedByName?: string;
  decidedAt?: string;
  note?: string;
  createdAt: string;
  version: number;
}

export const isModerator = () => isIn("moderator", "admin");
export const listReports = (state: ReportState, cursor?: string, signal?: AbortSignal) =>
  read<List<Report>>(address(`${root}/admin/reports`, { state, limit: 30, cursor }), signal);
export const decideReport = (report: Report, state: ReportState, note?: string) =>
  put<Report>(
    `${root}/admin/reports/${[report.reporterId, report.targetType, report.targetId]
      .map(part)
      .join("/")}`,
    { state, note },
  );
export const getRemark = (id: string, node: string, comment: string, signal?: AbortSignal) =>
  read<Remark>(remarkPath({ storyId: id, nodeId: node, commentId: comment }), signal);

/** Out of everybody's sight but its author's and the moderators', or back into it. */
export function hide(target: Target, hidden: boolean, reason?: string): Promise<unknown> {
  const { targetType, targetId, storyId = "", nodeId = "" } = target;
  const paths = {
    STORY: part(targetId),
    CHAPTER: `${part(storyId)}/chapters/${part(targetId)}`,
    COMMENT: `${part(storyId)}/chapters/${part(nodeId)}/comments/${part(targetId)}`,
  };
  if (targetType === "USER") throw new Error("people are not hidden");
  return post(`${root}/admin/stories/${paths[targetType]}/hide`, { hidden, reason });
}
