import { PageTitle } from "../shared/pieces";
import { Link, path } from "../shared/router";
import type { ComponentChildren } from "preact";

/** What the pages about one table begin with. */
export function TableHead({
  name,
  line,
  children,
}: {
  name: string;
  line?: ComponentChildren;
  children?: ComponentChildren;
}) {
  const root = `/studio/tables/${encodeURIComponent(name)}`;
  const stream = `/studio/streams/${encodeURIComponent(name)}`;
  const tab = (href: string, label: string) => (
    <Link href={href} aria-current={path.value === href ? "page" : undefined}>
      {label}
    </Link>
  );
  return (
    <>
      <PageTitle title={name} line={line}>
        {children}
      </PageTitle>
      <nav class="tabs" aria-label={`Table ${name}`}>
        {tab(root, "Items")}
        {tab(`${root}/settings`, "Settings")}
        {tab(stream, "Stream")}
      </nav>
    </>
  );
}
