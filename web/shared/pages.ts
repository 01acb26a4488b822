// A list of any length: its first part follows what changes, the rest is read on demand.

import { useSignal } from "@preact/signals";
import type { List } from "./api";
import { changed } from "./live";
import { useLoad } from "./pieces";

export interface Pages<Page extends List<unknown>> {
  items: Page["items"];
  /** The first part, once it is there. */
  first?: Page;
  error?: unknown;
  reload: () => void;
  cursor: string | undefined;
  more: () => Promise<void>;
}

export function usePages<Page extends List<unknown>>(
  read: (cursor: string | undefined, signal?: AbortSignal) => Promise<Page>,
  keys: unknown[],
): Pages<Page> {
  const rest = useSignal<Page["items"]>([]);
  const cursor = useSignal<string | undefined>(undefined);
  const { data, error, reload } = useLoad(
    async (signal) => {
      const page = await read(undefined, signal);
      rest.value = [];
      cursor.value = page.nextCursor;
      return page;
    },
    [...keys, changed.value],
  );
  return {
    items: data ? [...data.items, ...rest.value] : [],
    first: data,
    error,
    reload,
    cursor: cursor.value,
    more: async () => {
      const page = await read(cursor.value);
      rest.value = [...rest.value, ...page.items];
      cursor.value = page.nextCursor;
    },
  };
}
