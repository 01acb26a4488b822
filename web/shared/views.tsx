// Which view an address shows, and what stands there instead.

import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Empty } from "./pieces";
import { match } from "./router";

export type ViewList = [string, (values: Record<string, string>) => JSX.Element][];

/** The first of `views` whose pattern fits the address. */
export function Views({ views, home }: { views: ViewList; home: { href: string; label: string } }) {
  for (const [pattern, view] of views) {
    const values = match(pattern);
    if (values) return view(values);
  }
  return (
    <Empty isPage title="There is nothing here">
      <p>The address may be an old one.</p>
      <a class="button" href={home.href}>
        {home.label}
      </a>
    </Empty>
  );
}

/** What somebody sees who is not signed in and must be. */
export function SignInFirst({ title, children }: { title: string; children: ComponentChildren }) {
  useEffect(() => {
    document.title = `${title} · Trestle`;
  }, [title]);
  const next = encodeURIComponent(location.pathname + location.search);
  return (
    <div class="welcome stack">
      <h1>{title}</h1>
      <p class="hero-line">{children}</p>
      <p class="row">
        <a class="button primary" href={`/signin?next=${next}`}>
          Sign in
        </a>
        <a class="button" href={`/signup?next=${next}`}>
          Make an account
        </a>
      </p>
    </div>
  );
}
