import { useSignal } from "@preact/signals";
import { Problem, user } from "../shared/api";
import { ExportCard } from "../shared/export_card";
import {
  AreaField,
  FormProblem,
  SelectField,
  SubmitButton,
  TextField,
  useForm,
} from "../shared/form";
import { changed, touch } from "../shared/live";
import { PictureEditor } from "../shared/picture";
import { Loading, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { Link } from "../shared/router";
import { done } from "../shared/toast";
import { Contributions, Face, loadWork, PersonFacts, Works } from "./person_page";
import { personHref } from "./pieces";
import {
  changeMe,
  changeSettings,
  exportMine,
  me,
  mePath,
  type NoticeType,
  type Person,
  readMe,
  type Settings,
  tagOf,
  warnings,
} from "./server";

const types: Record<NoticeType, string> = {
  NEW_BRANCH: "Somebody continues what I wrote, or my story",
  UPVOTE: "Somebody likes a chapter of mine",
  AUTHOR_APPROVED: "An author approves a branch of mine",
  STORY_COMPLETED: "A story that I follow is complete",
};

async function orReread(save: Promise<unknown>): Promise<void> {
  try {
    await save;
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 412) throw error;
    await readMe();
    throw new Error("your profile was changed elsewhere; look at what you typed and save again");
  }
}

function About({ person }: { person: Person }) {
  const { state, onSubmit } = useForm(async (data) => {
    const text = (name: string) => String(data.get(name) ?? "").trim();
    await orReread(
      changeMe(person, { displayName: text("displayName"), bio: text("bio") || null }),
    );
    done("Your profile is saved");
    touch();
  });
  return (
    <form class="card form" onSubmit={onSubmit} noValidate aria-label="About you">
      <h2>About you</h2>
      <TextField
        label="Name"
        name="displayName"
        defaultValue={person.displayName}
        state={state.value}
        hint="It stands at everything you have written"
      />
      <AreaField
        label="A few words"
        name="bio"
        rows={3}
        defaultValue={person.bio ?? ""}
        state={state.value}
        hint="**bold**, *italic*, lists"
      />
      <FormProblem state={state.value} />
      <div class="form-end">
        <SubmitButton state={state.value}>Save profile</SubmitButton>
      </div>
    </form>
  );
}

function Wishes({ person }: { person: Person }) {
  const now = person.settings;
  const digest = useSignal(now?.digest ?? "OFF");
  const { state, onSubmit } = useForm(async (data) => {
    const settings: Settings = {
      showAdult: data.get("showAdult") !== null,
      hiddenWarnings: data.getAll("hiddenWarnings").map(String),
      mutedTypes: (Object.keys(types) as NoticeType[]).filter(
        (type) => !data.getAll("types").includes(type),
      ),
      digest: digest.value,
    };
    await orReread(changeSettings(person, settings));
    done("Your wishes are saved");
    touch();
  });
  const own = (now?.hiddenWarnings ?? []).filter(
    (it) => !(warnings as readonly string[]).includes(it),
  );
  return (
    <form class="card form" onSubmit={onSubmit} noValidate aria-label="What you want to see">
      <h2>What you want to see</h2>
      <label class="check">
        <input type="checkbox" name="showAdult" defaultChecked={now?.showAdult} />
        Show stories for adults only. I am old enough
      </label>
      <fieldset class="plain">
        <legend class="label">Never show me stories with</legend>
        <div class="checks">
          {[...warnings, ...own].map((warning) => (
            <label key={warning} class="check">
              <input
                type="checkbox"
                name="hiddenWarnings"
                value={warning}
                defaultChecked={now?.hiddenWarnings.includes(warning)}
              />
              {warning}
            </label>
          ))}
        </div>
      </fieldset>
      <fieldset class="plain" id="tell">
        <legend class="label">Tell me when</legend>
        <div class="checks">
          {(Object.keys(types) as NoticeType[]).map((type) => (
            <label key={type} class="check">
              <input
                type="checkbox"
                name="types"
                value={type}
                defaultChecked={!now?.mutedTypes.includes(type)}
              />
              {types[type]}
            </label>
          ))}
        </div>
      </fieldset>
      <SelectField
        label="By e-mail"
        name="digest"
        state={state.value}
        value={digest.value}
        onChange={(value) => (digest.value = value as Settings["digest"])}
        options={[
          { value: "OFF", label: "Never" },
          { value: "DAILY", label: "Once a day, together" },
          { value: "WEEKLY", label: "Once a week, together" },
        ]}
      />
      <FormProblem state={state.value} />
      <div class="form-end">
        <SubmitButton state={state.value}>Save wishes</SubmitButton>
      </div>
    </form>
  );
}

export function ProfilePage() {
  const sub = user.value?.sub ?? "";
  const { data, error, reload } = useLoad((signal) => loadWork(sub, signal), [sub, changed.value]);
  const person = me.value;
  if (error !== undefined) return <ProblemBox error={error} onRetry={reload} />;
  if (!person || !data) return <Loading />;
  return (
    <>
      <div class="person-head">
        <Face name={person.displayName} src={person.profilePictureUrl} />
        <PageTitle title={person.displayName} line="Your profile, and what you want to see.">
          <Link class="button" href={personHref(person.userId)}>
            As others see it
          </Link>
        </PageTitle>
      </div>
      <PictureEditor
        title={person.displayName}
        address={person.profilePictureUrl}
        path={mePath}
        etag={tagOf(person)}
        onChanged={() => void readMe().then(touch)}
        isShown
      />
      <PersonFacts person={person} />
      <Contributions work={data} />
      <div class="profile-forms">
        <About person={person} />
        <Wishes key={person.version} person={person} />
      </div>
      <Works work={data} />
      <ExportCard
        name="stories"
        what="All that you have written, read, marked and said here"
        read={exportMine}
        formats={["json"]}
      />
    </>
  );
}
