// What `GET /metrics` of the web port says, and what follows from two such answers.

interface Route {
  count: number;
  failed: number;
  seconds: number;
  /** That its requests have consumed. */
  readUnits: number;
  writeUnits: number;
  /** How many took at most so many seconds. */
  within: Map<number, number>;
}

export interface Sample {
  at: number;
  /** By "METHOD route". */
  routes: Map<string, Route>;
  gauges: Map<string, number>;
}

const noRequests = (): Route => ({
  count: 0,
  failed: 0,
  seconds: 0,
  readUnits: 0,
  writeUnits: 0,
  within: new Map(),
});

const line = /^(\w+)(?:\{(.*)\})? (\S+)$/;

export function sampleOf(text: string, at: number): Sample {
  const sample: Sample = { at, routes: new Map(), gauges: new Map() };
  for (const row of text.split("\n")) {
    const [, name = "", labels = "", value = "0"] = line.exec(row) ?? [];
    if (!name.startsWith("trestle_web_")) continue;
    const label = (key: string) => new RegExp(`${key}="([^"]*)"`).exec(labels)?.[1] ?? "";
    if (!labels) {
      sample.gauges.set(name.replace("trestle_web_", ""), Number(value));
      continue;
    }
    const key = `${label("method")} ${label("route")}`.trim();
    const route = sample.routes.get(key) ?? noRequests();
    sample.routes.set(key, route);
    if (name.endsWith("requests_total")) {
      route.count += Number(value);
      if (/^[45]/.test(label("status"))) route.failed += Number(value);
    } else if (name.endsWith("_bucket")) {
      const most = label("le") === "+Inf" ? Infinity : Number(label("le"));
      route.within.set(most, Number(value));
    } else if (name.endsWith("_sum")) route.seconds += Number(value);
    else if (name.endsWith("consumed_units_total"))
      route[label("kind") === "read" ? "readUnits" : "writeUnits"] += Number(value);
  }
  return sample;
}

/** In how many seconds a share of the requests was answered, as far as the bounds tell. */
export function quantile(within: Map<number, number>, share: number): number | null {
  const bounds = [...within].sort(([a], [b]) => a - b);
  const wanted = (bounds.at(-1)?.[1] ?? 0) * share;
  if (wanted === 0) return null;
  let [below, before] = [0, 0];
  for (const [bound, count] of bounds) {
    if (count >= wanted) {
      if (bound === Infinity) return below;
      return below + ((bound - below) * (wanted - before)) / (count - before);
    }
    [below, before] = [bound, count];
  }
  return below;
}

export const total = (sample: Sample, what: Exclude<keyof Route, "within">) =>
  [...sample.routes.values()].reduce((sum, route) => sum + route[what], 0);

function allWithin(sample: Sample, sign: 1 | -1, into: Map<number, number>): void {
  for (const { within } of sample.routes.values())
    for (const [most, count] of within) into.set(most, (into.get(most) ?? 0) + sign * count);
}

export function rates(samples: Sample[]) {
  const pairs = samples.slice(1).map((sample, i) => [samples[i] as Sample, sample] as const);
  const perSecond = (what: Parameters<typeof total>[1]) =>
    pairs.map(([a, b]) => Math.max(0, total(b, what) - total(a, what)) / (b.at - a.at));
  const meanMs = pairs.map(([a, b]) => {
    const count = total(b, "count") - total(a, "count");
    return count > 0 ? ((total(b, "seconds") - total(a, "seconds")) / count) * 1000 : null;
  });
  const mostMs = pairs.map(([a, b]) => {
    const within = new Map<number, number>();
    allWithin(a, -1, within);
    allWithin(b, 1, within);
    const seconds = quantile(within, 0.95);
    return seconds === null ? null : seconds * 1000;
  });
  return {
    x: pairs.map(([, b]) => b.at),
    counts: perSecond("count"),
    failed: perSecond("failed"),
    readUnits: perSecond("readUnits"),
    writeUnits: perSecond("writeUnits"),
    meanMs,
    mostMs,
  };
}
