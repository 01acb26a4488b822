// Adding a book and changing one. A change sends what differs, on condition that nobody else has
// changed the book since it was read.

import { useSignal } from "@preact/signals";
import { dateOf } from "../shared/dates";
import { Problem } from "../shared/api";
import {
  AreaField,
  FormProblem,
  type FormState,
  SelectField,
  SubmitButton,
  TextField,
  useForm,
} from "../shared/form";
import { Loading, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { Link, navigate } from "../shared/router";
import { done } from "../shared/toast";
import { Conflict, type Difference } from "../shared/conflict";
import { touch } from "../shared/live";
import { statusNames } from "./pieces";
import { addBook, type Book, changeBook, type Fields, getBook, reader, statuses } from "./server";

/** The fields as they stand in the form. */
type Typed = Record<(typeof names)[number], string>;

const names = [
  "title",
  "authors",
  "status",
  "totalPages",
  "rating",
  "price",
  "currency",
  "store",
  "boughtAt",
  "purchaseDate",
  "startedAt",
  "finishedAt",
  "description",
] as const;

export const fieldLabels: Record<string, string> = {
  title: "Title",
  authors: "Authors",
  status: "State",
  totalPages: "Pages",
  rating: "Rating",
  price: "Price",
  currency: "Currency",
  store: "Store",
  boughtAt: "Where it was bought",
  purchaseDate: "Bought on",
  startedAt: "Started on",
  finishedAt: "Finished on",
  description: "About the book",
};

function typedOf(book: Book | undefined): Typed {
  const text = (value: unknown) => (value === undefined ? "" : String(value));
  return {
    title: text(book?.title),
    authors: (book?.authors ?? []).join("\n"),
    status: book?.status ?? "READING",
    totalPages: text(book?.totalPages),
    rating: text(book?.rating),
    price: text(book?.price),
    currency: book ? text(book.currency) : text(reader.value?.defaultCurrency),
    store: text(book?.store),
    boughtAt: text(book?.boughtAt),
    purchaseDate: text(book?.purchaseDate),
    startedAt: book?.startedAt ? dateOf(book.startedAt) : "",
    finishedAt: book?.finishedAt ? dateOf(book.finishedAt) : "",
    description: text(book?.description),
  };
}

// A number stays as it was typed. What is none goes as text, and the server says what it wants.
const numberJson = (text: string) =>
  /^(0|[1-9]\d*)(\.\d+)?$/.test(text) ? text : JSON.stringify(text);

function jsonOf(name: keyof Typed, text: string): string {
  if (name === "authors") {
    const authors = text.split("\n").map((author) => author.trim());
    return JSON.stringify(authors.filter(Boolean));
  }
  if (text === "" && name !== "title") return "null";
  if (name === "totalPages" || name === "rating") return numberJson(text);
  if (name === "price") return numberJson(text.replace(",", "."));
  // Noon is the same day in nearly every zone.
  if (name === "startedAt" || name === "finishedAt") return `"${text}T12:00:00.000Z"`;
  return JSON.stringify(name === "currency" ? text.toUpperCase() : text);
}

function changesOf(before: Typed, after: Typed): Fields {
  const fields: Fields = {};
  for (const name of names) {
    if (after[name] !== before[name]) fields[name] = jsonOf(name, after[name]);
  }
  return fields;
}

function readForm(data: FormData): Typed {
  const pairs = names.map((name) => [name, String(data.get(name) ?? "").trim()]);
  return Object.fromEntries(pairs) as Typed;
}

const ratings = ["", ..."1 1.5 2 2.5 3 3.5 4 4.5 5".split(" ")].map((value) => ({
  value,
  label: value ? `${value} ${value === "1" ? "star" : "stars"}` : "Not rated",
}));

function BookFields({ typed, state, isNew }: { typed: Typed; state: FormState; isNew: boolean }) {
  const field = (name: keyof Typed) => ({
    label: fieldLabels[name] ?? name,
    name,
    state,
    defaultValue: typed[name],
  });
  // A choice is drawn from its value, so it is kept here.
  const chosen = useSignal<Partial<Typed>>({});
  const choice = (name: "status" | "rating") => ({
    label: fieldLabels[name] ?? name,
    name,
    state,
    value: chosen.value[name] ?? typed[name],
    onChange: (value: string) => (chosen.value = { ...chosen.value, [name]: value }),
  });
  return (
    <>
      <TextField {...field("title")} required />
      <AreaField {...field("authors")} rows={2} hint="One in a line" />
      <div class="form-row">
        <SelectField
          {...choice("status")}
          options={statuses.map((value) => ({ value, label: statusNames[value] }))}
        />
        <TextField {...field("totalPages")} />
        <SelectField {...choice("rating")} options={ratings} />
      </div>
      {!isNew && (
        <div class="form-row">
          <TextField {...field("startedAt")} type="date" />
          <TextField {...field("finishedAt")} type="date" />
        </div>
      )}
      <fieldset class="plain stack">
        <legend class="label">Purchase</legend>
        <div class="form-row">
          <TextField {...field("price")} />
          <TextField {...field("currency")} placeholder="EUR" />
          <TextField {...field("purchaseDate")} type="date" />
        </div>
        <div class="form-row">
          <TextField {...field("store")} />
          <TextField {...field("boughtAt")} />
        </div>
      </fieldset>
      <AreaField {...field("description")} rows={5} hint="**bold**, *italic*, lists" />
    </>
  );
}

export function AddPage() {
  const typed = typedOf(undefined);
  const { state, onSubmit } = useForm(async (data) => {
    const after = readForm(data);
    // A currency alone says nothing.
    if (!after.price) after.currency = "";
    const fields = Object.fromEntries(
      names
        .filter((name) => after[name] !== "" || name === "title")
        .map((name) => [name, jsonOf(name, after[name])]),
    );
    const book = await addBook(fields);
    done(`${book.title} is on your shelf`);
    touch();
    navigate(`/books/book/${book.id}`, { replace: true });
  });
  return (
    <div class="book-form stack">
      <PageTitle title="Add a book" />
      <form class="card form" onSubmit={onSubmit} noValidate>
        <BookFields typed={typed} state={state.value} isNew />
        <FormProblem state={state.value} />
        <div class="form-end">
          <Link class="button" href="/books">
            Cancel
          </Link>
          <SubmitButton state={state.value}>Add book</SubmitButton>
        </div>
      </form>
    </div>
  );
}

function EditForm({ book }: { book: Book }) {
  // What the form is compared with, and what it starts from.
  const base = useSignal(book);
  const typed = useSignal(typedOf(book));
  const conflict = useSignal<{ current: Book; mine: Typed; fields: Fields } | null>(null);
  const turn = useSignal(0);

  const save = async (from: Book, fields: Fields) => {
    const changes = Object.keys(fields).length;
    const after = changes > 0 ? await changeBook(from, fields) : from;
    done(`${after.title} is saved`);
    touch();
    navigate(`/books/book/${book.id}`, { replace: true });
  };
  const { state, onSubmit } = useForm(async (data) => {
    const mine = readForm(data);
    const fields = changesOf(typedOf(base.value), mine);
    try {
      await save(base.value, fields);
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 412) throw error;
      conflict.value = { current: await getBook(book.id), mine, fields };
    }
  });
  const start = (from: Book, shown: Typed) => {
    base.value = from;
    typed.value = shown;
    conflict.value = null;
    turn.value += 1;
  };
  if (conflict.value) {
    const { current, mine, fields } = conflict.value;
    const theirs = typedOf(current);
    const before = typedOf(base.value);
    const differences: Difference[] = names
      .filter((name) => mine[name] !== theirs[name])
      .map((name) => ({
        label: fieldLabels[name] ?? name,
        before: before[name],
        mine: mine[name],
        theirs: theirs[name],
        isMine: name in fields,
      }));
    return (
      <Conflict
        what="book"
        differences={differences}
        onMine={() => save(current, fields)}
        onTheirs={() => start(current, theirs)}
        onEdit={() => {
          const kept = names.map((name) => [name, name in fields ? mine[name] : theirs[name]]);
          start(current, Object.fromEntries(kept) as Typed);
        }}
      />
    );
  }
  return (
    <form class="card form" key={turn.value} onSubmit={onSubmit} noValidate>
      <BookFields typed={typed.value} state={state.value} isNew={false} />
      <FormProblem state={state.value} />
      <div class="form-end">
        <Link class="button" href={`/books/book/${book.id}`}>
          Cancel
        </Link>
        <SubmitButton state={state.value}>Save</SubmitButton>
      </div>
    </form>
  );
}

export function EditPage({ id }: { id: string }) {
  // Read once: what comes later is a conflict, not a new start.
  const { data, error, reload } = useLoad((signal) => getBook(id, signal), [id]);
  return (
    <div class="book-form stack">
      <PageTitle title={data ? `Edit ${data.title}` : "Edit"} />
      {error !== undefined && <ProblemBox error={error} onRetry={reload} />}
      {!data && error === undefined && <Loading />}
      {data && <EditForm book={data} />}
    </div>
  );
}
