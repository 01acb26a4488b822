// What a list says of itself: made anew, or changed.

import { useSignal } from "@preact/signals";
import { EditForm, type FieldOf, fieldsIn, readTyped, type Typed } from "../shared/editing";
import {
  AreaField,
  FormProblem,
  SelectField,
  SubmitButton,
  TextField,
  useForm,
} from "../shared/form";
import { touch } from "../shared/live";
import { PageTitle } from "../shared/pieces";
import { Link, navigate } from "../shared/router";
import { done } from "../shared/toast";
import { listHref } from "./pieces";
import { addList, changeList, getList, type Watchlist } from "./server";

const labels = {
  title: "Title",
  description: "What it is about",
  tags: "Tags",
  isPublic: "Who sees it",
};

const typedOf = (list: Watchlist | undefined): Typed => ({
  title: list?.title ?? "",
  description: list?.description ?? "",
  tags: (list?.tags ?? []).join(", "),
  isPublic: String(list?.isPublic ?? true),
});

function valueOf(name: string, text: string): unknown {
  if (name === "tags")
    return text
      .split(",")
      .map((tag) => tag.trim())
      .filter(Boolean);
  if (name === "isPublic") return text === "true";
  return name === "description" && text === "" ? null : text;
}

function Fields({ field }: { field: FieldOf }) {
  // A choice is drawn from its value, so it is kept here.
  const chosen = useSignal(field("isPublic").defaultValue);
  const { defaultValue: _, ...choice } = field("isPublic");
  return (
    <>
      <TextField {...field("title")} required />
      <AreaField {...field("description")} rows={3} hint="**bold**, *italic*, lists" />
      <div class="form-row">
        <TextField {...field("tags")} hint="With commas between" placeholder="sci-fi, slow" />
        <SelectField
          {...choice}
          value={chosen.value}
          onChange={(value) => (chosen.value = value)}
          options={[
            { value: "true", label: "Everybody" },
            { value: "false", label: "Only you" },
          ]}
        />
      </div>
    </>
  );
}

export function NewListPage() {
  const typed = typedOf(undefined);
  const { state, onSubmit } = useForm(async (data) => {
    const after = readTyped(Object.keys(labels), data);
    const fields = Object.fromEntries(
      Object.entries(after)
        .map(([name, text]) => [name, valueOf(name, text)])
        .filter(([, value]) => value !== null),
    );
    const list = await addList(fields);
    done(`${list.title} is there. Now the titles.`);
    touch();
    navigate(`${listHref(list.watchlistId)}/edit`, { replace: true });
  });
  return (
    <div class="narrow stack">
      <PageTitle
        title="New list"
        line="A good list has an idea, an order and a reason for each title."
      />
      <form class="card form" onSubmit={onSubmit} noValidate>
        <Fields field={fieldsIn(labels, typed, state.value)} />
        <FormProblem state={state.value} />
        <div class="form-end">
          <Link class="button" href="/watch/mine">
            Cancel
          </Link>
          <SubmitButton state={state.value}>Make the list</SubmitButton>
        </div>
      </form>
    </div>
  );
}

export function ListDetails({ list }: { list: Watchlist }) {
  return (
    <EditForm
      what="list"
      item={list}
      labels={labels}
      typedOf={typedOf}
      valueOf={valueOf}
      read={() => getList(list.watchlistId)}
      change={changeList}
      onSaved={(after) => {
        done(`${after.title} is saved`);
        touch();
      }}
    >
      {(typed, state) => <Fields field={fieldsIn(labels, typed, state)} />}
    </EditForm>
  );
}
