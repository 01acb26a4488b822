import { changesBetween, type AttributeValue, type Item, shortText, typeOf } from "./values";

function Side({ value, what }: { value?: AttributeValue; what: string }) {
  if (!value) return <span class="soft">none</span>;
  return (
    <span class={what}>
      <span class="type-tag">{typeOf(value)}</span>{" "}
      <span class="diff-text">{shortText(value) || '""'}</span>
    </span>
  );
}

/** What differs between two forms of an item. */
export function Diff({
  before,
  after,
  titles = ["Before", "After"],
}: {
  before: Item;
  after: Item;
  titles?: [string, string];
}) {
  const changes = changesBetween(before, after);
  if (changes.length === 0) return <p class="soft">Nothing differs.</p>;
  return (
    <div class="data-table is-short" tabIndex={0} role="region" aria-label="What differs">
      <table class="diff">
        <thead>
          <tr>
            <th scope="col">Attribute</th>
            <th scope="col">{titles[0]}</th>
            <th scope="col">{titles[1]}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => (
            <tr key={change.name}>
              <th scope="row">
                <code>{change.name}</code>
              </th>
              <td>
                <Side value={change.before} what="diff-old" />
              </td>
              <td>
                <Side value={change.after} what="diff-new" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
