// Making a library and changing one.

import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { type FieldSet, readTyped, type Typed } from "../shared/editing";
import { FormProblem, type FormState, SubmitButton, TextField, useForm } from "../shared/form";
import { touch } from "../shared/live";
import { Loading, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { Link, navigate } from "../shared/router";
import { done } from "../shared/toast";
import { EditForm } from "./editing";
import { Crumbs, hrefOf } from "./pieces";
import { addLibrary, changeLibrary, getLibrary, type Library } from "./server";

const fieldSet: FieldSet<Library> = {
  labels: {
    libraryName: "Name",
    description: "Description",
    showBorrower: "Who has borrowed something",
  },
  typedOf: (library) => ({
    libraryName: library.libraryName,
    description: library.description ?? "",
    showBorrower: library.showBorrower ? "on" : "",
  }),
  valueOf: (name, text) => {
    if (name === "showBorrower") return text === "on";
    return text === "" && name === "description" ? null : text;
  },
  shownOf: (name, text) =>
    name !== "showBorrower" ? text : text ? "shown to others" : "only for me",
};

function Fields({ typed, state }: { typed: Typed; state: FormState }) {
  const id = useId();
  const isShown = useSignal(typed.showBorrower === "on");
  return (
    <>
      <TextField
        label="Name"
        name="libraryName"
        state={state}
        defaultValue={typed.libraryName}
        hint="Up to 20 characters, such as a room, a shelf or a box"
        required
      />
      <TextField
        label="Description"
        name="description"
        state={state}
        defaultValue={typed.description}
      />
      <label class="check" for={id}>
        <input
          id={id}
          type="checkbox"
          name="showBorrower"
          checked={isShown.value}
          onChange={(event) => (isShown.value = event.currentTarget.checked)}
        />
        People I share it with see who has borrowed something
      </label>
    </>
  );
}

export function AddLibraryPage() {
  const { state, onSubmit } = useForm(async (data) => {
    const typed = readTyped(Object.keys(fieldSet.labels), data);
    const library = await addLibrary({
      libraryName: typed.libraryName,
      ...(typed.description && { description: typed.description }),
      showBorrower: typed.showBorrower === "on",
    });
    done(`${library.libraryName} is ready`);
    touch();
    navigate(hrefOf.library(library.id), { replace: true });
  });
  return (
    <div class="narrow stack">
      <Crumbs />
      <PageTitle title="Make a library" />
      <form class="card form" onSubmit={onSubmit} noValidate>
        <Fields typed={{}} state={state.value} />
        <FormProblem state={state.value} />
        <div class="form-end">
          <Link class="button" href="/library">
            Cancel
          </Link>
          <SubmitButton state={state.value}>Make library</SubmitButton>
        </div>
      </form>
    </div>
  );
}

export function EditLibraryPage({ id }: { id: string }) {
  // Read once: what comes later is a conflict, not a new start.
  const { data, error, reload } = useLoad((signal) => getLibrary(id, signal), [id]);
  return (
    <div class="narrow stack">
      <Crumbs library={data} />
      <PageTitle title={data ? `Edit ${data.libraryName}` : "Edit"} />
      {error !== undefined && <ProblemBox error={error} onRetry={reload} />}
      {!data && error === undefined && <Loading />}
      {data && (
        <EditForm
          {...fieldSet}
          what="library"
          item={data}
          nameOf={(it) => it.libraryName}
          read={() => getLibrary(id)}
          change={changeLibrary}
          onSaved={() => navigate(hrefOf.library(id), { replace: true })}
          back={hrefOf.library(id)}
          fields={(typed, state) => <Fields typed={typed} state={state} />}
        />
      )}
    </div>
  );
}
