// Adding a book and changing one. A change sends what differs, on condition that nobody else has
// changed the book since it was read.

import { useSignal } from "@preact/signals";
import { dateOf } from "../shared/dates";
import { EditForm, fieldsIn, readTyped, type Typed } from "../shared/editing";
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
import { touch } from "../shared/live";
import { statusNames } from "./pieces";
import { addBook, type Book, changeBook, type Fields, getBook, reader, statuses } from "./server";

export const fieldLabels = {
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
type Name = keyof typeof fieldLabels;
const names = Object.keys(fieldLabels);

function typedOf(book: Book | undefined): Record<Name, string> {
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

function jsonOf(name: string, text: string): string {
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

const ratings = ["", ..."1 1.5 2 2.5 3 3.5 4 4.5 5".split(" ")].map((value) => ({
  value,
  label: value ? `${value} ${value === "1" ? "star" : "stars"}` : "Not rated",
}));

function BookFields({ typed, state, isNew }: { typed: Typed; state: FormState; isNew: boolean }) {
  const field = fieldsIn(fieldLabels, typed, state);
  // A choice is drawn from its value, so it is kept here.
  const chosen = useSignal<Typed>({});
  const choice = (name: "status" | "rating") => ({
    label: fieldLabels[name],
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
    const after = readTyped(names, data);
    // A currency alone says nothing.
    if (!after.price) after.currency = "";
    const fields = Object.fromEntries(
      names
        .filter((name) => after[name] !== "" || name === "title")
        .map((name) => [name, jsonOf(name, after[name] ?? "")]),
    );
    const book = await addBook(fields);
    done(`${book.title} is on your shelf`);
    touch();
    navigate(`/books/book/${book.id}`, { replace: true });
  });
  return (
    <div class="book-form stack">
      <PageTitle title="Add a book">
        <Link class="button" href="/books/import">
          Many at once
        </Link>
      </PageTitle>
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

export function EditPage({ id }: { id: string }) {
  // Read once: what comes later is a conflict, not a new start.
  const { data, error, reload } = useLoad((signal) => getBook(id, signal), [id]);
  return (
    <div class="book-form stack">
      <PageTitle title={data ? `Edit ${data.title}` : "Edit"} />
      {error !== undefined && <ProblemBox error={error} onRetry={reload} />}
      {!data && error === undefined && <Loading />}
      {data && (
        <EditForm<Book>
          what="book"
          item={data}
          labels={fieldLabels}
          typedOf={typedOf}
          valueOf={jsonOf}
          read={() => getBook(id)}
          change={(from, fields) => changeBook(from, fields as Fields)}
          onSaved={(after) => {
            done(`${after.title} is saved`);
            touch();
            navigate(`/books/book/${id}`, { replace: true });
          }}
          end={
            <Link class="button" href={`/books/book/${id}`}>
              Cancel
            </Link>
          }
        >
          {(typed, state) => <BookFields typed={typed} state={state} isNew={false} />}
        </EditForm>
      )}
    </div>
  );
}
