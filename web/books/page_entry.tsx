// "Where am I?", answered in two seconds: a number and Enter.

import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { FormProblem, SubmitButton, TextField, useForm } from "../shared/form";
import { remember, remembered } from "../shared/theme";
import { done } from "../shared/toast";
import { touch } from "../shared/live";
import { type Book, recordPage } from "./server";

type Unit = "page" | "percent";

interface PageEntryProps {
  book: Book;
  input: RefObject<HTMLInputElement | null>;
}

// What is not a number goes to the server as it is, which says what is wrong with it.
const numberOf = (text: string) =>
  text.trim() === "" ? undefined : Number(text.replace(",", "."));

export function PageEntry({ book, input }: PageEntryProps) {
  const canPercent = book.totalPages !== undefined && book.totalPages > 0;
  const unit = useSignal<Unit>(remembered("books.unit") === "percent" ? "percent" : "page");
  const isPast = useSignal(false);
  const typed = useSignal("");
  const shown: Unit = canPercent ? unit.value : "page";
  const { state, onSubmit } = useForm(async (data) => {
    const when = String(data.get("occurredAt") ?? "");
    const after = await recordPage(book.id, {
      [shown]: numberOf(typed.value),
      occurredAt: when ? new Date(when).toISOString() : undefined,
    });
    typed.value = "";
    isPast.value = false;
    const part = after.percent === undefined ? "" : `, ${after.percent} %`;
    done(`${book.title}: page ${after.currentPage}${part}`);
    touch();
    requestAnimationFrame(() => input.current?.focus());
  });
  const choose = (next: Unit) => {
    unit.value = next;
    remember("books.unit", next);
  };
  const error = state.value.fields[shown] ?? state.value.fields.page;
  const unitName = shown === "page" ? "Page" : "Percent";
  return (
    <form class="card form page-entry" onSubmit={onSubmit} noValidate aria-label="Enter the page">
      <div class="entry-row">
        <label class="label" for="reached">
          {shown === "page" ? "I am on page" : "I have read, in percent"}
        </label>
        <input
          ref={input}
          id="reached"
          inputMode="decimal"
          autocomplete="off"
          placeholder={shown === "page" ? String(book.currentPage) : String(book.percent ?? 0)}
          value={typed.value}
          onInput={(event) => (typed.value = event.currentTarget.value)}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? "reached-error" : undefined}
        />
        {shown === "page" && book.totalPages !== undefined && (
          <span class="soft">of {book.totalPages}</span>
        )}
        {canPercent && (
          <span class="switch" role="group" aria-label={`Entered as: ${unitName}`}>
            <button type="button" aria-pressed={shown === "page"} onClick={() => choose("page")}>
              Page
            </button>
            <button
              type="button"
              aria-pressed={shown === "percent"}
              onClick={() => choose("percent")}
            >
              %
            </button>
          </span>
        )}
        <SubmitButton state={state.value}>Save</SubmitButton>
      </div>
      {error && (
        <p class="field-error" id="reached-error">
          {error}
        </p>
      )}
      {isPast.value ? (
        <TextField
          label="When"
          name="occurredAt"
          type="datetime-local"
          hint="In the time of this device. An older page does not move the bookmark."
          state={state.value}
        />
      ) : (
        <button type="button" class="quiet small start" onClick={() => (isPast.value = true)}>
          It was earlier
        </button>
      )}
      {!error && <FormProblem state={state.value} />}
    </form>
  );
}
