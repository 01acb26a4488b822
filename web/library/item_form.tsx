// Adding a book or video, and changing one.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { type FieldSet, readTyped, type Typed } from "../shared/editing";
import {
  AreaField,
  FormProblem,
  type FormState,
  SelectField,
  SubmitButton,
  TextField,
  useForm,
} from "../shared/form";
import { touch } from "../shared/live";
import { isUploaded, PictureEditor } from "../shared/picture";
import { pictureTypes, putPicture } from "../shared/picture_editor";
import { Loading, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { Link, navigate, query, setQuery } from "../shared/router";
import { attempt, done } from "../shared/toast";
import { Switch } from "./contents_list";
import { atField, EditForm } from "./editing";
import { LookUp } from "./look_up";
import { Crumbs, hrefOf } from "./pieces";
import {
  addCollection,
  addItem,
  type Candidate,
  changeItem,
  type Collection,
  getItem,
  getLibrary,
  type Item,
  itemPath,
  listCollections,
  tagOf,
} from "./server";

type Kind = Item["type"];

const bookLabels = { title: "Title", authors: "Authors", isbn: "ISBN" };
const videoLabels = {
  title: "Title",
  directors: "Directors",
  cast: "Cast",
  releaseYear: "Year",
  duration: "Minutes",
  tmdbId: "TMDB number",
};
const sharedLabels = {
  collectionId: "Collection",
  order: "Number in it",
  summary: "About it",
  pictureUrl: "Address of a picture",
};
const labelsOf = (kind: Kind): Record<string, string> => ({
  ...(kind === "book" ? bookLabels : videoLabels),
  ...sharedLabels,
});

const lists = ["authors", "directors", "cast"];
const numbers = ["releaseYear", "duration", "order"];

// What is no number goes as text, and the server says what it wants.
function valueOf(name: string, text: string): unknown {
  if (lists.includes(name)) {
    return text
      .split("\n")
      .map((it) => it.trim())
      .filter(Boolean);
  }
  if (text === "" && name !== "title") return null;
  return numbers.includes(name) && /^\d{1,15}$/.test(text) ? Number(text) : text;
}

function typedOf(item: Item): Typed {
  const all = item as unknown as Record<string, string | number | string[] | undefined>;
  return Object.fromEntries(
    Object.keys(labelsOf(item.type)).map((name) => {
      const value = name === "pictureUrl" && isUploaded(item.pictureUrl) ? undefined : all[name];
      return [name, Array.isArray(value) ? value.join("\n") : String(value ?? "")];
    }),
  );
}

const fieldSetOf = (kind: Kind, collections: Collection[]): FieldSet<Item> => ({
  labels: labelsOf(kind),
  typedOf,
  valueOf,
  shownOf: (name, text) =>
    name === "collectionId" ? (collections.find((it) => it.id === text)?.name ?? text) : text,
});

const newCollection = "new";

interface FieldsProps {
  kind: Kind;
  typed: Typed;
  state: FormState;
  collections: Collection[];
  isNew?: boolean;
}

function Fields({ kind, typed, state, collections, isNew }: FieldsProps) {
  const labels = labelsOf(kind);
  const chosen = useSignal(typed.collectionId ?? "");
  const field = (name: string) => ({
    label: labels[name] ?? name,
    name,
    state,
    defaultValue: typed[name] ?? "",
  });
  return (
    <>
      <TextField {...field("title")} required />
      {kind === "book" ? (
        <>
          <AreaField {...field("authors")} rows={2} hint="One in a line" />
          <TextField {...field("isbn")} hint="10 or 13 digits, with or without hyphens" />
        </>
      ) : (
        <>
          <div class="form-row">
            <AreaField {...field("directors")} rows={2} hint="One in a line" />
            <AreaField {...field("cast")} rows={2} hint="Up to five, one in a line" />
          </div>
          <div class="form-row">
            <TextField {...field("releaseYear")} placeholder="1927" />
            <TextField {...field("duration")} placeholder="94" />
            <TextField {...field("tmdbId")} />
          </div>
        </>
      )}
      <div class="form-row">
        <SelectField
          label={labels.collectionId ?? ""}
          name="collectionId"
          state={state}
          value={chosen.value}
          onChange={(value) => (chosen.value = value)}
          options={[
            { value: "", label: "None: it stands by itself" },
            ...collections.map((it) => ({ value: it.id, label: it.name })),
            ...(isNew ? [{ value: newCollection, label: "A new collection…" }] : []),
          ]}
        />
        {chosen.value === newCollection && (
          <TextField label="Name of the collection" name="collectionName" state={state} />
        )}
        {(chosen.value !== "" || state.fields.order) && (
          <TextField {...field("order")} hint="Empty: behind all others" />
        )}
      </div>
      <AreaField {...field("summary")} rows={4} hint="**bold**, *italic*, lists" />
      {isNew && (
        <label class="field">
          <span class="label">Picture</span>
          <input type="file" name="picture" accept={pictureTypes} />
        </label>
      )}
      <TextField {...field("pictureUrl")} type="url" placeholder="https://" />
    </>
  );
}

const kinds = [
  { value: "", label: "Book" },
  { value: "video", label: "Video" },
];

function AddForm({ libraryId, collections }: { libraryId: string; collections: Collection[] }) {
  const kind: Kind = query.value.get("type") === "video" ? "video" : "book";
  const start = {
    collectionId: query.value.get("collection") ?? "",
    order: query.value.get("order") ?? "",
  };
  const typed = useSignal<Typed>(start);
  const turn = useSignal(0);
  const wantsMore = useRef(false);
  const made = useSignal<Collection[]>([]);
  const toTitle = () => document.querySelector<HTMLElement>("[name=title]")?.focus();
  // Where a keyboard does not cover half of the page.
  useEffect(() => void (matchMedia("(hover: hover)").matches && toTitle()), []);
  const { state, onSubmit } = useForm(async (data) => {
    const names = Object.keys(labelsOf(kind));
    const given = readTyped(names, data);
    if (given.collectionId === newCollection) {
      const name = String(data.get("collectionName") ?? "").trim();
      const codes = { "collection-name-taken": "collectionName", validation: "collectionName" };
      const collection = await atField(codes, async () => {
        try {
          return await addCollection(libraryId, { name });
        } catch (error) {
          // The server's "name" is another field here.
          const { errors } = error as { errors?: { pointer: string }[] };
          errors?.forEach((it) => (it.pointer = it.pointer.replace("/name", "/collectionName")));
          throw error;
        }
      });
      made.value = [...made.value, collection];
      given.collectionId = collection.id;
    }
    const fields = Object.fromEntries(
      names
        .filter((name) => given[name] !== "" || name === "title")
        .map((name) => [name, valueOf(name, given[name] ?? "")]),
    );
    const item = await atField({}, () => addItem(libraryId, kind, fields));
    const file = data.get("picture");
    if (file instanceof File && file.size > 0) {
      await attempt(() => putPicture(itemPath(libraryId, item.id), file));
    }
    done(`${item.title} is on the shelf`);
    touch();
    if (!wantsMore.current) {
      navigate(hrefOf.item(item), { replace: true });
      return;
    }
    // The next one of a series has the same people and the next number.
    typed.value = {
      collectionId: item.collectionId ?? "",
      ...(item.collectionId && {
        authors: (item.authors ?? []).join("\n"),
        directors: (item.directors ?? []).join("\n"),
        order: item.order === undefined ? "" : String(item.order + 1),
      }),
    };
    turn.value += 1;
    requestAnimationFrame(toTitle);
  });
  const fill = (found: Candidate) => {
    typed.value = { ...typedOf(found as Item), ...start };
    turn.value += 1;
    requestAnimationFrame(toTitle);
  };
  return (
    <>
      <LookUp kind={kind} onChoose={fill} />
      <form class="card form" key={turn.value} onSubmit={onSubmit} noValidate>
        <Switch
          label="What it is"
          options={kinds}
          value={kind === "video" ? "video" : ""}
          onChoose={(value) => setQuery({ type: value })}
        />
        <Fields
          key={kind}
          kind={kind}
          typed={typed.value}
          state={state.value}
          collections={[...collections, ...made.value]}
          isNew
        />
        <FormProblem state={state.value} />
        <div class="form-end">
          <Link class="button" href={hrefOf.library(libraryId)}>
            Cancel
          </Link>
          <button
            type="submit"
            disabled={state.value.isBusy}
            onClick={() => (wantsMore.current = true)}
          >
            Add, then another
          </button>
          <span onClickCapture={() => (wantsMore.current = false)}>
            <SubmitButton state={state.value}>{`Add ${kind}`}</SubmitButton>
          </span>
        </div>
      </form>
    </>
  );
}

async function load(libraryId: string, signal: AbortSignal) {
  const [library, collections] = await Promise.all([
    getLibrary(libraryId, signal),
    listCollections(libraryId, signal),
  ]);
  return { library, collections };
}

export function AddItemPage({ libraryId }: { libraryId: string }) {
  const { data, error, reload } = useLoad((signal) => load(libraryId, signal), [libraryId]);
  return (
    <div class="narrow stack">
      <Crumbs library={data?.library} />
      <PageTitle title="Add to the shelf" />
      {error !== undefined && <ProblemBox error={error} onRetry={reload} />}
      {!data && error === undefined && <Loading />}
      {data && <AddForm libraryId={libraryId} collections={data.collections} />}
    </div>
  );
}

function EditItem({ item, collections }: { item: Item; collections: Collection[] }) {
  // A picture is changed at once, and the rest of the form is of the version after it.
  const now = useSignal(item);
  const { libraryId, id } = item;
  const back = hrefOf.item(item);
  return (
    <>
      <PictureEditor
        title={item.title}
        address={now.value.pictureUrl}
        path={itemPath(libraryId, id)}
        etag={tagOf(now.value)}
        onChanged={(after) => {
          const { version } = now.value;
          now.value = (after as Item | undefined) ?? {
            ...now.value,
            pictureUrl: undefined,
            version: version + 1,
          };
        }}
      />
      <EditForm
        {...fieldSetOf(item.type, collections)}
        what={item.type}
        item={item}
        nameOf={(it) => it.title}
        read={() => getItem(libraryId, id)}
        change={(from, fields) =>
          changeItem(from === item ? now.value : from, withoutLostOrder(fields))
        }
        onSaved={() => navigate(back, { replace: true })}
        back={back}
        fields={(typed, state) => (
          <Fields kind={item.type} typed={typed} state={state} collections={collections} />
        )}
      />
    </>
  );
}

export function EditItemPage({ libraryId, id }: { libraryId: string; id: string }) {
  // Read once: what comes later is a conflict, not a new start.
  const { data, error, reload } = useLoad(
    async (signal) => ({
      ...(await load(libraryId, signal)),
      item: await getItem(libraryId, id, signal),
    }),
    [libraryId, id],
  );
  return (
    <div class="narrow stack">
      <Crumbs library={data?.library} />
      <PageTitle title={data ? `Edit ${data.item.title}` : "Edit"} />
      {error !== undefined && <ProblemBox error={error} onRetry={reload} />}
      {!data && error === undefined && <Loading />}
      {data && <EditItem item={data.item} collections={data.collections} />}
    </div>
  );
}

// Out of its collection, or in a new one without a number: the server sees to the order.
function withoutLostOrder(fields: object): object {
  const { order, ...rest } = fields as { order?: unknown; collectionId?: unknown };
  const isLost = order === null || (rest.collectionId === null && order !== undefined);
  return isLost ? rest : fields;
}
