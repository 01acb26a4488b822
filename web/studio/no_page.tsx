import { Problem } from "../shared/api";
import { Empty, PageTitle, ProblemBox } from "../shared/pieces";
import { Link } from "../shared/router";

interface NoPageProps {
  error: unknown;
  onRetry: () => void;
  what: "table" | "design";
  name: string;
}

const isMissing = (error: unknown) =>
  error instanceof Problem && (error.status === 404 || error.code === "ResourceNotFoundException");

/** What stands in the place of a page whose table or design cannot be read. */
export function NoPage({ error, onRetry, what, name }: NoPageProps) {
  if (!isMissing(error)) {
    return (
      <>
        <PageTitle title={name} />
        <ProblemBox error={error} onRetry={onRetry} />
      </>
    );
  }
  return (
    <Empty isPage title={`There is no ${what} ${name}`}>
      <p>It was deleted or renamed, or it never was on this server.</p>
      <Link class="button" href={what === "table" ? "/studio" : "/studio/designs"}>
        All {what}s
      </Link>
    </Empty>
  );
}
