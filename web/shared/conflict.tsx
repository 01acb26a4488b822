// Somebody else, or the same person elsewhere, has changed it meanwhile.

import { useSignal } from "@preact/signals";
import { attempt } from "./toast";

export interface Difference {
  label: string;
  before: string;
  mine: string;
  theirs: string;
  /** Whether it was changed here. */
  isMine: boolean;
}

interface ConflictProps {
  /** What was changed, as one names it: "book". */
  what: string;
  differences: Difference[];
  onMine: () => Promise<void>;
  onTheirs: () => void;
  onEdit: () => void;
}

const shown = (text: string) => text || "(empty)";

export function Conflict({ what, differences, onMine, onTheirs, onEdit }: ConflictProps) {
  const isBusy = useSignal(false);
  const saveMine = async () => {
    isBusy.value = true;
    await attempt(onMine);
    isBusy.value = false;
  };
  return (
    <section class="card stack" aria-labelledby="conflict">
      <h2 id="conflict">This {what} was changed elsewhere</h2>
      <p role="alert">
        Nothing is saved yet. Here is where what you typed differs from what the {what} says now.
      </p>
      {differences.length > 0 ? (
        <div class="data-table is-short" tabIndex={0} role="region" aria-label="Differences">
          <table>
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">You</th>
                <th scope="col">The {what} now</th>
              </tr>
            </thead>
            <tbody>
              {differences.map(({ label, mine, theirs, isMine }) => (
                <tr key={label}>
                  <th scope="row">{label}</th>
                  <td class={isMine ? "is-kept" : "soft"}>{shown(mine)}</td>
                  <td class={isMine ? "soft" : "is-kept"}>{shown(theirs)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        <p class="soft">Both say the same. There is nothing to choose.</p>
      )}
      <p class="hint">
        "Save my changes" sets the fields that you changed, in bold, and leaves the others as they
        are now.
      </p>
      <div class="form-end">
        <button type="button" onClick={onTheirs}>
          Drop mine
        </button>
        <button type="button" onClick={onEdit}>
          Back to the form
        </button>
        <button
          type="button"
          class="primary"
          disabled={isBusy.value}
          aria-busy={isBusy.value}
          onClick={() => void saveMine()}
        >
          Save my changes
        </button>
      </div>
    </section>
  );
}
