import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { Empty, Loading, ProblemBox, useLoad } from "../shared/pieces";
import { navigate } from "../shared/router";
import { type DesignSummary, listDesigns } from "./server";

interface PickDesignProps {
  /** Which is shown; undefined: the first. */
  name?: string;
  /** "/studio/view" */
  root: string;
  children: (name: string) => ComponentChildren;
}

/** Chooses among the designs that the server knows. */
export function PickDesign({ name, root, children }: PickDesignProps) {
  const { data, error, reload } = useLoad<DesignSummary[]>((signal) => listDesigns(signal), []);
  const first = data?.[0]?.name;
  useEffect(() => {
    if (!name && first) navigate(`${root}/${encodeURIComponent(first)}`, { replace: true });
  }, [name, first]);
  if (error !== undefined) return <ProblemBox error={error} onRetry={reload} />;
  if (!data) return <Loading />;
  if (data.length === 0) {
    return (
      <Empty title="No designs are served">
        <p>
          Start the server with <code>--design FILE</code> to see a table as what its design says it
          is.
        </p>
        <a class="button" href="/studio/designs/new">
          Try one in the editor
        </a>
      </Empty>
    );
  }
  return (
    <>
      {data.length > 1 && (
        <nav class="tabs" aria-label="Designs">
          {data.map((design) => (
            <a
              key={design.name}
              href={`${root}/${encodeURIComponent(design.name)}`}
              aria-current={design.name === name ? "page" : undefined}
            >
              {design.name}
            </a>
          ))}
        </nav>
      )}
      {name && children(name)}
    </>
  );
}

/** The colour of a kind, the same on every page. */
export const hueOf = (kinds: { name: string }[], name: string | null) => {
  const at = kinds.findIndex((kind) => kind.name === name);
  return at < 0 ? "" : `hue hue-${at % 12}`;
};
