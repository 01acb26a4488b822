import { EditForm, fieldsIn } from "../shared/editing";
import { ExportCard } from "../shared/export_card";
import { AreaField, TextField } from "../shared/form";
import { touch } from "../shared/live";
import { PictureEditor } from "../shared/picture";
import { PageTitle } from "../shared/pieces";
import { Link } from "../shared/router";
import { done } from "../shared/toast";
import { curatorHref } from "./pieces";
import { changeMe, exportAll, me, mePath, type Profile, readMe, tagOf } from "./server";

const labels = { username: "Name", bio: "About you" };

export function ProfilePage() {
  const now = me.value!;
  return (
    <div class="narrow stack">
      <PageTitle title="Profile" line="What others see beside your lists, ratings and comments.">
        <Link class="button" href={curatorHref(now.userId)}>
          As others see it
        </Link>
      </PageTitle>
      <PictureEditor
        title={now.username}
        address={now.avatarUrl}
        path={mePath}
        etag={tagOf(now)}
        onChanged={() => void readMe().then(touch)}
      />
      <EditForm<Profile>
        what="profile"
        item={now}
        labels={labels}
        typedOf={(it) => ({ username: it.username, bio: it.bio ?? "" })}
        valueOf={(name, text) => (name === "bio" && text === "" ? null : text)}
        read={() => readMe()}
        change={changeMe}
        onSaved={() => {
          done("Your profile is saved");
          touch();
        }}
      >
        {(typed, state) => {
          const field = fieldsIn(labels, typed, state);
          return (
            <>
              <TextField {...field("username")} hint="3 to 30 characters" autocomplete="nickname" />
              <AreaField {...field("bio")} rows={4} hint="At most 500 characters" />
            </>
          );
        }}
      </EditForm>
      <ExportCard
        name="watch"
        what="All your lists, ratings, comments and marks"
        read={exportAll}
      />
    </div>
  );
}
