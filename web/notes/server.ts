// What the API of Notes takes and gives.

import { signal } from "@preact/signals";
import {
  address,
  get,
  type List,
  patch,
  post,
  Problem,
  remove,
  type Reply,
  request,
} from "../shared/api";
import { zone } from "../shared/dates";
import {type Job as AnyJob, ended} from '../shared/job';

const root = "/api/notes/v1";

export interface Note {
  id: string;
  title: string;
  /** Markdown. */
  content?: string;
  /** A day, "2026-05-31", or a moment, "2026-05-31T10:00:00.000Z". */
  deadline?: string;
  done: boolean;
  doneAt?: string;
  remindAt?: string;
  tags: string[];
  createdAt: string;
  updatedAt: string;
  version: number;
}

export interface Person {
  name: string;
  email: string;
  timeZone: string;
  mailReminders: boolean;
  counts: { open: number; done: number };
  hasCalendarFeed: boolean;
  isMoving: boolean;
  createdAt: string;
  version: number;
}

export interface Week {
  /** Its Monday. */
  week: string;
  due: number;
  done: number;
  completed: number;
}

export interface Statistics {
  open: number;
  done: number;
  overdue: number;
  undated: number;
  completion?: number;
  perWeek: Week[];
}

export interface Reminder {
  noteId: string;
  title: string;
  remindAt: string;
  due: boolean;
}

export interface Job {
  state: "QUEUED" | "RUNNING" | "DONE" | "FAILED" | "CANCELLED";
  done: number;
  total?: number;
}

export type NoteFields = Partial<{
  title: string;
  content: string | null;
  deadline: string | null;
  remindAt: string | null;
  tags: string[];
}>;

/** Whose notes these are: their zone is that of every screen. */
export const person = signal<Person | undefined>(undefined);

export const livePath = `${root}/live`;

// What this page itself wrote since a note was read is no conflict: the versions that its own
// writes have replaced, by note and version.
const replaced = new Map<string, number>();
const turns = new Map<string, Promise<unknown>>();

export function tagOf(item: { id?: string; version: number }): string {
  let { version } = item;
  for (;;) {
    const next = replaced.get(`${item.id} ${version}`);
    if (next === undefined) return `"${version}"`;
    version = next;
  }
}

/** Writes a note when what was asked for before is done. */
async function write(note: Note, send: (tag: string) => Promise<Reply<Note>>): Promise<Note> {
  const before = turns.get(note.id) ?? Promise.resolve();
  const turn = before
    .catch(() => undefined)
    .then(async () => {
      const tag = tagOf(note);
      const { data } = await send(tag);
      const version = Number(tag.slice(1, -1));
      if (data.version > version) replaced.set(`${note.id} ${version}`, data.version);
      return data;
    });
  turns.set(note.id, turn);
  return turn;
}

export const notePath = (id: string) => `${root}/notes/${encodeURIComponent(id)}`;

const read = async <T>(path: string, signal?: AbortSignal): Promise<T> =>
  (await get<T>(path, { signal })).data;

function use(found: Person): Person {
  person.value = found;
  zone.value = found.timeZone;
  return found;
}

export const readPerson = async (signal?: AbortSignal) =>
  use(await read<Person>(`${root}/me`, signal));
export const changePerson = async (
  now: Person,
  fields: { name: string; timeZone: string; mailReminders?: boolean },
) => use((await patch<Person>(`${root}/me`, fields, tagOf(now))).data);

export interface NoteQuery {
  order?: "asc" | "desc";
  done?: boolean;
  tag?: string;
  dueAfter?: string;
  dueBefore?: string;
  undated?: boolean;
  cursor?: string;
}

export const pageSize = 100;

export const listNotes = (query: NoteQuery, signal?: AbortSignal) =>
  read<List<Note>>(address(`${root}/notes`, { ...query, limit: pageSize }), signal);

/** Page after page, up to about `most` notes. */
export async function listMany(
  query: NoteQuery,
  most: number,
  signal?: AbortSignal,
): Promise<{ notes: Note[]; isAll: boolean }> {
  const notes: Note[] = [];
  let cursor: string | undefined;
  do {
    const page = await listNotes({ ...query, cursor }, signal);
    notes.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined && notes.length < most);
  return { notes, isAll: cursor === undefined };
}

export const getNote = (id: string, signal?: AbortSignal) => read<Note>(notePath(id), signal);

export async function calendar(from: string, to: string, signal?: AbortSignal) {
  const path = address(`${root}/notes/calendar`, { from, to });
  return (await read<{ days: { date: string; notes: Note[] }[] }>(path, signal)).days;
}

export const statistics = (signal?: AbortSignal) => read<Statistics>(`${root}/notes/stats`, signal);
export const dueReminders = (signal?: AbortSignal) =>
  read<List<Reminder>>(`${root}/me/reminders?due=true&limit=20`, signal);

export const search = (q: string, limit: number, signal?: AbortSignal) =>
  read<List<{ item: Note }> & { didYouMean?: string }>(
    address(`${root}/search`, { q: q.slice(0, 400), limit }),
    signal,
  );

// A tag that is refused is told of beside the field of all tags.
function ofField(error: unknown): never {
  if (!(error instanceof Problem)) throw error;
  const errors = error.errors.map((it) =>
    it.pointer?.startsWith("/tags") ? { ...it, pointer: "/tags" } : it,
  );
  const { status, code, message, body } = error;
  throw new Problem({ status, code, message, body, errors });
}

export const addNote = async (fields: NoteFields) =>
  (await post<Note>(`${root}/notes`, fields).catch(ofField)).data;
export const changeNote = (note: Note, fields: NoteFields) =>
  write(note, (tag) => patch<Note>(notePath(note.id), fields, tag).catch(ofField));
export const removeNote = (note: Note) => remove(notePath(note.id), tagOf(note));

const act = (note: Note, action: string, body?: unknown) =>
  write(note, (ifMatch) => post<Note>(`${notePath(note.id)}/${action}`, body, { ifMatch }));

export const markDone = (note: Note, isDone: boolean) => act(note, isDone ? "done" : "reopen");
export const snooze = (note: Note, until: string) => act(note, "snooze", { until });
/** A time stays what clocks show where the user is. */
export const moveToDay = (note: Note, date: string) => act(note, "day", { date });

/** A secret address for calendar programs. */
export const makeFeed = async () =>
  new URL((await post<{ url: string }>(`${root}/me/calendar-feed`)).data.url, location.origin).href;
export const endFeed = () => remove(`${root}/me/calendar-feed`, tagOf(person.value!));

export const askForEmail = (newEmail: string, password: string) =>
  post(`${root}/me/email`, { newEmail, password });
/** An address that tells how far the notes are, when they are still on their way. */
export async function confirmEmail(code: string): Promise<string | undefined> {
  const reply = await post<Person>(`${root}/me/email/confirm`, { code });
  return reply.status === 202 ? reply.location : undefined;
}
/** What a job says of itself, or a user whose notes are moving. */
export async function readJob(path: string): Promise<Job> {
  const found = await read<Partial<Job & Person>>(path);
  const state = found.state ?? (found.isMoving ? "RUNNING" : "DONE");
  return { state, done: found.done ?? 0, total: found.total };
}

/** The job that has added the notes of a file. */
export async function importText(text: string, type: 'text/markdown'|'application/json') {
  const started = await request<AnyJob<{created?: number}>>('POST', `${root}/import`, {
    json: text,
    headers: {'Content-Type': type},
    idempotencyKey: crypto.randomUUID?.(),
  });
  return ended('notes', started.data);
}

export async function exportText(format: "json" | "csv"): Promise<string> {
  const options = { parse: (text: string) => text, headers: { Accept: "*/*" } };
  return (await get<string>(address(`${root}/export`, { format }), options)).data;
}

/** -> the address of the job. */
export const eraseAll = async () => (await remove(`${root}/me`, tagOf(person.value!))).location;
