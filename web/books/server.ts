// What the Book Tracker's API takes and gives.

import { signal } from "@preact/signals";
import { type List, address, get, patch, post, request } from "../shared/api";
import type { Job } from "../shared/job";
import { zone } from "../shared/dates";

const root = "/api/books/v1";

export const statuses = ["READING", "SHELF", "READ", "WISHLIST", "PAUSED", "ABANDONED"] as const;
export type Status = (typeof statuses)[number];
export type Counts = Record<Status, number>;

export interface Book {
  id: string;
  title: string;
  authors?: string[];
  description?: string;
  status: Status;
  rating?: number;
  currentPage: number;
  totalPages?: number;
  percent?: number;
  /** As it was sent: amounts of money are never JavaScript's numbers. */
  price?: string;
  currency?: string;
  store?: string;
  boughtAt?: string;
  purchaseDate?: string;
  notesCount: number;
  lastEventAt?: string;
  startedAt?: string;
  finishedAt?: string;
  createdAt: string;
  updatedAt: string;
  version: number;
  suggestions: ("START_READING" | "MARK_READ")[];
}

export interface Note {
  id: string;
  bookId: string;
  content: string;
  createdAt: string;
  updatedAt: string;
  version: number;
}

export interface Progress {
  points: { t: string; page: number; percent?: number }[];
  perDay: { date: string; pages: number }[];
  reads: { start: string; end?: string; pages: number }[];
  forecast?: { early: string; late: string };
}

export interface Goal {
  year: number;
  books?: number;
  pages?: number;
}

export interface Reader {
  displayName?: string;
  timeZone: string;
  yearlyGoal?: Goal;
  defaultCurrency?: string;
  counts: Counts;
  version: number;
}

export interface ReadingStatistics {
  pages: number;
  books: number;
  days: number;
  streak: number;
  longestStreak: number;
  items: { date: string; pages: number; books: number }[];
}

export interface Amount {
  currency: string;
  amount: string;
  month?: string;
  store?: string;
}

export interface Summary {
  year: number;
  books: number;
  counts: Counts;
  finished: number;
  finishedPerMonth: { month: string; books: number }[];
  pages: number;
  goal?: Omit<Goal, "year">;
  ratings: { count: number; average?: number; histogram: Record<string, number> };
  spending: { total: Amount[]; perMonth: Amount[]; perStore: Amount[] };
}

export interface Hit {
  type: "book" | "note";
  item: Book | Note;
}

/** Who reads here: their zone and currency are those of every screen. */
export const reader = signal<Reader | undefined>(undefined);

// Browsers that know a number's own text give it as the third argument.
const exactly = (name: string, value: unknown, context?: { source?: string }) =>
  name === "price" || name === "amount" ? (context?.source ?? String(value)) : value;
const parse = (text: string): unknown => JSON.parse(text, exactly as (name: string) => unknown);

export const tagOf = (item: { version: number }) => `"${item.version}"`;
export const bookPath = (id: string) => `${root}/books/${encodeURIComponent(id)}`;
export const notePath = (note: Note) =>
  `${bookPath(note.bookId)}/notes/${encodeURIComponent(note.id)}`;
export const livePath = `${root}/live`;

async function read<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await get<T>(path, { parse, signal })).data;
}

export type BookList = List<Book> & { counts: Counts };

export const listBooks = (
  query: { status?: string; sort?: string; cursor?: string },
  signal?: AbortSignal,
) => read<BookList>(address(`${root}/books`, { ...query, limit: 60 }), signal);

export const search = (q: string, type: string | undefined, limit: number, signal?: AbortSignal) =>
  read<List<Hit> & { didYouMean?: string }>(
    address(`${root}/search`, { q: q.slice(0, 400), type, limit }),
    signal,
  );

export const getBook = (id: string, signal?: AbortSignal) => read<Book>(bookPath(id), signal);
export const getProgress = (id: string, signal?: AbortSignal) =>
  read<Progress>(`${bookPath(id)}/progress`, signal);
export const listNotes = (id: string, cursor?: string, signal?: AbortSignal) =>
  read<List<Note>>(address(`${bookPath(id)}/notes`, { limit: 50, cursor }), signal);

/** Fields as JSON texts, so that a number stays what was typed. */
export type Fields = Record<string, string>;
const jsonOf = (fields: Fields) =>
  `{${Object.entries(fields)
    .map(([name, text]) => `${JSON.stringify(name)}:${text}`)
    .join(",")}}`;

export async function addBook(fields: Fields): Promise<Book> {
  const idempotencyKey = crypto.randomUUID?.();
  const options = { json: jsonOf(fields), parse, idempotencyKey };
  return (await request<Book>("POST", `${root}/books`, options)).data;
}

export async function changeBook(book: Book, fields: Fields): Promise<Book> {
  const options = { json: jsonOf(fields), parse, ifMatch: tagOf(book) };
  return (await request<Book>("PATCH", bookPath(book.id), options)).data;
}

export async function recordPage(
  id: string,
  reached: { page?: number; percent?: number; occurredAt?: string },
): Promise<Book> {
  const options = { parse };
  return (await post<{ book: Book }>(`${bookPath(id)}/page`, reached, options)).data.book;
}

export const addNote = (id: string, content: string) =>
  post<Note>(`${bookPath(id)}/notes`, { content });
export const changeNote = (note: Note, content: string) =>
  patch<Note>(notePath(note), { content }, tagOf(note));

function show(it: Reader): void {
  reader.value = it;
  zone.value = it.timeZone;
}

export async function readReader(signal?: AbortSignal): Promise<Reader> {
  const found = await read<Reader>(`${root}/me`, signal);
  show(found);
  return found;
}

export async function changeReader(before: Reader, changes: object): Promise<void> {
  show((await patch<Reader>(`${root}/me`, changes, tagOf(before))).data);
}

export const readingBetween = (from: string, to: string, signal?: AbortSignal) =>
  read<ReadingStatistics>(address(`${root}/stats/reading`, { from, to, bucket: "day" }), signal);
export const summaryOf = (year: number, signal?: AbortSignal) =>
  read<Summary>(address(`${root}/stats/summary`, { year }), signal);

export async function exportText(format: "json" | "csv"): Promise<string> {
  const options = { parse: (text: string) => text, headers: { Accept: "*/*" } };
  return (await get<string>(address(`${root}/export`, { format }), options)).data;
}

export interface ImportResult {
  books: number;
  notes: number;
  events: number;
  ignoredColumns: string[];
  dryRun: boolean;
}
/** Books of a table or an export; a dry run only looks at them. */
export async function startImport(text: string, dryRun: boolean): Promise<Job<ImportResult>> {
  const isJson = /^\s*[{[]/.test(text);
  const path = address(`${root}/import`, { dryRun });
  const headers = { "Content-Type": isJson ? "application/json" : "text/csv" };
  const idempotencyKey = crypto.randomUUID?.();
  return (await request<Job<ImportResult>>("POST", path, { json: text, headers, idempotencyKey }))
    .data;
}
