// Making a collection and changing one.

import { type FieldSet, readTyped, type Typed } from "../shared/editing";
import {
  AreaField,
  FormProblem,
  type FormState,
  SubmitButton,
  TextField,
  useForm,
} from "../shared/form";
import { touch } from "../shared/live";
import { Loading, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { Link, navigate } from "../shared/router";
import { done } from "../shared/toast";
import { atField, EditForm } from "./editing";
import { Crumbs, hrefOf } from "./pieces";
import {
  addCollection,
  changeCollection,
  type Collection,
  getCollection,
  getLibrary,
} from "./server";

const fieldSet: FieldSet<Collection> = {
  labels: { name: "Name", description: "Description" },
  typedOf: (it) => ({ name: it.name, description: it.description ?? "" }),
  valueOf: (name, text) => (text === "" && name === "description" ? null : text),
};
const nameTaken = { "collection-name-taken": "name" };

function Fields({ typed, state }: { typed: Typed; state: FormState }) {
  return (
    <>
      <TextField label="Name" name="name" state={state} defaultValue={typed.name} required />
      <AreaField
        label="Description"
        name="description"
        rows={3}
        state={state}
        defaultValue={typed.description}
      />
    </>
  );
}

export function AddCollectionPage({ libraryId }: { libraryId: string }) {
  const { data: library } = useLoad((signal) => getLibrary(libraryId, signal), [libraryId]);
  const { state, onSubmit } = useForm(async (data) => {
    const { name, description } = readTyped(["name", "description"], data);
    const fields = { name, ...(description && { description }) };
    const collection = await atField(nameTaken, () => addCollection(libraryId, fields));
    done(`${collection.name} has a shelf`);
    touch();
    navigate(hrefOf.collection(collection), { replace: true });
  });
  return (
    <div class="narrow stack">
      <Crumbs library={library} />
      <PageTitle title="New collection" line="A series, a set, a run: things with numbers." />
      <form class="card form" onSubmit={onSubmit} noValidate>
        <Fields typed={{}} state={state.value} />
        <FormProblem state={state.value} />
        <div class="form-end">
          <Link class="button" href={hrefOf.library(libraryId)}>
            Cancel
          </Link>
          <SubmitButton state={state.value}>Make collection</SubmitButton>
        </div>
      </form>
    </div>
  );
}

export function EditCollectionPage({ libraryId, id }: { libraryId: string; id: string }) {
  const { data, error, reload } = useLoad(
    async (signal) => ({
      library: await getLibrary(libraryId, signal),
      collection: await getCollection(libraryId, id, signal),
    }),
    [libraryId, id],
  );
  const back = hrefOf.collection({ libraryId, id });
  return (
    <div class="narrow stack">
      <Crumbs library={data?.library} />
      <PageTitle title={data ? `Edit ${data.collection.name}` : "Edit"} />
      {error !== undefined && <ProblemBox error={error} onRetry={reload} />}
      {!data && error === undefined && <Loading />}
      {data && (
        <EditForm
          {...fieldSet}
          what="collection"
          item={data.collection}
          nameOf={(it) => it.name}
          read={() => getCollection(libraryId, id)}
          change={(it, fields) => atField(nameTaken, () => changeCollection(it, fields))}
          onSaved={() => navigate(back, { replace: true })}
          back={back}
          fields={(typed, state) => <Fields typed={typed} state={state} />}
        />
      )}
    </div>
  );
}
