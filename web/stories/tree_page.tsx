import { signal, useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { user } from "../shared/api";
import { agoText } from "../shared/dates";
import { Icon } from "../shared/icons";
import { useShortcut } from "../shared/keys";
import { changed } from "../shared/live";
import { countText, Loading, manyText, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { Link, navigate, query, setQuery } from "../shared/router";
import { theme } from "../shared/theme";
import { AuthorLink, Badges, readHref, storyHref, type Tone, toneNames } from "./pieces";
import { getStory, getTree, type Story, type Tree } from "./server";
import { isMissing, NoStory } from "./story_page";
import { found, type Grown, grow, layOut, rowsOf, type Twig, wayTo } from "./tree_layout";
import { TreeList } from "./tree_list";
import { type Scene, TreeMap } from "./tree_map";

// So many folded places fit into an address.
const closedMax = 60;
const narrow = matchMedia("(max-width: 52rem)");
const isNarrow = signal(narrow.matches);
narrow.addEventListener("change", () => (isNarrow.value = narrow.matches));

const shownTones: Tone[] = ["author", "vision", "approved", "plain"];

function Legend({ marksUnread }: { marksUnread: boolean }) {
  return (
    <ul class="tree-legend" aria-label="What the marks mean">
      {shownTones.map((tone) => (
        <li key={tone}>
          <span class={`tree-dot dot-${tone}`} aria-hidden="true" /> {toneNames[tone]}
        </li>
      ))}
      {marksUnread && (
        <li>
          <span class="tree-dot dot-unread" aria-hidden="true" /> Unread
        </li>
      )}
      <li>
        <span class="tree-line" aria-hidden="true" /> The path so far
      </li>
      <li class="soft">Larger: more reads</li>
    </ul>
  );
}

interface ChosenProps {
  story: Story;
  twig: Twig;
  isClosed: boolean;
  onFold: (id: string, isClosed: boolean) => void;
}

function Chosen({ story, twig, isClosed, onFold }: ChosenProps) {
  const { node, below, total } = twig;
  return (
    <section class="tree-chosen card" aria-label="The chosen chapter">
      <h2>{node.title}</h2>
      <p class="soft">
        Chapter {node.depth + 1} by <AuthorLink id={node.authorId} name={node.author} />
        {`, ${agoText(node.createdAt)} · ${manyText(node.reads, "read")}`}
        {` · ${manyText(node.score, "point")}`}
        {total > 0 && ` · ${manyText(total, "chapter")} behind it`}
        {node.closed && " · closed to you"}
      </p>
      <p class="labels">
        <Badges badges={node.badges} />
        {user.value && !node.readByMe && <span class="chip chip-new">Unread</span>}
      </p>
      <p class="row">
        <Link class="button primary small" href={readHref(story.storyId, node.id)}>
          <Icon name="book" /> Read
        </Link>
        {!node.removed && (
          <Link
            class="button small"
            href={`${storyHref(story.storyId)}/write/${encodeURIComponent(node.id)}`}
          >
            <Icon name="plus" /> Branch from here
          </Link>
        )}
        {below.length > 0 && (
          <button type="button" class="small" onClick={() => onFold(node.id, !isClosed)}>
            {isClosed ? "Unfold" : "Fold away"}
          </button>
        )}
      </p>
    </section>
  );
}

interface MapProps {
  scene: Scene;
  total: number;
  map: { current: TreeMap | null };
  onSelect: (id: string) => void;
  onOpen: (id: string) => void;
  onUnfold: (id: string) => void;
  byId: Grown["byId"];
}

function Map({ scene, total, map, byId, ...handlers }: MapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const hover = useSignal<{ id: string; x: number; y: number } | null>(null);
  const latest = useRef(handlers);
  latest.current = handlers;
  useEffect(() => {
    if (!canvas.current) return;
    const drawn = new TreeMap(canvas.current, {
      onSelect: (id) => latest.current.onSelect(id),
      onOpen: (id) => latest.current.onOpen(id),
      onUnfold: (id) => latest.current.onUnfold(id),
      onHover: (it) => {
        if (it?.id !== hover.peek()?.id) hover.value = it;
      },
    });
    map.current = drawn;
    return () => {
      drawn.end();
      map.current = null;
    };
  }, []);
  useEffect(() => map.current?.readColours(), [theme.value]);
  useEffect(() => map.current?.show(scene), [scene]);
  const node = hover.value && byId.get(hover.value.id)?.node;
  return (
    <div class="tree-map">
      <canvas
        ref={canvas}
        role="img"
        aria-label={`The tree of ${countText(total)} chapters; the list says the same`}
      />
      <div class="tree-zoom" role="group" aria-label="The picture">
        <button
          type="button"
          class="icon-only"
          aria-label="Closer"
          title="Closer (+)"
          onClick={() => map.current?.zoom(1.4)}
        >
          +
        </button>
        <button
          type="button"
          class="icon-only"
          aria-label="Farther"
          title="Farther (-)"
          onClick={() => map.current?.zoom(1 / 1.4)}
        >
          −
        </button>
        <button type="button" title="All of it (0)" onClick={() => map.current?.fit()}>
          All
        </button>
      </div>
      {node && hover.value && (
        <p
          class="tree-tip"
          aria-hidden="true"
          style={{ left: `${hover.value.x}px`, top: `${hover.value.y}px` }}
        >
          <strong>{node.title}</strong>
          <span>
            {node.author} · {manyText(node.reads, "read")} · {manyText(node.score, "point")}
            {scene.marksUnread && !node.readByMe && " · unread"}
          </span>
        </p>
      )}
    </div>
  );
}

interface FindProps {
  hits: string[];
  selected?: string;
  onJump: (id: string) => void;
}

function Find({ hits, selected, onJump }: FindProps) {
  const words = query.value.get("q") ?? "";
  const input = useRef<HTMLInputElement>(null);
  useShortcut("f", "Find in the tree", () => input.current?.focus());
  const at = hits.indexOf(selected ?? "");
  const jump = (by: number) => {
    const next = hits[(Math.max(at, by > 0 ? -1 : 0) + by + hits.length) % hits.length];
    if (next) onJump(next);
  };
  return (
    <div class="tree-find" role="search">
      <input
        ref={input}
        type="search"
        aria-label="Find a chapter or a writer in the tree"
        placeholder="Find a chapter or writer"
        value={words}
        onInput={(event) => setQuery({ q: event.currentTarget.value || null })}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          jump(event.shiftKey ? -1 : 1);
        }}
      />
      {words.trim() && (
        <>
          <span class="soft" role="status">
            {hits.length === 0
              ? "Nothing fits"
              : at >= 0
                ? `${at + 1} of ${hits.length}`
                : manyText(hits.length, "fits", "fit")}
          </span>
          <button
            type="button"
            class="small icon-only"
            aria-label="The one before"
            disabled={hits.length === 0}
            onClick={() => jump(-1)}
          >
            <Icon name="up" />
          </button>
          <button
            type="button"
            class="small icon-only"
            aria-label="The next one"
            disabled={hits.length === 0}
            onClick={() => jump(1)}
          >
            <Icon name="down" />
          </button>
        </>
      )}
    </div>
  );
}

function Picture({ story, tree, grown }: { story: Story; tree: Tree; grown: Grown }) {
  const map = useRef<TreeMap | null>(null);
  const asked = query.value.get("view");
  const view = asked === "map" || asked === "list" ? asked : isNarrow.value ? "list" : "map";
  const words = query.value.get("q") ?? "";
  const closedText = query.value.get("closed") ?? "";
  const closed = useMemo(() => new Set(closedText.split(",").filter(Boolean)), [closedText]);
  const bookmark = story.me?.bookmark?.currentNodeId;
  const at = query.value.get("at") ?? undefined;
  const selected = grown.byId.has(at ?? "") ? at : undefined;
  const hits = useMemo(() => found(tree.nodes, words), [tree, words]);
  const way = useMemo(
    () => wayTo(grown.byId.get(selected ?? bookmark ?? "")),
    [grown, selected, bookmark],
  );
  const placed = useMemo(() => layOut(grown, closed), [grown, closed]);
  const rows = useMemo(() => rowsOf(grown, closed), [grown, closed]);
  const hitSet = useMemo(() => new Set(hits), [hits]);
  const marksUnread = user.value !== null && user.value !== undefined;
  const scene = useMemo<Scene>(
    () => ({ placed, closed, selected: selected ?? bookmark, way, found: hitSet, marksUnread }),
    [placed, closed, selected, bookmark, way, hitSet, marksUnread],
  );
  const setClosed = (next: Set<string>, changes: Record<string, string | null> = {}) =>
    setQuery({ closed: [...next].slice(-closedMax).join(",") || null, ...changes });
  const fold = (id: string, isClosed: boolean) => {
    const next = new Set(closed);
    if (isClosed) next.add(id);
    else next.delete(id);
    // What is chosen does not disappear.
    const isInside = isClosed && selected !== undefined && selected !== id && way.has(id);
    setClosed(next, isInside ? { at: id } : {});
  };
  const select = (id: string) => setQuery({ at: id });
  const open = (id: string) => navigate(readHref(story.storyId, id));
  // Folded places on the way to it are unfolded.
  const jump = (id: string) => {
    const next = new Set(closed);
    for (let it = grown.byId.get(id)?.parent; it; it = it.parent) next.delete(it.node.id);
    setClosed(next, { at: id });
    requestAnimationFrame(() => requestAnimationFrame(() => map.current?.bringIntoSight(id)));
  };
  const pick = (id: string) => {
    select(id);
    requestAnimationFrame(() => map.current?.bringIntoSight(id));
  };
  useShortcut("+", "Closer", () => map.current?.zoom(1.4));
  useShortcut("-", "Farther", () => map.current?.zoom(1 / 1.4));
  useShortcut("0", "All of the tree", () => map.current?.fit());
  useShortcut("l", "Picture or list", () => setQuery({ view: view === "list" ? "map" : "list" }));
  const list = (
    <TreeList
      rows={rows}
      closed={closed}
      selected={selected ?? bookmark ?? rows[0]?.node.id}
      way={way}
      found={hitSet}
      marksUnread={marksUnread}
      onSelect={pick}
      onOpen={open}
      onFold={fold}
    />
  );
  const chosen = grown.byId.get(selected ?? bookmark ?? "");
  const unread = tree.nodes.filter((node) => !node.readByMe);
  const next = unread.find((node) => !node.removed);
  return (
    <>
      <div class="tree-bar">
        <Find hits={hits} selected={selected} onJump={jump} />
        {marksUnread && (
          <button
            type="button"
            disabled={!next}
            onClick={() => {
              const after = unread.findIndex((node) => node.id === selected);
              jump((unread[after + 1] ?? next)?.id ?? "");
            }}
          >
            {next ? `Next unread (${countText(unread.length)})` : "All read"}
          </button>
        )}
        {bookmark && (
          <button type="button" onClick={() => jump(bookmark)}>
            <Icon name="bookmark" /> My place
          </button>
        )}
        {closed.size > 0 && (
          <button type="button" onClick={() => setClosed(new Set())}>
            Unfold all
          </button>
        )}
        <span class="switch" role="group" aria-label="Shown as">
          <button
            type="button"
            aria-pressed={view === "map"}
            onClick={() => setQuery({ view: "map" })}
          >
            Picture
          </button>
          <button
            type="button"
            aria-pressed={view === "list"}
            onClick={() => setQuery({ view: "list" })}
          >
            List
          </button>
        </span>
      </div>
      <div class={`tree-view shows-${view}`}>
        {view === "map" && (
          <Map
            scene={scene}
            total={tree.totalNodes}
            map={map}
            byId={grown.byId}
            onSelect={select}
            onOpen={open}
            onUnfold={(id) => fold(id, false)}
          />
        )}
        <div class="tree-side">
          {chosen && (
            <Chosen
              story={story}
              twig={chosen}
              isClosed={closed.has(chosen.node.id)}
              onFold={fold}
            />
          )}
          {list}
        </div>
      </div>
      <Legend marksUnread={marksUnread} />
    </>
  );
}

async function load(id: string, signal: AbortSignal) {
  const [story, tree] = await Promise.all([getStory(id, signal), getTree(id, signal)]);
  return { story, tree, grown: grow(tree.nodes) };
}

export function TreePage({ id }: { id: string }) {
  const { data, error, reload } = useLoad(
    (signal) => load(id, signal),
    [id, user.value?.sub, changed.value],
  );
  if (isMissing(error)) return <NoStory />;
  if (error !== undefined) return <ProblemBox error={error} onRetry={reload} />;
  if (!data) return <Loading what="Growing the tree" />;
  const { story, tree, grown } = data;
  return (
    <div class="tree-page stack">
      <PageTitle
        title={`The tree of ${story.title}`}
        line={`${manyText(tree.totalNodes, "chapter")}, at most ${tree.maxDepth + 1} deep`}
      >
        <Link class="button" href={storyHref(id)}>
          <Icon name="book" /> The story
        </Link>
      </PageTitle>
      {grown && <Picture story={story} tree={tree} grown={grown} />}
    </div>
  );
}
