// Lending something and taking it back.

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Problem } from "../shared/api";
import { dateOf, dateText, dayText } from "../shared/dates";
import { FormProblem, SubmitButton, TextField, useForm } from "../shared/form";
import { useShortcut } from "../shared/keys";
import { touch } from "../shared/live";
import { manyText } from "../shared/pieces";
import { done } from "../shared/toast";
import { atField } from "./editing";
import { daysUntil, dueText, soonDays } from "./pieces";
import { type Item, lend, type Loan, takeBack } from "./server";

const dayMs = 86_400_000;
const spans = [
  { days: 7, label: "A week" },
  { days: 14, label: "Two weeks" },
  { days: 30, label: "A month" },
];
const later = (days: number) => dateOf(Date.now() + days * dayMs);

// What is shown is old when the server says so.
const currently = async <T,>(run: () => Promise<T>): Promise<T> => {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Problem && error.status === 409) touch();
    throw error;
  }
};

// The form that was used goes, and another comes in its place: who types or listens goes along.
let movesFocus = false;

function Heading({ children }: { children: ComponentChildren }) {
  const element = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (movesFocus) element.current?.focus({ preventScroll: true });
    movesFocus = false;
  }, []);
  return (
    <h2 id="lending" ref={element} tabIndex={-1}>
      {children}
    </h2>
  );
}

export function LendForm({ item, borrowers }: { item: Item; borrowers: string[] }) {
  const due = useSignal("");
  const form = useRef<HTMLFormElement>(null);
  useShortcut("l", "Lend it", () =>
    form.current?.querySelector<HTMLInputElement>("[name=borrower]")?.focus(),
  );
  const { state, onSubmit } = useForm(async (data) => {
    const text = (name: string) => String(data.get(name) ?? "").trim();
    const fields = {
      borrower: text("borrower"),
      ...(due.value && { dueDate: due.value }),
      ...(text("note") && { note: text("note") }),
    };
    await atField({ "already-lent": "borrower" }, () => currently(() => lend(item, fields)));
    done(`${item.title} is with ${fields.borrower}`);
    movesFocus = true;
    touch();
  });
  return (
    <form
      ref={form}
      class="card form lending"
      onSubmit={onSubmit}
      noValidate
      aria-labelledby="lending"
    >
      <Heading>Lend it</Heading>
      <div class="form-row">
        <TextField label="To whom" name="borrower" state={state.value} {...{ list: "borrowers" }} />
        <TextField
          label="Until"
          name="dueDate"
          type="date"
          state={state.value}
          value={due.value}
          onInput={(value) => (due.value = value)}
        />
      </div>
      <div class="row" role="group" aria-label="Until">
        {spans.map(({ days, label }) => (
          <button
            key={days}
            type="button"
            class="small"
            aria-pressed={due.value === later(days)}
            onClick={() => (due.value = due.value === later(days) ? "" : later(days))}
          >
            {label}
          </button>
        ))}
        {!due.value && <span class="hint">or whenever</span>}
      </div>
      <TextField label="Note" name="note" state={state.value} placeholder="with the good case" />
      <datalist id="borrowers">
        {borrowers.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <FormProblem state={state.value} />
      <div class="form-end">
        <SubmitButton state={state.value}>Lend</SubmitButton>
      </div>
    </form>
  );
}

export function ReturnForm({ item }: { item: Item }) {
  const hasNote = useSignal(false);
  const { state, onSubmit } = useForm(async (data) => {
    const note = String(data.get("note") ?? "").trim();
    const borrower = item.lentTo;
    await currently(() => takeBack(item, { borrower, ...(note && { note }) }));
    done(`${item.title} is back`);
    movesFocus = true;
    touch();
  });
  const since = item.lentAt ?? item.updatedAt;
  const days = Math.floor((Date.now() - Date.parse(since)) / dayMs);
  const isLate = item.dueDate !== undefined && daysUntil(item.dueDate) < 0;
  return (
    <form
      class={`card form lending is-lent ${isLate ? "is-late" : ""}`}
      onSubmit={onSubmit}
      noValidate
      aria-labelledby="lending"
    >
      <Heading>With {item.lentTo}</Heading>
      <p>
        Since {dayText(since)}, {manyText(days, "day")}
        {item.dueDate ? (
          <>
            . Agreed until {dateText(item.dueDate)}
            {daysUntil(item.dueDate) < soonDays && (
              <>
                : <strong>{dueText(item.dueDate)}</strong>
              </>
            )}
          </>
        ) : (
          ". No day was agreed"
        )}
      </p>
      {hasNote.value && <TextField label="Note" name="note" state={state.value} />}
      <FormProblem state={state.value} />
      <div class="form-end">
        {!hasNote.value && (
          <button type="button" class="quiet" onClick={() => (hasNote.value = true)}>
            Add a note
          </button>
        )}
        <SubmitButton state={state.value}>It is back</SubmitButton>
      </div>
    </form>
  );
}

/** For those who may see that something is out, not more. */
export function LentPanel({ item }: { item: Item }) {
  if (!item.lent) {
    return (
      <section class="card lending">
        <h2>At home</h2>
        <p class="soft">Ask {item.ownerName ?? "its owner"} if you would like to have it.</p>
      </section>
    );
  }
  return (
    <section class="card lending is-lent">
      <h2>{item.lentTo ? `With ${item.lentTo}` : "Lent"}</h2>
      <p>
        {item.lentAt ? `Since ${dayText(item.lentAt)}` : "It is not there"}
        {item.dueDate && `, ${dueText(item.dueDate)}`}
      </p>
    </section>
  );
}

export const borrowersOf = (loans: Loan[]) => [...new Set(loans.map((loan) => loan.borrower))];
