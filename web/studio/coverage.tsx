import { Link } from "../shared/router";
import { hueOf } from "./pick_design";
import type { Access, Design } from "./server";

const placeOf = (access: Access) =>
  access.action === "query"
    ? (access.index ?? "table")
    : access.action === "external"
      ? "external"
      : access.action;

/** Which pattern reaches which kind of item, and through what. */
export function CoverageMatrix({ design }: { design: Design }) {
  const root = `/studio/access/${encodeURIComponent(design.name)}`;
  const reads = design.accesses.filter((access) => access.reads);
  const unread = design.entities.filter(
    (kind) => !kind.mirrorOf && !reads.some((access) => access.results.includes(kind.name)),
  );
  const unused = design.table.indexes.filter(
    (index) => !reads.some((access) => access.index === index.name),
  );
  return (
    <section class="stack" aria-label="Coverage">
      {unread.length > 0 && (
        <p class="note">No pattern reads {unread.map((kind) => kind.name).join(", ")}.</p>
      )}
      {unused.length > 0 && (
        <p class="note">
          No pattern uses the index {unused.map((index) => index.name).join(", ")}.
        </p>
      )}
      {unread.length + unused.length === 0 && (
        <p class="soft">Every kind of item is read by a pattern, and every index is used.</p>
      )}
      <div class="data-table is-short" tabIndex={0} role="region" aria-label="Coverage matrix">
        <table class="matrix">
          <thead>
            <tr>
              <th scope="col">Pattern</th>
              {design.entities.map((kind) => (
                <th key={kind.name} scope="col">
                  <span class={`chip ${hueOf(design.entities, kind.name)}`}>{kind.name}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {design.accesses.map((access) => (
              <tr key={access.name}>
                <th scope="row">
                  <Link href={`${root}/${encodeURIComponent(access.name)}`}>{access.name}</Link>
                </th>
                {design.entities.map((kind) => (
                  <td key={kind.name}>
                    {access.results.includes(kind.name) ? (
                      <span class="place">{placeOf(access)}</span>
                    ) : (
                      <span class="visually-hidden">no</span>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
