import { ExportCard } from "../shared/export_card";
import { Problem } from "../shared/api";
import { ownZone } from "../shared/dates";
import { FormProblem, SubmitButton, TextField, useForm } from "../shared/form";
import { PageTitle } from "../shared/pieces";
import { Link } from "../shared/router";
import { done } from "../shared/toast";
import { touch } from "../shared/live";
import { changeReader, exportText, reader, readReader } from "./server";

const zones = Intl.supportedValuesOf?.("timeZone") ?? [ownZone];
const currencies = ["EUR", "USD", "GBP", "CHF", "JPY", "SEK", "PLN", "CAD", "AUD", "INR"];

// What is no number goes as text, and the server says what it wants.
const countOf = (text: string) => {
  if (text === "") return null;
  return /^\d{1,15}$/.test(text) ? Number(text) : text;
};

async function save(data: FormData): Promise<void> {
  const text = (name: string) => String(data.get(name) ?? "").trim();
  const year = countOf(text("year"));
  const books = countOf(text("books"));
  const pages = countOf(text("pages"));
  const hasGoal = books !== null || pages !== null;
  const now = reader.value!;
  const changes = {
    displayName: text("displayName") || null,
    timeZone: text("timeZone"),
    defaultCurrency: text("defaultCurrency").toUpperCase() || null,
    yearlyGoal: hasGoal ? { year: year ?? "", books, pages } : null,
  };
  try {
    await changeReader(now, changes);
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 412) throw error;
    // The counts of books do not raise the version: only a profile elsewhere does.
    await readReader();
    throw new Error("your profile was changed elsewhere; look at what you typed and save again");
  }
  done("Your profile is saved");
  touch();
}

export function ProfilePage() {
  const { state, onSubmit } = useForm(save);
  const now = reader.value!;
  const goal = now.yearlyGoal;
  const text = (value?: number) => (value === undefined ? "" : String(value));
  const field = (name: string, label: string, defaultValue: string) => ({
    name,
    label,
    defaultValue,
    state: state.value,
  });
  const useOwnZone = (event: MouseEvent) => {
    const form = (event.currentTarget as HTMLElement).closest("form");
    const input = form?.elements.namedItem("timeZone");
    if (input instanceof HTMLInputElement) input.value = ownZone;
  };
  return (
    <div class="book-form stack">
      <PageTitle title="Profile" line="How days are counted, what prices are in, and your goal." />
      <form class="card form" onSubmit={onSubmit} noValidate>
        <TextField {...field("displayName", "Name", now.displayName ?? "")} autocomplete="name" />
        <div class="form-row">
          <TextField
            {...field("timeZone", "Time zone", now.timeZone)}
            hint={
              now.timeZone !== ownZone ? (
                <>
                  This device is in{" "}
                  <button type="button" class="small" onClick={useOwnZone}>
                    {ownZone}
                  </button>
                </>
              ) : (
                "Days begin at midnight there"
              )
            }
            {...{ list: "zones" }}
          />
          <TextField
            {...field("defaultCurrency", "Currency", now.defaultCurrency ?? "")}
            hint="Three letters, such as EUR"
            {...{ list: "currencies" }}
          />
        </div>
        <fieldset class="plain stack">
          <legend class="label">Goal for a year</legend>
          <div class="form-row">
            <TextField
              {...field("year", "Year", text(goal?.year) || String(new Date().getFullYear()))}
            />
            <TextField {...field("books", "Books", text(goal?.books))} placeholder="24" />
            <TextField {...field("pages", "Pages", text(goal?.pages))} placeholder="8000" />
          </div>
          <p class="hint">Without books and pages there is no goal.</p>
        </fieldset>
        <datalist id="zones">
          {zones.map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
        <datalist id="currencies">
          {currencies.map((currency) => (
            <option key={currency} value={currency} />
          ))}
        </datalist>
        <FormProblem state={state.value} />
        <div class="form-end">
          <SubmitButton state={state.value}>Save profile</SubmitButton>
        </div>
      </form>
      <section class="card row spread">
        <p>Books that you have elsewhere, in a file</p>
        <Link class="button" href="/books/import">
          Bring books along
        </Link>
      </section>
      <ExportCard name="books" what="All your books, notes and pages" read={exportText} />
    </div>
  );
}
