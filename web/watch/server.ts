// What WorthWatch's API takes and gives.

import { signal } from "@preact/signals";
import { address, get, isIn, type List, patch, post, put, request, user } from "../shared/api";
import type {Job} from '../shared/job';

const root = "/api/watch/v1";

export type ContentType = "MOVIE" | "SHOW";
export type CuratorStatus = "pending" | "approved" | "suspended";

export interface Person {
  userId: string;
  username: string;
  bio?: string;
  createdAt: string;
  isCurator?: boolean;
  curatorStatus?: CuratorStatus;
  version: number;
  avatarUrl?: string;
}

/** What only somebody themselves and administrators see. */
export interface Profile extends Person {
  email?: string;
  curatorStatement?: string;
  curatorAppliedAt?: string;
}

export interface Watchlist {
  watchlistId: string;
  curatorId: string;
  curatorName?: string;
  title: string;
  description?: string;
  coverImageUrl?: string;
  isPublic: boolean;
  tags: string[];
  itemCount: number;
  saveCount: number;
  createdAt: string;
  updatedAt: string;
  version: number;
}

/** What lists say of a title. */
export interface Summary {
  title: string;
  releaseYear?: number;
  startYear?: number;
  endYear?: number;
  runtime?: number;
  numberOfSeasons?: number;
  numberOfEpisodes?: number;
  genres: string[];
  rating?: number;
  ratingCount: number;
  posterUrl?: string;
}

export interface Mark {
  rating?: number;
  watched: boolean;
}

export interface Entry {
  contentType: ContentType;
  contentId: string;
  position: number;
  curatorNote?: string;
  addedAt: string;
  version: number;
  content?: Summary;
  me?: Mark;
}

export interface WholeList extends Watchlist {
  items: Entry[];
  me?: { saved: boolean };
}

export interface ShortList {
  watchlistId: string;
  title: string;
  curatorId: string;
  curatorName?: string;
  itemCount: number;
}

export interface Title extends Summary {
  movieId?: string;
  showId?: string;
  cast: string[];
  directors?: string[];
  creators?: string[];
  synopsis?: string;
  status?: "ongoing" | "ended" | "cancelled";
  listCount: number;
  createdBy: string;
  createdAt: string;
  updatedAt: string;
  version: number;
  lists?: ShortList[];
  me?: Mark;
}

export interface Review {
  userId: string;
  username?: string;
  rating: number;
  review?: string;
  ratedAt: string;
}

export type Reviews = List<Review> & { average?: number; count: number; distribution: number[] };

export interface OwnRating {
  contentType: ContentType;
  contentId: string;
  rating: number;
  review?: string;
  ratedAt: string;
  version: number;
  content?: Summary;
}

export interface Comment {
  watchlistId: string;
  userId: string;
  username?: string;
  commentText: string;
  createdAt: string;
  updatedAt?: string;
  token: string;
  version: number;
}

export interface Saved {
  watchlistId: string;
  savedAt: string;
  version: number;
  available: boolean;
  changed?: boolean;
  watchlist?: Watchlist;
}

export interface FeedEntry {
  feedId: string;
  watchlistId: string;
  kind: "UPDATED" | "ITEMS" | "REMOVED";
  changes: number;
  at: string;
  lastAt: string;
  seen: boolean;
  title?: string;
  curatorName?: string;
}

export interface Progress {
  seen: number;
  total: number;
  runtimeLeft: number;
}

export interface Activity {
  from: string;
  to: string;
  items: { date: string; lists: number; items: number }[];
}

export interface Hit {
  type: "movie" | "show" | "watchlist" | "curator";
  item: Title | Watchlist | Person;
}

export interface Imported {
  created: number;
  found: number;
  listed: number;
  watchlistId?: string;
}

/** Who is here, as WorthWatch knows them; undefined for visitors. */
export const me = signal<Profile | undefined>(undefined);
/** Entries of the feed that were not read. */
export const unread = signal(0);

export const isCurator = () => me.value?.curatorStatus === "approved";
export const isAdmin = () => isIn("admin");
export const isMine = (list: { curatorId: string }) => list.curatorId === user.value?.sub;

export const tagOf = (item: { version: number }) => `"${item.version}"`;
const part = encodeURIComponent;

export const livePath = `${root}/live`;
export const mePath = `${root}/me`;
export const listPath = (id: string) => `${root}/watchlists/${part(id)}`;
export const entryPath = (id: string, entry: { contentType: ContentType; contentId: string }) =>
  `${listPath(id)}/items/${nameOf(entry)}`;
export const commentPath = (comment: Comment) =>
  `${listPath(comment.watchlistId)}/comments/${part(comment.token)}`;
export const savedPath = (id: string) => `${root}/me/saved/${part(id)}`;
export const ratingPath = (type: ContentType, id: string) =>
  `${root}/me/ratings/${type}/${part(id)}`;
export const titlePath = (type: ContentType, id: string) =>
  `${root}/${type === "SHOW" ? "shows" : "movies"}/${part(id)}`;

/** "MOVIE/27205" */
export const nameOf = (it: { contentType: ContentType; contentId: string }) =>
  `${it.contentType}/${part(it.contentId)}`;
export const typeOf = (title: Title): ContentType => (title.showId ? "SHOW" : "MOVIE");
export const idOf = (title: Title) => title.showId ?? title.movieId ?? "";
export const yearOf = (title: Summary) => title.releaseYear ?? title.startYear;
export const isSeen = (entry: { me?: Mark }) =>
  entry.me !== undefined && (entry.me.watched || entry.me.rating !== undefined);

async function read<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await get<T>(path, { signal })).data;
}

export interface ListQuery {
  tag?: string;
  q?: string;
  sort?: string;
  cursor?: string;
  limit?: number;
}

export const publicLists = (query: ListQuery, signal?: AbortSignal) =>
  read<List<Watchlist> & { total?: number }>(
    address(`${root}/watchlists`, { limit: 30, ...query }),
    signal,
  );
export const listsOf = (curator: string, cursor?: string, signal?: AbortSignal) =>
  read<List<Watchlist>>(
    address(`${root}/curators/${part(curator)}/watchlists`, { limit: 50, cursor }),
    signal,
  );
export const activityOf = (curator: string, signal?: AbortSignal) =>
  read<Activity>(`${root}/curators/${part(curator)}/activity`, signal);
export const personOf = (id: string, signal?: AbortSignal) =>
  read<Person>(`${root}/users/${part(id)}`, signal);

export const getList = (id: string, signal?: AbortSignal) =>
  read<WholeList>(address(listPath(id), { include: "items" }), signal);
export const progressOf = (id: string, signal?: AbortSignal) =>
  read<Progress>(`${listPath(id)}/progress`, signal);

export const addList = async (fields: object) =>
  (await post<Watchlist>(`${root}/watchlists`, fields)).data;
export const changeList = async (list: Watchlist, fields: object) =>
  (await patch<Watchlist>(listPath(list.watchlistId), fields, tagOf(list))).data;
export const addEntry = async (id: string, contentType: ContentType, contentId: string) =>
  (await post<Entry>(`${listPath(id)}/items`, { contentType, contentId })).data;
export const changeEntry = (id: string, entry: Entry, curatorNote: string | null) =>
  patch<Entry>(entryPath(id, entry), { curatorNote }, tagOf(entry));
export const putOrder = async (list: Watchlist, entries: Entry[]) =>
  (
    await put<Watchlist>(
      `${listPath(list.watchlistId)}/order`,
      { order: entries.map((it) => `${it.contentType}/${it.contentId}`) },
      tagOf(list),
    )
  ).data;

export const commentsOf = (id: string, cursor?: string, signal?: AbortSignal) =>
  read<List<Comment>>(address(`${listPath(id)}/comments`, { limit: 30, cursor }), signal);
export const addComment = (id: string, commentText: string) =>
  post<Comment>(`${listPath(id)}/comments`, { commentText });
export const changeComment = (comment: Comment, commentText: string) =>
  patch<Comment>(commentPath(comment), { commentText }, tagOf(comment));

export interface TitleQuery {
  q?: string;
  genre?: string;
  year?: string;
  sort?: string;
  cursor?: string;
  limit?: number;
}
export const titles = (type: ContentType, query: TitleQuery, signal?: AbortSignal) =>
  read<List<Title> & { total: number }>(
    address(`${root}/${type === "SHOW" ? "shows" : "movies"}`, { limit: 40, ...query }),
    signal,
  );
export const getTitle = (type: ContentType, id: string, signal?: AbortSignal) =>
  read<Title>(titlePath(type, id), signal);
export const addTitle = async (type: ContentType, fields: object) =>
  (await post<Title>(`${root}/${type === "SHOW" ? "shows" : "movies"}`, fields)).data;
export const changeTitle = async (title: Title, fields: object) =>
  (await patch<Title>(titlePath(typeOf(title), idOf(title)), fields, tagOf(title))).data;
export const reviewsOf = (type: ContentType, id: string, cursor?: string, signal?: AbortSignal) =>
  read<Reviews>(address(`${titlePath(type, id)}/ratings`, { limit: 50, cursor }), signal);

export const search = (q: string, type: string | undefined, limit: number, signal?: AbortSignal) =>
  read<List<Hit> & { didYouMean?: string }>(
    address(`${root}/search`, { q: q.slice(0, 400), type, limit }),
    signal,
  );

export const saveList = (id: string) => put<void>(savedPath(id), {});
export const forgetList = (id: string) => request<void>("DELETE", savedPath(id));
export const savedLists = (cursor?: string, signal?: AbortSignal) =>
  read<List<Saved>>(address(`${root}/me/saved`, { limit: 50, cursor }), signal);

/** Marks can be set however often, so nothing is lost without a version. */
export const setWatched = (type: ContentType, id: string, isWatched: boolean) => {
  const path = `${root}/me/watched/${type}/${part(id)}`;
  return isWatched ? put<void>(path, {}) : request<void>("DELETE", path);
};
const ownRatings = (query: { type?: string; cursor?: string }, signal?: AbortSignal) =>
  read<List<OwnRating>>(address(`${root}/me/ratings`, { limit: 100, ...query }), signal);
export const rate = async (
  type: ContentType,
  id: string,
  fields: { rating: number; review?: string },
  before?: OwnRating,
) => (await put<OwnRating>(ratingPath(type, id), fields, before && tagOf(before))).data;

/** All ratings of the caller. */
export async function allRatings(type: string, signal?: AbortSignal): Promise<OwnRating[]> {
  const all: OwnRating[] = [];
  let cursor: string | undefined;
  do {
    const page: List<OwnRating> = await ownRatings({ type, cursor }, signal);
    all.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor);
  return all;
}
/** The caller's rating of one title: the API lists them only. */
export const ownRating = async (type: ContentType, id: string, signal?: AbortSignal) =>
  (await allRatings(type, signal)).find((it) => it.contentId === id);

export const feed = (cursor?: string, signal?: AbortSignal) =>
  read<List<FeedEntry>>(address(`${root}/me/feed`, { limit: 30, cursor }), signal);
export const feedSeen = () => post<void>(`${root}/me/feed/seen`);

export async function readMe(signal?: AbortSignal): Promise<Profile> {
  const [profile, news] = await Promise.all([
    read<Profile>(`${root}/me`, signal),
    feed(undefined, signal),
  ]);
  me.value = profile;
  unread.value = news.items.filter((entry) => !entry.seen).length;
  return profile;
}
export async function changeMe(before: Profile, fields: object): Promise<Profile> {
  me.value = (await patch<Profile>(`${root}/me`, fields, tagOf(before))).data;
  return me.value;
}
export async function apply(statement: string): Promise<void> {
  me.value = (await post<Profile>(`${root}/me/curator-application`, { statement })).data;
}

export const people = (curatorStatus: CuratorStatus, cursor?: string, signal?: AbortSignal) =>
  read<List<Profile>>(address(`${root}/admin/users`, { curatorStatus, limit: 50, cursor }), signal);
export const decide = (person: Person, status: "approved" | "refused" | "suspended") =>
  post<unknown>(`${root}/admin/users/${part(person.userId)}/curator`, { status });

export interface AuditEntry {
  entryId: string;
  entity: string;
  /** The item's keys, with a blank between. */
  entityKey: string;
  change: "CREATED" | "CHANGED" | "DELETED";
  fields: string[];
  at: string;
}
export const auditOf = (
  query: { user: string; from?: string; to?: string; cursor?: string },
  signal?: AbortSignal,
) => read<List<AuditEntry>>(address(`${root}/admin/audit`, { ...query, limit: 50 }), signal);
export const personWith = async (email: string) =>
  (await read<List<Profile>>(address(`${root}/users`, { email }))).items[0];

async function fileText(path: string): Promise<string> {
  const options = { parse: (text: string) => text, headers: { Accept: "*/*" } };
  return (await get<string>(path, options)).data;
}
export const exportList = (id: string, format: "json" | "csv") =>
  fileText(address(`${listPath(id)}/export`, { format }));
export const exportAll = (format: "json" | "csv") =>
  fileText(address(`${root}/export`, { format }));

export async function startImport(text: string, isCsv: boolean, list: string) {
  const path = address(`${root}/import`, { list });
  const headers = { "Content-Type": isCsv ? "text/csv" : "application/json" };
  const idempotencyKey = crypto.randomUUID?.();
  return (await request<Job<Imported>>('POST', path, {json: text, headers, idempotencyKey})).data;
}
