// Views that are loaded when they are first opened.

import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { Loading, ProblemBox } from "./pieces";

interface LazyViewProps<P> {
  /** The same function each time, so that it is known whose the view is. */
  load: () => Promise<ComponentType<P>>;
  props: P;
}

/** Shows what `load` brings. */
export function LazyView<P extends object>({ load, props }: LazyViewProps<P>) {
  const state = useSignal<{ by?: unknown; View?: ComponentType<P>; error?: unknown }>({});
  const read = () =>
    void load().then(
      (View) => (state.value = { by: load, View }),
      (error: unknown) => (state.value = { by: load, error }),
    );
  useEffect(read, [load]);
  const { by, View, error } = state.value;
  if (by !== load) return <Loading />;
  return View ? <View {...props} /> : <ProblemBox error={error} onRetry={read} />;
}
