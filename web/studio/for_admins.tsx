import type { ComponentChildren } from "preact";
import { isIn, user } from "../shared/api";
import { Empty, Loading } from "../shared/pieces";
import { Link } from "../shared/router";
import { SignInFirst } from "../shared/views";

/** What is for the group `admin`, even where the rest of the studio is for everybody. */
export function ForAdmins({ title, children }: { title: string; children: ComponentChildren }) {
  if (user.value === undefined) return <Loading />;
  if (user.value === null)
    return <SignInFirst title={title}>This is for administrators. Sign in as one.</SignInFirst>;
  if (isIn("admin")) return <>{children}</>;
  return (
    <Empty isPage title="For administrators">
      <Link class="button" href="/studio">
        All tables
      </Link>
    </Empty>
  );
}
