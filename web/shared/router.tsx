// The address is the state of a page: what is open, chosen and searched for.

import { computed, signal } from "@preact/signals";
import type { AnchorHTMLAttributes, ComponentChildren } from "preact";
import { keepScroll, restoreScroll } from "./scroll";

const read = () => ({
  path: location.pathname,
  query: new URLSearchParams(location.search),
});

export const route = signal(read());
export const path = computed(() => route.value.path);
export const query = computed(() => route.value.query);

// A screen reader's cursor follows to where the new content is.
const focusMain = () =>
  requestAnimationFrame(() => document.getElementById("main")?.focus({ preventScroll: true }));

addEventListener("popstate", () => {
  const isNewPlace = route.value.path !== location.pathname;
  route.value = read();
  if (!isNewPlace) return;
  focusMain();
  restoreScroll();
});

// Addresses of this page; all others are loaded anew.
let base = "/";
export function setBase(address: string): void {
  base = address;
}
const isOwn = (address: string) =>
  address === base || address.startsWith(base === "/" ? "/" : `${base}/`);

export function navigate(href: string, options: { replace?: boolean } = {}): void {
  const target = new URL(href, location.href);
  if (target.origin !== location.origin || !isOwn(target.pathname)) {
    location.assign(target);
    return;
  }
  const isNewPlace = target.pathname !== location.pathname;
  if (options.replace) history.replaceState(history.state, "", target);
  else {
    keepScroll();
    history.pushState(null, "", target);
  }
  route.value = read();
  if (isNewPlace) {
    scrollTo(0, 0);
    focusMain();
  }
}

/** Changes parts of the query; null removes. */
export function setQuery(
  changes: Record<string, string | null>,
  options: { replace?: boolean } = { replace: true },
): void {
  const next = new URLSearchParams(query.value);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === "") next.delete(name);
    else next.set(name, value);
  }
  const text = next.toString();
  navigate(location.pathname + (text ? `?${text}` : ""), options);
}

// An address that somebody has typed may be anything.
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The values of ":name" segments, or null when the path is another. */
export function match(pattern: string, actual = path.value): Record<string, string> | null {
  const wanted = pattern.split("/");
  const found = actual.replace(/\/$/, "").split("/");
  if (wanted.length !== found.length) return null;
  const values: Record<string, string> = {};
  for (let i = 0; i < wanted.length; i += 1) {
    const segment = wanted[i] ?? "";
    if (segment.startsWith(":")) values[segment.slice(1)] = decoded(found[i] ?? "");
    else if (segment !== found[i]) return null;
  }
  return values;
}

type LinkProps = {
  href: string;
  children?: ComponentChildren;
} & AnchorHTMLAttributes<HTMLAnchorElement>;

export function Link({ href, children, ...rest }: LinkProps) {
  const go = (event: MouseEvent) => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey
    )
      return;
    event.preventDefault();
    navigate(href);
  };
  return (
    <a {...rest} href={href} onClick={go}>
      {children}
    </a>
  );
}
