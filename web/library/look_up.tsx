// Finding out what something is by its barcode or title, where the server has a catalogue.

import { useSignal } from "@preact/signals";
import { Problem } from "../shared/api";
import { FormProblem, SubmitButton, TextField, useForm } from "../shared/form";
import { makersText } from "./pieces";
import { type Candidate, detect, type Item } from "./server";

// Digits as they stand below a barcode; anything else is a title.
const isCode = (text: string) => /^[\d -]{7,20}[\dXx]$/.test(text);

interface LookUpProps {
  kind: Item["type"];
  onChoose: (found: Candidate) => void;
}

export function LookUp({ kind, onChoose }: LookUpProps) {
  const found = useSignal<Candidate[] | undefined>(undefined);
  const isMissing = useSignal(false);
  const { state, onSubmit } = useForm(async (data) => {
    const text = String(data.get("words") ?? "").trim();
    found.value = undefined;
    if (!text) return;
    try {
      found.value = await detect(kind, isCode(text) ? { code: text } : { title: text });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.status !== 501) throw fieldNamed(error);
      isMissing.value = true;
    }
  });
  if (isMissing.value) {
    return <p class="soft">This server has no catalogue to look things up in.</p>;
  }
  return (
    <form class="card form look-up" onSubmit={onSubmit} noValidate aria-label="Catalogue">
      <div class="look-up-row">
        <TextField
          label="Look it up"
          name="words"
          state={state.value}
          hint={
            kind === "book" ? "An ISBN, or a title" : "The number below the barcode, or a title"
          }
        />
        <SubmitButton state={state.value}>Look up</SubmitButton>
      </div>
      <div role="status">
        {found.value?.length === 0 && <p class="soft">The catalogue does not know it.</p>}
        {found.value && found.value.length > 0 && (
          <ul class="candidates">
            {found.value.map((it, i) => (
              <li key={i}>
                <button type="button" onClick={() => onChoose(it)}>
                  <strong>{it.title}</strong> <small>{makersText(it as Item)}</small>
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
      <FormProblem state={state.value} />
    </form>
  );
}

// The server's `code` and `title` are one field here.
function fieldNamed(error: Problem): Problem {
  const { status, code, message, body } = error;
  const errors = error.errors.map((it) => ({ ...it, pointer: "/words" }));
  return new Problem({ status, code, message, errors, body });
}
