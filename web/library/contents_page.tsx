import { useEffect, useRef } from "preact/hooks";
import { Problem } from "../shared/api";
import { Icon } from "../shared/icons";
import { useShortcut } from "../shared/keys";
import { removeSoon } from "../shared/leaving";
import { changed } from "../shared/live";
import { Empty, Loading, manyText, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { Link, navigate, query, setQuery } from "../shared/router";
import { ContentsList, FilterBar, filterOf, Switch, usePages } from "./contents_list";
import { Crumbs, hrefOf, NotHere } from "./pieces";
import {
  type Contents,
  getLibrary,
  isLibraryLeaving,
  leavePath,
  type Library,
  listContents,
  listEverything,
  removalPath,
  tagOf,
} from "./server";

const views = [
  { value: "", label: "Shelves" },
  { value: "flat", label: "Titles" },
];

function Actions({ library }: { library: Library }) {
  const { id } = library;
  const shared = library.sharedTo?.length ?? 0;
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event) => {
      const isInside = event.target instanceof Node && menu.current?.contains(event.target);
      const isEscape = event instanceof KeyboardEvent && event.key === "Escape";
      if (menu.current && (isEscape || (event.type === "click" && !isInside)))
        menu.current.open = false;
    };
    addEventListener("click", close);
    addEventListener("keydown", close);
    return () => {
      removeEventListener("click", close);
      removeEventListener("keydown", close);
    };
  }, []);
  useShortcut(
    "n",
    "Add a book or video",
    () => library.isOwner && navigate(`${hrefOf.library(id)}/add`),
  );
  useShortcut(
    "e",
    "Edit this library",
    () => library.isOwner && navigate(`${hrefOf.library(id)}/edit`),
  );
  if (!library.isOwner) {
    const leave = () => {
      removeSoon(leavePath(id), "", `You have left ${library.libraryName}`);
      navigate("/library");
    };
    return (
      <button type="button" onClick={leave}>
        Leave this library
      </button>
    );
  }
  const remove = () => {
    const words = shared > 0 ? `, also for ${manyText(shared, "other person", "others")}` : "";
    removeSoon(removalPath(library), tagOf(library), `${library.libraryName} is deleted${words}`);
    navigate("/library");
  };
  return (
    <>
      <Link class="button primary" href={`${hrefOf.library(id)}/add`}>
        <Icon name="plus" /> Add
      </Link>
      <Link class="button" href={`${hrefOf.library(id)}/sharing`}>
        <Icon name="user" /> {shared > 0 ? `Shared with ${shared}` : "Share"}
      </Link>
      <details class="menu more-menu" ref={menu}>
        <summary aria-label="More about this library" title="More">
          <Icon name="more" />
        </summary>
        <div class="menu-inside">
          <Link href={`${hrefOf.library(id)}/edit`}>
            <Icon name="design" /> Edit
          </Link>
          <Link href={`${hrefOf.library(id)}/new-collection`}>
            <Icon name="shelf" /> New collection
          </Link>
          <Link href={`${hrefOf.library(id)}/import`}>
            <Icon name="table" /> Import a table
          </Link>
          <button type="button" class="danger" onClick={remove}>
            <Icon name="trash" /> Delete library
          </button>
        </div>
      </details>
    </>
  );
}

// A library beyond what can be sorted has its titles only.
async function readContents(
  id: string,
  query: Parameters<typeof listContents>[1],
  signal?: AbortSignal,
): Promise<Contents> {
  try {
    return await listContents(id, query, signal);
  } catch (error) {
    const isTooLong = error instanceof Problem && error.status === 422 && query.view === "grouped";
    if (!isTooLong) throw error;
    return listContents(id, { ...query, view: "flat" }, signal);
  }
}

function Nothing({ library, isAll }: { library?: Library; isAll: boolean }) {
  if (!isAll) {
    return (
      <Empty title="Nothing fits">
        <p>Nothing here is of this kind and in this place.</p>
        <button type="button" onClick={() => setQuery({ type: null, lent: null, letter: null })}>
          Show everything
        </button>
      </Empty>
    );
  }
  if (!library?.isOwner) return <Empty title="The shelf is empty" />;
  return (
    <Empty title="The shelf is empty">
      <p>Take the first book or disc in your hand and say what it is, or bring a table along.</p>
      <p class="row">
        <Link class="button primary" href={`${hrefOf.library(library.id)}/add`}>
          Add the first
        </Link>
        <Link class="button" href={`${hrefOf.library(library.id)}/import`}>
          Import a table
        </Link>
      </p>
    </Empty>
  );
}

export function ContentsPage({ id }: { id: string }) {
  const {
    data: library,
    error,
    reload,
  } = useLoad((signal) => getLibrary(id, signal), [id, changed.value]);
  const filter = filterOf();
  const isFlat = query.value.get("view") === "flat";
  const view = isFlat ? "flat" : "grouped";
  const isAll = !filter.type && !filter.lent;
  const pages = usePages(
    (cursor, signal) => readContents(id, { ...filter, view, cursor }, signal),
    [id, filter.type, filter.lent, view],
  );
  const isGone = error instanceof Problem && error.status === 404;
  if (isLibraryLeaving(id) || isGone) return <NotHere what="library" />;
  const problem = error ?? pages.error;
  if (problem !== undefined) {
    return (
      <ProblemBox
        error={problem}
        onRetry={() => {
          reload();
          pages.reload();
        }}
      />
    );
  }
  if (!library) return <Loading what="Opening the library" />;
  const line = [
    library.isOwner ? "" : `From ${library.sharedFrom}`,
    manyText(library.totalItems, "item"),
    library.description,
  ];
  return (
    <>
      <div class="stack">
        <Crumbs />
        <PageTitle title={library.libraryName} line={line.filter(Boolean).join(" · ")}>
          <Actions library={library} />
        </PageTitle>
      </div>
      {library.totalItems > 0 && (
        <FilterBar>
          <Switch
            label="How it is shown"
            options={views}
            value={isFlat ? "flat" : ""}
            onChoose={(value) => setQuery({ view: value, letter: null })}
          />
        </FilterBar>
      )}
      {pages.list.value ? (
        pages.list.value.items.length === 0 ? (
          <Nothing library={library} isAll={isAll} />
        ) : (
          <ContentsList pages={pages} canAdd={library.isOwner} isAll={isAll} />
        )
      ) : (
        <Loading what="Looking along the shelf" />
      )}
    </>
  );
}

const orders = [
  { value: "", label: "A to Z" },
  { value: "newest", label: "Newest" },
];

/** All that somebody owns, wherever it stands. */
export function EverythingPage() {
  const filter = filterOf();
  const sort = query.value.get("sort") === "newest" ? "newest" : "";
  const isAll = !filter.type && !filter.lent;
  const pages = usePages(
    (cursor, signal) => listEverything({ ...filter, sort, cursor }, signal),
    [filter.type, filter.lent, sort],
  );
  const { list, error, reload } = pages;
  return (
    <>
      <PageTitle title="Everything" line="All that is yours, wherever it stands." />
      <FilterBar>
        <Switch
          label="Order"
          options={orders}
          value={sort}
          onChoose={(value) => setQuery({ sort: value, letter: null })}
        />
      </FilterBar>
      {error !== undefined && <ProblemBox error={error} onRetry={reload} />}
      {!list.value && error === undefined && <Loading what="Looking along the shelves" />}
      {list.value?.items.length === 0 && <Nothing isAll={isAll} />}
      {list.value && list.value.items.length > 0 && (
        <ContentsList pages={pages} canAdd={false} isAll={isAll} showsLibrary isByLetter={!sort} />
      )}
    </>
  );
}
