// What the media library's API takes and gives.

import { signal } from "@preact/signals";
import { address, get, type List, patch, post, put, remove, request } from "../shared/api";
import type { Job } from "../shared/job";
import { zone } from "../shared/dates";
import { leaving } from "../shared/leaving";

const root = "/api/library/v1";

export interface Library {
  id: string;
  libraryName: string;
  description?: string;
  totalItems: number;
  isOwner: boolean;
  /** Who shares it, where it is somebody else's. */
  sharedFrom?: string;
  sharedTo?: string[];
  showBorrower?: boolean;
  version: number;
}

export interface Item {
  type: "book" | "video";
  id: string;
  title: string;
  summary?: string;
  pictureUrl?: string;
  authors?: string[];
  isbn?: string;
  directors?: string[];
  cast?: string[];
  releaseYear?: number;
  duration?: number;
  tmdbId?: string;
  libraryId: string;
  libraryName: string;
  ownerName?: string;
  collectionId?: string;
  collectionName?: string;
  order?: number;
  lent: boolean;
  lentTo?: string;
  lentAt?: string;
  dueDate?: string;
  addedAt: string;
  updatedAt: string;
  version: number;
}

export interface Collection {
  type: "collection";
  id: string;
  libraryId: string;
  name: string;
  description?: string;
  itemCount: number;
  version: number;
}

/** A collection among a library's contents, with the first of its items. */
export interface Shelf extends Collection {
  items: Item[];
  missingOrders: number[];
  itemsCursor?: string;
}

export type Entry = Item | Shelf;
export type Contents = List<Entry> & { letters?: string[] };
export type Members = List<Item> & { missingOrders: number[] };

export interface LendingEvent {
  type: "LENT" | "RETURNED";
  borrower: string;
  at: string;
  dueDate?: string;
  note?: string;
  days?: number;
}

export interface Loan {
  borrower: string;
  lentAt: string;
  dueDate?: string;
  returnedAt?: string;
  days: number;
  overdue: boolean;
  item: Pick<Item, "id" | "type" | "title" | "libraryId" | "libraryName" | "collectionName">;
}

export interface Share {
  email: string;
  since: string;
}

export interface Hit {
  type: "book" | "video" | "collection";
  highlights: { field: string; segments: { text: string; isMatch: boolean }[] }[];
  item: Item | Collection;
}

export interface Owner {
  ownerName: string;
  email?: string;
  libraryCount: number;
  version: number;
}

export interface ImportResult {
  added?: number;
}

/** Who is here, as others see them. */
export const owner = signal<Owner | undefined>(undefined);

export const tagOf = (item: { version: number }) => `"${item.version}"`;
export const livePath = `${root}/live`;
const part = encodeURIComponent;
export const libraryPath = (id: string) => `${root}/libraries/${part(id)}`;
export const itemPath = (libraryId: string, id: string) =>
  `${libraryPath(libraryId)}/items/${part(id)}`;
export const collectionPath = (libraryId: string, id: string) =>
  `${libraryPath(libraryId)}/collections/${part(id)}`;
export const leavePath = (id: string) => `${root}/shared-libraries/${part(id)}`;
// What comes later is another history: the page's own mark behind the address tells them apart.
export const historyPath = (item: Item) =>
  `${itemPath(item.libraryId, item.id)}/events#${item.version}`;

/** Deleting what somebody has, or what others see, must be said to be meant. */
export const removalPath = (it: Item | Library) =>
  "libraryName" in it && "isOwner" in it
    ? `${libraryPath(it.id)}${it.sharedTo?.length ? "?unshare=true" : ""}`
    : `${itemPath((it as Item).libraryId, it.id)}${(it as Item).lent ? "?force=true" : ""}`;

/** Whether it is deleted as far as anybody here can see. */
export const isLeaving = (path: string) =>
  ["", "?force=true", "?unshare=true"].some((end) => leaving.value.has(path + end));
export const isItemLeaving = (libraryId: string, id: string) =>
  isLeaving(itemPath(libraryId, id)) || isLibraryLeaving(libraryId);
export const isLibraryLeaving = (id: string) =>
  isLeaving(libraryPath(id)) || isLeaving(leavePath(id));

async function read<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await get<T>(path, { signal })).data;
}

/** All of a list, page by page. */
async function readAll<T>(
  path: string,
  query: Record<string, string | undefined>,
  signal?: AbortSignal,
): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | undefined;
  do {
    const list = await read<List<T>>(address(path, { ...query, limit: 100, cursor }), signal);
    all.push(...list.items);
    cursor = list.nextCursor;
  } while (cursor);
  return all;
}

export async function readOwner(signal?: AbortSignal): Promise<void> {
  owner.value = await read<Owner>(`${root}/me`, signal);
}
export async function changeOwner(before: Owner, ownerName: string): Promise<void> {
  owner.value = (await patch<Owner>(`${root}/me`, { ownerName }, tagOf(before))).data;
}

export const listLibraries = (signal?: AbortSignal) =>
  readAll<Library>(`${root}/libraries`, {}, signal);
export const ownLibraries = (signal?: AbortSignal) =>
  readAll<Library>(`${root}/libraries`, { scope: "own" }, signal);
export const getLibrary = (id: string, signal?: AbortSignal) =>
  read<Library>(libraryPath(id), signal);
export const addLibrary = async (fields: object) =>
  (await post<Library>(`${root}/libraries`, fields)).data;
export const changeLibrary = async (library: Library, fields: object) =>
  (await patch<Library>(libraryPath(library.id), fields, tagOf(library))).data;

export interface Filter {
  type?: string;
  lent?: string;
}

export const listContents = (
  id: string,
  query: Filter & { view: "grouped" | "flat"; cursor?: string; limit?: number },
  signal?: AbortSignal,
) => read<Contents>(address(`${libraryPath(id)}/items`, { limit: 100, ...query }), signal);
export const listEverything = (
  query: Filter & { sort?: string; cursor?: string; limit?: number },
  signal?: AbortSignal,
) => read<Contents>(address(`${root}/items`, { limit: 100, ...query }), signal);
export const everyItem = (signal?: AbortSignal) => readAll<Item>(`${root}/items`, {}, signal);

export const getItem = (libraryId: string, id: string, signal?: AbortSignal) =>
  read<Item>(itemPath(libraryId, id), signal);
export const addItem = async (libraryId: string, type: Item["type"], fields: object) =>
  (await post<Item>(`${libraryPath(libraryId)}/${type}s`, fields)).data;
/** What something may be: fields that an item of the type can have. */
export type Candidate = Pick<Item, "type" | "title"> & Partial<Item>;
export const detect = async (type: Item["type"], by: { code?: string; title?: string }) =>
  (await post<{ candidates: Candidate[] }>(`${root}/detections`, { type, ...by })).data.candidates;
export const changeItem = async (item: Item, fields: object) =>
  (await patch<Item>(itemPath(item.libraryId, item.id), fields, tagOf(item))).data;
export const moveItem = async (item: Item, libraryId: string, collectionId?: string) =>
  (
    await post<Item>(`${itemPath(item.libraryId, item.id)}/move`, {
      libraryId,
      ...(collectionId && { collectionId }),
    })
  ).data;

export const listCollections = (libraryId: string, signal?: AbortSignal) =>
  readAll<Collection>(`${libraryPath(libraryId)}/collections`, {}, signal);
export const getCollection = (libraryId: string, id: string, signal?: AbortSignal) =>
  read<Collection>(collectionPath(libraryId, id), signal);
export const addCollection = async (libraryId: string, fields: object) =>
  (await post<Collection>(`${libraryPath(libraryId)}/collections`, fields)).data;
export const changeCollection = async (collection: Collection, fields: object) =>
  (
    await patch<Collection>(
      collectionPath(collection.libraryId, collection.id),
      fields,
      tagOf(collection),
    )
  ).data;
export const listMembers = (
  libraryId: string,
  id: string,
  query: Filter & { cursor?: string },
  signal?: AbortSignal,
) =>
  read<Members>(
    address(`${collectionPath(libraryId, id)}/items`, { limit: 100, ...query }),
    signal,
  );
export async function allMembers(libraryId: string, id: string, signal?: AbortSignal) {
  const items: Item[] = [];
  let cursor: string | undefined;
  let missingOrders: number[] = [];
  do {
    const list = await listMembers(libraryId, id, { cursor }, signal);
    items.push(...list.items);
    ({ missingOrders, nextCursor: cursor } = list);
  } while (cursor);
  return { items, missingOrders };
}
export const arrange = (collection: Collection, items: { id: string; order: number | string }[]) =>
  put<Collection>(
    `${collectionPath(collection.libraryId, collection.id)}/order`,
    { items },
    tagOf(collection),
  );

const eventsPath = (item: Item) => `${itemPath(item.libraryId, item.id)}/events`;
export const listEvents = (item: Item, signal?: AbortSignal) =>
  readAll<LendingEvent>(eventsPath(item), {}, signal);
export const lend = (
  place: { libraryId: string; id: string },
  fields: { borrower: string; dueDate?: string; note?: string },
) => post<LendingEvent>(`${itemPath(place.libraryId, place.id)}/lend`, fields);
export const takeBack = (
  place: { libraryId: string; id: string },
  fields: { borrower?: string; note?: string },
) => post<LendingEvent>(`${itemPath(place.libraryId, place.id)}/return`, fields);
export const listLoans = (state: "open" | "overdue" | "all", signal?: AbortSignal) =>
  readAll<Loan>(`${root}/loans`, { state, tz: zone.value }, signal);

export const listShares = (libraryId: string, signal?: AbortSignal) =>
  readAll<Share>(`${libraryPath(libraryId)}/shares`, {}, signal);
export const share = (libraryId: string, email: string) =>
  post<Share>(`${libraryPath(libraryId)}/shares`, { email });
export const unshare = (libraryId: string, email: string) =>
  remove(`${libraryPath(libraryId)}/shares/${part(email)}`);

export const search = (
  q: string,
  query: { type?: string; scope?: string; limit: number; cursor?: string },
  signal?: AbortSignal,
) =>
  read<List<Hit> & { didYouMean?: string }>(
    address(`${root}/search`, { q: q.slice(0, 400), ...query }),
    signal,
  );

export async function startImport(libraryId: string, table: string): Promise<Job<ImportResult>> {
  const path = address(`${root}/import`, { libraryId });
  const headers = { "Content-Type": "text/csv" };
  const idempotencyKey = crypto.randomUUID?.();
  return (await request<Job<ImportResult>>("POST", path, { json: table, headers, idempotencyKey }))
    .data;
}

export async function exportText(format: "json" | "csv"): Promise<string> {
  const options = { parse: (text: string) => text, headers: { Accept: "*/*" } };
  return (await get<string>(address(`${root}/export`, { format }), options)).data;
}
