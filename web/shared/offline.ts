// Pages that were open can be opened without the server: service_worker.ts keeps them.

/** What this page has loaded was loaded before the worker could see it; it is told of it. */
export async function keepForOffline(): Promise<void> {
  if (!("serviceWorker" in navigator) || !isSecureContext) return;
  await navigator.serviceWorker.register("/service-worker.js");
  const { active } = await navigator.serviceWorker.ready;
  const loaded = performance.getEntriesByType("resource").map(({ name }) => new URL(name));
  active?.postMessage({
    page: location.pathname,
    parts: loaded.filter((url) => url.origin === location.origin).map((url) => url.pathname),
  });
}
