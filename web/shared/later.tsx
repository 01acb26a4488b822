// Views that few visits need are loaded when they are opened.

import { useSignal } from "@preact/signals";
import type { FunctionComponent } from "preact";
import { useEffect } from "preact/hooks";
import { Loading, ProblemBox } from "./pieces";

/** A component that `load` brings: later(async () => (await import("./edit_page")).EditPage) */
export function later<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> {
  let loaded: FunctionComponent<Props> | undefined;
  return (props: Props) => {
    const turn = useSignal(0);
    const problem = useSignal<unknown>(undefined);
    useEffect(() => {
      if (loaded) return;
      load().then(
        (view) => {
          loaded = view;
          turn.value += 1;
        },
        (error: unknown) => (problem.value = error),
      );
    }, []);
    // Read, so that what was loaded is shown.
    void turn.value;
    const View = loaded;
    if (View) return <View {...props} />;
    return problem.value === undefined ? <Loading /> : <ProblemBox error={problem.value} />;
  };
}
