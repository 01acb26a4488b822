import { ExportCard } from "../shared/export_card";
import { Problem } from "../shared/api";
import { FormProblem, SubmitButton, TextField, useForm } from "../shared/form";
import { touch } from "../shared/live";
import { PageTitle } from "../shared/pieces";
import { done } from "../shared/toast";
import { changeOwner, exportText, owner, readOwner } from "./server";

async function save(data: FormData): Promise<void> {
  const name = String(data.get("ownerName") ?? "").trim();
  try {
    await changeOwner(owner.value!, name);
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 412) throw error;
    await readOwner();
    throw new Error("your name was changed elsewhere; look at what you typed and save again");
  }
  done("Your name is saved");
  touch();
}

export function ProfilePage() {
  const { state, onSubmit } = useForm(save);
  return (
    <div class="narrow stack">
      <PageTitle title="Profile" line="How others see you." />
      <form class="card form" onSubmit={onSubmit} noValidate>
        <TextField
          label="Name"
          name="ownerName"
          defaultValue={owner.value!.ownerName}
          state={state.value}
          autocomplete="name"
          hint="People you share a library with see it"
        />
        <FormProblem state={state.value} />
        <div class="form-end">
          <SubmitButton state={state.value}>Save profile</SubmitButton>
        </div>
      </form>
      <ExportCard
        name="library"
        what="All your libraries, collections, items and loans"
        read={exportText}
      >
        <p class="hint">To bring a table in, open a library and choose “Import a table”.</p>
      </ExportCard>
    </div>
  );
}
