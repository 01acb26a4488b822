// The one file that talks to the server: errors in its words, versions, pages of lists, live
// updates, who is signed in, and what was read last for when there is no connection.

import { effect, signal } from "@preact/signals";
import { remember, remembered } from "./theme";

export interface FieldFailure {
  pointer: string;
  code: string;
  message: string;
}

/** What the server said went wrong (RFC 9457), or that it could not be reached. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors: FieldFailure[];
  /** The whole answer, for who knows more about it. */
  readonly body: unknown;

  constructor(init: {
    status: number;
    code: string;
    message: string;
    errors?: FieldFailure[];
    body?: unknown;
  }) {
    super(init.message);
    this.name = "Problem";
    this.status = init.status;
    this.code = init.code;
    this.errors = init.errors ?? [];
    this.body = init.body;
  }
}

/** What to tell a person about anything that was thrown. */
export function sentenceOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export interface Reply<T> {
  data: T;
  status: number;
  etag?: string;
  location?: string;
  /** Set when there is no connection and this was read earlier. */
  readAt?: Date;
}

export interface RequestOptions {
  body?: unknown;
  /** Text that is JSON already, for what must not go through JavaScript's numbers. */
  json?: string;
  /** A file instead of JSON. */
  file?: Blob;
  ifMatch?: string;
  idempotencyKey?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Goes on when the page is left. */
  keepalive?: boolean;
  /** Reads the answer, where numbers must stay what they are. */
  parse?: (text: string) => unknown;
}

export interface User {
  sub: string;
  email?: string;
  name?: string;
  groups?: string[];
}

/** Whether the last request found no server. */
export const isOffline = signal(false);
/** Rises when the server is back; what is shown is read again. */
export const recovered = signal(0);
/** Requests under way that change something. */
export const working = signal(0);
/** Who is signed in; null: nobody; undefined: not known yet. */
export const user = signal<User | null | undefined>(undefined);
/** Whether who is signed in is in one of the groups. The server asks for itself. */
export const isIn = (...groups: string[]) =>
  user.value?.groups?.some((group) => groups.includes(group)) ?? false;

/** Rises with every time that somebody signs in here. */
export const signIns = signal(0);
/** Set while who was signed in must sign in again; told whether they have. */
export const askAgain = signal<((isBack: boolean) => void) | null>(null);

let accessToken: string | undefined;
let refreshing: Promise<boolean> | undefined;

const isRead = (method: string) => method === "GET";
// Where 401 says that the password or the cookie is wrong, not the token.
const isSigning = /^\/auth\/v1\/(login|refresh|logout)$/;

function problemOf(status: number, body: unknown): Problem {
  const said = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  const type = typeof said.__type === "string" ? said.__type.split("#").pop() : undefined;
  const message = said.detail ?? said.message ?? said.Message ?? said.title ?? type;
  return new Problem({
    status,
    code: typeof said.code === "string" ? said.code : (type ?? String(status)),
    message: typeof message === "string" ? message : `the server answered ${status}`,
    errors: Array.isArray(said.errors) ? (said.errors as FieldFailure[]) : [],
    body,
  });
}

async function send(method: string, path: string, options: RequestOptions): Promise<Response> {
  const headers = new Headers({ Accept: "application/json", ...options.headers });
  const body =
    options.file ??
    options.json ??
    (options.body === undefined ? undefined : JSON.stringify(options.body));
  if (options.file) headers.set("Content-Type", options.file.type);
  if (body !== undefined && !headers.has("Content-Type")) {
    headers.set(
      "Content-Type",
      method === "PATCH" ? "application/merge-patch+json" : "application/json",
    );
  }
  if (accessToken) headers.set("Authorization", `Bearer ${accessToken}`);
  if (options.ifMatch) headers.set("If-Match", options.ifMatch);
  if (method === "POST" && options.idempotencyKey)
    headers.set("Idempotency-Key", options.idempotencyKey);
  try {
    const response = await fetch(path, {
      method,
      headers,
      body,
      signal: options.signal,
      keepalive: options.keepalive,
      credentials: "same-origin",
    });
    isOffline.value = false;
    return response;
  } catch (error) {
    if (options.signal?.aborted) throw error;
    isOffline.value = true;
    throw new Problem({ status: 0, code: "offline", message: "the server cannot be reached" });
  }
}

const lookOutMs = 2000;

// Nobody has to do anything for a page to find its server again.
async function lookOut(signal: AbortSignal): Promise<void> {
  const knock = () =>
    void fetch("/", { method: "HEAD" }).then(
      () => (isOffline.value = false),
      () => undefined,
    );
  addEventListener("online", knock, { signal });
  while (!signal.aborted) {
    await wait(lookOutMs, signal);
    if (!signal.aborted) knock();
  }
}

effect(() => {
  if (!isOffline.value) return;
  const looking = new AbortController();
  void lookOut(looking.signal);
  return () => {
    looking.abort();
    recovered.value = recovered.peek() + 1;
  };
});

async function replyOf<T>(
  response: Response,
  parse: (text: string) => unknown = JSON.parse,
): Promise<Reply<T>> {
  const text = await response.text();
  let data: unknown;
  if (text) {
    try {
      data = response.ok ? parse(text) : JSON.parse(text);
    } catch {
      data = text;
    }
  }
  if (!response.ok) throw problemOf(response.status, data);
  const readAt = response.headers.get("X-Read-At");
  return {
    data: data as T,
    status: response.status,
    etag: response.headers.get("ETag") ?? undefined,
    location: response.headers.get("Location") ?? undefined,
    readAt: readAt ? new Date(readAt) : undefined,
  };
}

// What was read last, per person. Browsers have it only where the origin is trustworthy.
const cacheName = () => `trestle-reads-${user.value?.sub ?? "nobody"}`;

async function keep(path: string, response: Response): Promise<void> {
  if (!("caches" in globalThis)) return;
  const headers = new Headers(response.headers);
  headers.set("X-Read-At", new Date().toISOString());
  const cache = await caches.open(cacheName());
  await cache.put(path, new Response(await response.blob(), { headers }));
}

async function kept(path: string): Promise<Response | undefined> {
  if (!("caches" in globalThis)) return undefined;
  return (await caches.open(cacheName())).match(path);
}

export async function request<T>(
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<Reply<T>> {
  if (!isRead(method)) working.value += 1;
  try {
    let response = await send(method, path, options);
    if (response.status === 401 && !isSigning.test(path) && (await refresh())) {
      response = await send(method, path, options);
    }
    if (isRead(method) && response.ok) void keep(path, response.clone()).catch(() => undefined);
    return await replyOf<T>(response, options.parse);
  } catch (error) {
    if (isRead(method) && error instanceof Problem && error.code === "offline") {
      const earlier = await kept(path);
      if (earlier) return replyOf<T>(earlier, options.parse);
    }
    throw error;
  } finally {
    if (!isRead(method)) working.value -= 1;
  }
}

export const get = <T>(path: string, options?: RequestOptions) => request<T>("GET", path, options);
export const post = <T>(path: string, body?: unknown, options?: RequestOptions) =>
  request<T>("POST", path, { idempotencyKey: crypto.randomUUID?.(), ...options, body });
export const patch = <T>(path: string, body: unknown, etag?: string) =>
  request<T>("PATCH", path, { body, ifMatch: etag });
export const put = <T>(path: string, body: unknown, etag?: string) =>
  request<T>("PUT", path, { body, ifMatch: etag });
export const remove = (path: string, etag?: string) =>
  request<void>("DELETE", path, { ifMatch: etag });

/** An address with a query; what is undefined or empty is left out. */
export function address(
  path: string,
  query: Record<string, string | number | boolean | undefined> = {},
): string {
  const parts = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== "")
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`);
  return parts.length > 0 ? `${path}?${parts.join("&")}` : path;
}

export interface List<T> {
  items: T[];
  nextCursor?: string;
}

/** A list read page by page. */
export class Pager<T> {
  readonly items = signal<T[]>([]);
  readonly isLoading = signal(false);
  readonly isComplete = signal(false);
  readonly problem = signal<Problem | null>(null);
  #cursor: string | undefined;

  constructor(
    readonly path: string,
    readonly query: Record<string, string | number | boolean | undefined> = {},
  ) {}

  async more(): Promise<void> {
    if (this.isLoading.value || this.isComplete.value) return;
    this.isLoading.value = true;
    try {
      const { data } = await get<List<T>>(
        address(this.path, { ...this.query, cursor: this.#cursor }),
      );
      this.items.value = [...this.items.value, ...data.items];
      this.#cursor = data.nextCursor;
      this.isComplete.value = data.nextCursor === undefined;
      this.problem.value = null;
    } catch (error) {
      this.problem.value =
        error instanceof Problem ? error : problemOf(0, { message: sentenceOf(error) });
    } finally {
      this.isLoading.value = false;
    }
  }
}

// Who is signed in. The access token lives in this page's memory only; a cookie that scripts
// cannot read brings a new one.
interface Tokens {
  accessToken: string;
  expiresIn: number;
}

// The cookie is the browser's: somebody else may have signed in from another window.
function subOf(token: string): string {
  const claims = token.split(".")[1]?.replaceAll("-", "+").replaceAll("_", "/") ?? "";
  return (JSON.parse(atob(claims)) as { sub: string }).sub;
}

function accept(tokens: Tokens): void {
  accessToken = tokens.accessToken;
  remember("signed-in", "yes");
}

async function refresh(): Promise<boolean> {
  refreshing ??= (async () => {
    try {
      const response = await send("POST", "/auth/v1/refresh", {});
      const { data } = await replyOf<Tokens>(response);
      accept(data);
      if (user.value && user.value.sub !== subOf(data.accessToken)) location.reload();
      return true;
    } catch (error) {
      // What somebody is in the middle of must not go: they are asked, and it goes on.
      if (isRefusal(error) && user.value) return await signInAgain();
      forgetIfRefused(error);
      return false;
    } finally {
      refreshing = undefined;
    }
  })();
  return refreshing;
}

const signInAgain = () =>
  new Promise<boolean>((resolve) => {
    askAgain.value = (isBack) => {
      askAgain.value = null;
      resolve(isBack);
    };
  });

// A page that is left gives up its requests too: that says nothing about who is here.
const isRefusal = (error: unknown) =>
  error instanceof Problem && [401, 403, 404].includes(error.status);
function forgetIfRefused(error: unknown): void {
  if (isRefusal(error)) forget();
}

function forget(): void {
  accessToken = undefined;
  user.value = null;
  remember("signed-in", null);
  remember("user", null);
}

// Who signs out in one window has signed out in all of them.
addEventListener("storage", ({ key }) => {
  if (key === "trestle.signed-out" && user.value) location.reload();
});

async function readUser(): Promise<void> {
  const { sub, email, name, groups } = (await get<User>("/auth/v1/me")).data;
  user.value = { sub, email, name, groups };
  remember("user", JSON.stringify(user.value));
}

// Who was here last, for when there is nobody to ask: what they had open they can read.
function lastUser(): User | null {
  try {
    return JSON.parse(remembered("user") ?? "null") as User | null;
  } catch {
    return null;
  }
}

// A server that is too busy for an answer has not refused anybody.
const resumeTries = 5;
const resumeMs = 1000;

/** Finds out who is here; asks the server only when somebody signed in from this browser. */
export async function resume(): Promise<void> {
  if (user.value !== undefined) return;
  for (let i = 0; i < resumeTries && remembered("signed-in") !== null; i += 1) {
    if (i > 0) await wait(resumeMs);
    if (await refresh()) await readUser().catch(forgetIfRefused);
    if (user.value !== undefined || isOffline.value) break;
  }
  user.value ??= isOffline.value ? lastUser() : null;
}

export async function signIn(email: string, password: string): Promise<void> {
  accept((await post<Tokens>("/auth/v1/login", { email, password })).data);
  await readUser();
  signIns.value += 1;
}

export async function signUp(fields: {
  name: string;
  email: string;
  password: string;
}): Promise<string> {
  const { data } = await post<{ status: string }>("/auth/v1/signup", fields);
  return data.status;
}

export async function signOut(): Promise<void> {
  const cache = cacheName();
  await post("/auth/v1/logout").catch(() => undefined);
  if ("caches" in globalThis) await caches.delete(cache);
  remember("signed-out", String(Date.now()));
  forget();
}

export interface LiveEvent {
  id?: string;
  type: string;
  data: string;
}

const heartbeatMs = 60_000;
const reconnectMs = [500, 1000, 2000, 5000, 15_000];

/** Follows a stream of server-sent events until `signal` ends it; connects again by itself. */
export async function live(
  path: string,
  onEvent: (event: LiveEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  let lastId: string | undefined;
  let failures = 0;
  while (!signal.aborted) {
    try {
      await follow(path, lastId, signal, (event) => {
        lastId = event.id ?? lastId;
        failures = 0;
        onEvent(event);
      });
    } catch (error) {
      if (error instanceof Problem && error.status >= 400 && error.status < 500) throw error;
    }
    if (signal.aborted) return;
    await wait(reconnectMs[Math.min(failures, reconnectMs.length - 1)] ?? 0, signal);
    failures += 1;
  }
}

async function follow(
  path: string,
  lastId: string | undefined,
  signal: AbortSignal,
  onEvent: (event: LiveEvent) => void,
): Promise<void> {
  const silence = new AbortController();
  const either = AbortSignal.any ? AbortSignal.any([signal, silence.signal]) : signal;
  const headers: Record<string, string> = { Accept: "text/event-stream" };
  if (lastId !== undefined) headers["Last-Event-ID"] = lastId;
  let response = await send("GET", path, { headers, signal: either });
  if (response.status === 401 && (await refresh()))
    response = await send("GET", path, { headers, signal: either });
  if (!response.ok || !response.body) await replyOf(response);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  let timer = 0;
  try {
    for (;;) {
      timer = window.setTimeout(() => silence.abort(), heartbeatMs);
      const { done, value } = await reader.read();
      clearTimeout(timer);
      if (done) return;
      text += value.replaceAll("\r\n", "\n");
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = eventOf(block);
        if (event) onEvent(event);
      }
    }
  } finally {
    clearTimeout(timer);
    void reader.cancel().catch(() => undefined);
  }
}

export function eventOf(block: string): LiveEvent | undefined {
  const event: LiveEvent = { type: "message", data: "" };
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    if (colon === 0) continue;
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") data.push(value);
    if (name === "event") event.type = value;
    if (name === "id") event.id = value;
  }
  event.data = data.join("\n");
  return data.length > 0 ? event : undefined;
}

export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
