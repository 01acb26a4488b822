import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { changed } from "../shared/live";
import { Empty, Loading, manyText, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { Link, query, setQuery } from "../shared/router";
import { Switch } from "./contents_list";
import { Cover, hrefOf, LentChip, makersText } from "./pieces";
import {
  collectionPath,
  type Collection,
  type Hit,
  isItemLeaving,
  isLeaving,
  isLibraryLeaving,
  type Item,
  type Library,
  listLibraries,
  search,
} from "./server";

const typingMs = 200;
const foundMax = 100;

const types = [
  { value: "", label: "All" },
  { value: "book", label: "Books" },
  { value: "video", label: "Videos" },
  { value: "collection", label: "Collections" },
];
const scopes = [
  { value: "", label: "Everywhere" },
  { value: "own", label: "Mine" },
  { value: "shared", label: "Shared with me" },
];
const fieldNames: Record<string, string> = {
  authors: "by",
  directors: "by",
  cast: "with",
  collectionName: "in",
  isbn: "ISBN",
};

function Marked({ segments }: { segments: { text: string; isMatch: boolean }[] }) {
  return <>{segments.map((it, i) => (it.isMatch ? <mark key={i}>{it.text}</mark> : it.text))}</>;
}

function Result({ hit, library }: { hit: Hit; library?: Library }) {
  const isCollection = hit.type === "collection";
  const name = isCollection ? (hit.item as Collection).name : (hit.item as Item).title;
  const href = isCollection ? hrefOf.collection(hit.item) : hrefOf.item(hit.item);
  const inName = hit.highlights.find((it) => it.field === "title" || it.field === "name");
  const others = hit.highlights.filter((it) => it !== inName);
  const makers = isCollection
    ? manyText((hit.item as Collection).itemCount, "item")
    : makersText(hit.item as Item);
  const hasMakers = others.some((it) => it.field === "authors" || it.field === "directors");
  return (
    <li class="item-row">
      <Link href={href}>
        <Cover
          item={{ title: name, type: hit.type === "video" ? "video" : "book" }}
          className={`piece-small ${isCollection ? "piece-stack" : ""}`}
        />
        <span class="item-words">
          <span class="item-title">{inName ? <Marked segments={inName.segments} /> : name}</span>
          {makers && !hasMakers && <span class="soft item-makers">{makers}</span>}
          {others.slice(0, 2).map((it) => (
            <span key={it.field} class="soft found-in">
              {fieldNames[it.field] ? `${fieldNames[it.field]} ` : ""}
              <Marked segments={it.segments} />
            </span>
          ))}
          <span class="row item-chips">
            {isCollection && <span class="chip">Collection</span>}
            {library && (
              <span class="chip">
                {library.libraryName}
                {!library.isOwner && `, ${library.sharedFrom}`}
              </span>
            )}
            {!isCollection && <LentChip item={hit.item as Item} />}
          </span>
        </span>
      </Link>
    </li>
  );
}

const isHere = ({ type, item }: Hit) =>
  type === "collection"
    ? !isLeaving(collectionPath(item.libraryId, item.id)) && !isLibraryLeaving(item.libraryId)
    : !isItemLeaving(item.libraryId, item.id);

export function SearchPage() {
  const words = (query.value.get("q") ?? "").trim();
  const type = types.find((it) => it.value === query.value.get("type"))?.value ?? "";
  const scope = scopes.find((it) => it.value === query.value.get("scope"))?.value ?? "";
  const typed = useSignal(words);
  const timer = useRef(0);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (words !== typed.peek().trim()) typed.value = words;
  }, [words]);
  useEffect(() => input.current?.focus(), []);
  const { data, error, reload } = useLoad(
    async (signal) => {
      if (!words) return undefined;
      const [found, libraries] = await Promise.all([
        search(words, { type, scope, limit: foundMax }, signal),
        listLibraries(signal),
      ]);
      return { ...found, libraries: new Map(libraries.map((it) => [it.id, it])), words };
    },
    [words, type, scope, changed.value],
  );
  const onType = (text: string) => {
    typed.value = text;
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setQuery({ q: text.trim() || null }), typingMs);
  };
  const hits = words ? (data?.items.filter(isHere) ?? []) : [];
  return (
    <>
      <PageTitle
        title="Search"
        line="Titles, people, collections and summaries, in all libraries that you see."
      />
      <div class="stack">
        <input
          ref={input}
          class="search-words"
          type="search"
          aria-label="Words to look for"
          placeholder="A title, a name, an ISBN"
          value={typed.value}
          onInput={(event) => onType(event.currentTarget.value)}
        />
        <div class="filters">
          <Switch
            label="Kind"
            options={types}
            value={type}
            onChoose={(value) => setQuery({ type: value })}
          />
          <Switch
            label="Whose"
            options={scopes}
            value={scope}
            onChoose={(value) => setQuery({ scope: value })}
          />
        </div>
      </div>
      {error !== undefined && <ProblemBox error={error} onRetry={reload} />}
      {words && !data && error === undefined && <Loading what="Looking" />}
      {words && data && (
        <p class="soft" role="status">
          {hits.length === foundMax ? `The best ${foundMax}` : manyText(hits.length, "thing")} found
          {data.didYouMean && (
            <>
              {". Did you mean "}
              <button
                type="button"
                class="small"
                onClick={() => setQuery({ q: data.didYouMean ?? null })}
              >
                {data.didYouMean}
              </button>
              ?
            </>
          )}
        </p>
      )}
      {!words && (
        <Empty title="What are you looking for?">
          <p>A few letters are enough, and a typo does not matter.</p>
        </Empty>
      )}
      {words && data && hits.length === 0 && (
        <Empty title="Nothing found">
          <p>No title, person or summary has these words.</p>
        </Empty>
      )}
      {hits.length > 0 && (
        <ul class="entries" aria-label="Found">
          {hits.map((hit) => (
            <Result
              key={`${hit.type} ${hit.item.id}`}
              hit={hit}
              library={data?.libraries.get(hit.item.libraryId)}
            />
          ))}
        </ul>
      )}
    </>
  );
}
