// Views that are loaded when they are first opened.

import type { ComponentType } from "preact";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Loading, ProblemBox } from "./pieces";

/** Shows what `load` brings; `load` is called once and must be the same function each time. */
export function LazyView<P extends object>({
  load,
  props,
}: {
  load: () => Promise<ComponentType<P>>;
  props: P;
}) {
  const state = useSignal<{ View?: ComponentType<P>; error?: unknown }>({});
  const read = () =>
    void load().then(
      (View) => (state.value = { View }),
      (error: unknown) => (state.value = { error }),
    );
  useEffect(read, [load]);
  const { View, error } = state.value;
  if (View) return <View {...props} />;
  return error === undefined ? <Loading /> : <ProblemBox error={error} onRetry={read} />;
}
