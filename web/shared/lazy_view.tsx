// Views that are loaded when they are first looked at.

import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { recovered } from "./api";
import { part } from "./part";
import { Loading, ProblemBox } from "./pieces";

/** A view whose code comes from `load`, usually an `import()`. */
export function lazyView<P extends object>(load: () => Promise<ComponentType<P>>) {
  let found: ComponentType<P> | undefined;
  return function LazyView(props: P) {
    const turn = useSignal(0);
    const error = useSignal<unknown>(undefined);
    useEffect(() => {
      if (found) return;
      let isOver = false;
      error.value = undefined;
      part(load).then(
        (view) => {
          found = view;
          if (!isOver) turn.value += 1;
        },
        (problem: unknown) => {
          if (!isOver) error.value = problem;
        },
      );
      return () => {
        isOver = true;
      };
    }, [turn.value, recovered.value]);
    if (found) {
      const View = found;
      return <View {...props} />;
    }
    if (error.value !== undefined)
      return <ProblemBox error={error.value} onRetry={() => (turn.value += 1)} />;
    return <Loading />;
  };
}
