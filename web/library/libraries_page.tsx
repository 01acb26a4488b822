// All libraries: one's own, then what others share.

import { Icon } from "../shared/icons";
import { useShortcut } from "../shared/keys";
import { changed } from "../shared/live";
import { Empty, Loading, manyText, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { Link, navigate, query } from "../shared/router";
import { hrefOf, Spines } from "./pieces";
import {
  isLibraryLeaving,
  type Library,
  listContents,
  listEverything,
  listLibraries,
  listLoans,
  owner,
} from "./server";

const scopes = [
  { name: "", label: "All" },
  { name: "own", label: "Mine" },
  { name: "shared", label: "Shared with me" },
];

interface Found {
  libraries: Library[];
  /** What stands in front of each shelf. */
  titles: Map<string, string[]>;
  out: number;
  late: number;
}

// Shelves are drawn of real things: the first hundred of one's own, and the first of the others.
async function load(signal: AbortSignal): Promise<Found> {
  const [libraries, own, loans] = await Promise.all([
    listLibraries(signal),
    listEverything({}, signal),
    listLoans("open", signal),
  ]);
  const titles = new Map<string, string[]>();
  for (const entry of own.items) {
    if (entry.type === "collection") continue;
    titles.set(entry.libraryId, [...(titles.get(entry.libraryId) ?? []), entry.title]);
  }
  await Promise.all(
    libraries
      .filter((it) => !titles.has(it.id) && it.totalItems > 0)
      .slice(0, 12)
      .map(async ({ id }) => {
        const { items } = await listContents(id, { view: "flat", limit: 30 }, signal);
        titles.set(
          id,
          items.map((it) => (it.type === "collection" ? it.name : it.title)),
        );
      }),
  );
  return { libraries, titles, out: loans.length, late: loans.filter((it) => it.overdue).length };
}

function Tile({ library, titles }: { library: Library; titles: string[] }) {
  const shared = library.sharedTo?.length ?? 0;
  return (
    <li>
      <Link class="bookcase" href={hrefOf.library(library.id)}>
        <Spines titles={titles} total={library.totalItems} />
        <span class="bookcase-foot">
          <strong class="bookcase-name">{library.libraryName}</strong>
          {library.description && <span class="soft">{library.description}</span>}
          <span class="row bookcase-facts">
            <span class="chip">{manyText(library.totalItems, "item")}</span>
            {shared > 0 && (
              <span class="chip">
                <Icon name="user" /> shared with {shared}
              </span>
            )}
            {!library.isOwner && (
              <span class="chip">
                <Icon name="user" /> from {library.sharedFrom}
              </span>
            )}
          </span>
        </span>
      </Link>
    </li>
  );
}

function Part({ title, libraries, found }: { title: string; libraries: Library[]; found: Found }) {
  if (libraries.length === 0) return null;
  return (
    <section class="stack" aria-label={title}>
      <h2>{title}</h2>
      <ul class="bookcases">
        {libraries.map((library) => (
          <Tile key={library.id} library={library} titles={found.titles.get(library.id) ?? []} />
        ))}
      </ul>
    </section>
  );
}

function OutNow({ out, late }: { out: number; late: number }) {
  if (out === 0) return null;
  return (
    <Link class={`out-now ${late > 0 ? "is-late" : ""}`} href="/library/loans">
      <Icon name="access" />
      <span>
        <strong>{manyText(out, "thing")}</strong> of yours {out === 1 ? "is" : "are"} with somebody
        else
        {late > 0 && (
          <>
            {", "}
            <strong>{late} overdue</strong>
          </>
        )}
      </span>
    </Link>
  );
}

export function LibrariesPage() {
  const scope = query.value.get("scope") ?? "";
  const { data, error, reload } = useLoad(load, [changed.value]);
  useShortcut("n", "Make a library", () => navigate("/library/new"));
  const here = data?.libraries.filter((it) => !isLibraryLeaving(it.id)) ?? [];
  const own = here.filter((it) => it.isOwner);
  const shared = here.filter((it) => !it.isOwner);
  const shown = scope === "own" ? own : scope === "shared" ? shared : here;
  const counts: Record<string, number> = {
    "": here.length,
    own: own.length,
    shared: shared.length,
  };
  return (
    <>
      <PageTitle title="Libraries" line={owner.value && `${owner.value.ownerName}'s shelves`}>
        <Link class="button primary" href="/library/new">
          <Icon name="plus" /> Make a library
        </Link>
      </PageTitle>
      {data && shared.length > 0 && (
        <nav class="tabs" aria-label="Whose libraries">
          {scopes.map(({ name, label }) => (
            <Link
              key={name}
              href={name ? `/library?scope=${name}` : "/library"}
              aria-current={name === scope ? "page" : undefined}
            >
              {label} <span class="count">{counts[name]}</span>
            </Link>
          ))}
        </nav>
      )}
      {error !== undefined && <ProblemBox error={error} onRetry={reload} />}
      {!data && error === undefined && <Loading what="Looking along the shelves" />}
      {data && <OutNow out={data.out} late={data.late} />}
      {data && shown.length === 0 && (
        <Empty title={scope === "shared" ? "Nothing is shared with you" : "No library yet"}>
          <p>
            {scope === "shared"
              ? "Somebody who has a library here can share it with your e-mail address."
              : "A library is a room, a shelf or a box: make one, and say what stands in it."}
          </p>
          <Link class="button primary" href="/library/new">
            Make a library
          </Link>
        </Empty>
      )}
      {data && scope !== "shared" && <Part title="Mine" libraries={own} found={data} />}
      {data && scope !== "own" && <Part title="Shared with me" libraries={shared} found={data} />}
    </>
  );
}
