import { download } from "../shared/download";
import { Problem } from "../shared/api";
import { FormProblem, SubmitButton, TextField, useForm } from "../shared/form";
import { touch } from "../shared/live";
import { PageTitle } from "../shared/pieces";
import { attempt, done } from "../shared/toast";
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

function Export() {
  const take = (format: "json" | "csv") =>
    attempt(async () => {
      download(await exportText(format), `library.${format}`);
      done(`library.${format} is on its way to your downloads`);
    });
  return (
    <section class="card stack" aria-labelledby="export">
      <h2 id="export">Take everything along</h2>
      <p>All your libraries, collections, items and loans, as a file. It is yours.</p>
      <p class="row">
        <button type="button" onClick={() => void take("csv")}>
          Export as CSV
        </button>
        <button type="button" onClick={() => void take("json")}>
          Export as JSON
        </button>
      </p>
      <p class="hint">To bring a table in, open a library and choose “Import a table”.</p>
    </section>
  );
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
      <Export />
    </div>
  );
}
