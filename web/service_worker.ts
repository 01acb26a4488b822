// Lets pages that were open be opened again without the server. It keeps pages and their parts,
// which are the same for everybody; what somebody has read stays in a cache of their own
// (shared/api.ts).

// By build.mjs: changes with every file of the pages.
declare const BUILD: string;

interface Waiting extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Installing extends Waiting {
  addRoutes?(routes: object[]): Promise<void>;
}
interface Asking extends Waiting {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface Telling extends Waiting {
  data: { parts?: string[]; page?: string };
}
interface Worker {
  addEventListener(type: "install", listener: (event: Installing) => void): void;
  addEventListener(type: "activate", listener: (event: Waiting) => void): void;
  addEventListener(type: "fetch", listener: (event: Asking) => void): void;
  addEventListener(type: "message", listener: (event: Telling) => void): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
  location: Location;
}
const worker = self as unknown as Worker;

const prefix = "trestle-pages-";
const name = prefix + BUILD;
const homePaths = ["/", "/signin", "/signup", "/confirm", "/forgot", "/account"];

const isPart = (path: string) => path.startsWith("/assets/") || path === "/favicon.svg";
// Behind a page's first segment is its own state.
const pageOf = (path: string) => (homePaths.includes(path) ? "/" : `/${path.split("/")[1]}`);
const isHtml = (response: Response) =>
  response.ok && (response.headers.get("Content-Type") ?? "").startsWith("text/html");

async function keepParts(paths: string[]): Promise<void> {
  const cache = await caches.open(name);
  for (const path of paths.filter(isPart)) {
    if (await cache.match(path)) continue;
    const response = await fetch(path);
    if (!response.ok) throw new Error(`${path} is gone`);
    await cache.put(path, response);
  }
}

// A page whose parts are gone is an old one: it is not kept, and what was kept stays whole.
async function keepPage(page: string, response: Response): Promise<void> {
  const text = await response.clone().text();
  await keepParts([...text.matchAll(/(?:href|src)="(\/[^"]+)"/g)].map((found) => found[1] ?? ""));
  await (await caches.open(name)).put(page, response);
}

async function readPage(page: string): Promise<void> {
  const response = await fetch(page, { headers: { Accept: "text/html" } });
  if (isHtml(response)) await keepPage(page, response);
}

const others = async () =>
  (await caches.keys()).filter((other) => other.startsWith(prefix) && other !== name);

// What an earlier version had kept is read anew.
async function renew(): Promise<void> {
  for (const other of await others()) {
    for (const { url } of await (await caches.open(other)).keys()) {
      const { pathname } = new URL(url);
      if (!isPart(pathname)) await readPage(pathname);
    }
  }
  await worker.skipWaiting();
}

async function begin(): Promise<void> {
  for (const other of await others()) await caches.delete(other);
  await worker.clients.claim();
}

async function open(event: Asking, page: string): Promise<Response> {
  try {
    const response = await fetch(event.request);
    if (isHtml(response)) event.waitUntil(keepPage(page, response.clone()).catch(() => undefined));
    return response;
  } catch (error) {
    const kept = await (await caches.open(name)).match(page);
    if (kept) return kept;
    throw error;
  }
}

// Parts have their contents' hash in their names: what is kept is what the server would send.
async function part(event: Asking, path: string): Promise<Response> {
  const cache = await caches.open(name);
  const kept = await cache.match(path);
  if (kept) return kept;
  const response = await fetch(event.request);
  if (response.ok) event.waitUntil(cache.put(path, response.clone()));
  return response;
}

// What is asked of the server never passes here, where browsers can be told so: a request that is
// to outlive its page would not.
const direct = ["/api/*", "/auth/*"].map((urlPattern) => ({
  condition: { urlPattern },
  source: "network",
}));

worker.addEventListener("install", (event) => {
  event.waitUntil(Promise.all([renew(), event.addRoutes?.(direct)]));
});
worker.addEventListener("activate", (event) => event.waitUntil(begin()));
worker.addEventListener("message", (event) => {
  const { parts = [], page = "/" } = event.data;
  // The start page is where people come to when they sign out.
  const pages = new Set(["/", pageOf(page)]);
  const work = [keepParts(parts), ...[...pages].map(readPage)];
  event.waitUntil(Promise.all(work).catch(() => undefined));
});
worker.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== worker.location.origin) return;
  if (event.request.mode === "navigate") event.respondWith(open(event, pageOf(pathname)));
  else if (pathname.startsWith("/assets/")) event.respondWith(part(event, pathname));
});

export {};
