// How busy the web port is: what its own counters say, every two seconds.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { request, wait } from "../shared/api";
import { Chart } from "../shared/chart";
import { DataTable } from "../shared/data_table";
import { countText, Loading, PageTitle, ProblemBox } from "../shared/pieces";

interface Sample {
  at: number;
  /** By "METHOD route". */
  routes: Map<string, { count: number; failed: number; seconds: number }>;
  gauges: Map<string, number>;
}

const everyMs = 2000;
const samplesMax = 300;
const line = /^(\w+)(?:\{(.*)\})? (\S+)$/;

export function sampleOf(text: string, at: number): Sample {
  const sample: Sample = { at, routes: new Map(), gauges: new Map() };
  for (const row of text.split("\n")) {
    const [, name = "", labels = "", value = "0"] = line.exec(row) ?? [];
    if (!name || name.endsWith("_bucket")) continue;
    const label = (key: string) => new RegExp(`${key}="([^"]*)"`).exec(labels)?.[1] ?? "";
    if (!labels) {
      sample.gauges.set(name.replace("trestle_web_", ""), Number(value));
      continue;
    }
    const key = `${label("method")} ${label("route")}`.trim();
    const route = sample.routes.get(key) ?? { count: 0, failed: 0, seconds: 0 };
    sample.routes.set(key, route);
    if (name.endsWith("requests_total")) {
      route.count += Number(value);
      if (/^[45]/.test(label("status"))) route.failed += Number(value);
    } else if (name.endsWith("_sum")) route.seconds += Number(value);
  }
  return sample;
}

const total = (sample: Sample, what: "count" | "failed" | "seconds") =>
  [...sample.routes.values()].reduce((sum, route) => sum + route[what], 0);

function rates(samples: Sample[]) {
  const pairs = samples.slice(1).map((sample, i) => [samples[i] as Sample, sample] as const);
  const perSecond = (what: "count" | "failed") =>
    pairs.map(([a, b]) => Math.max(0, total(b, what) - total(a, what)) / (b.at - a.at));
  const meanMs = pairs.map(([a, b]) => {
    const count = total(b, "count") - total(a, "count");
    return count > 0 ? ((total(b, "seconds") - total(a, "seconds")) / count) * 1000 : null;
  });
  return {
    x: pairs.map(([, b]) => b.at),
    counts: perSecond("count"),
    failed: perSecond("failed"),
    meanMs,
  };
}

const clock = (at: number) => new Date(at * 1000).toLocaleTimeString();
const short = (value: number) => value.toFixed(value < 10 ? 2 : 0);

export function MetricsPage() {
  const samples = useSignal<Sample[]>([]);
  const problem = useSignal<unknown>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    void (async () => {
      while (!controller.signal.aborted) {
        try {
          const { data } = await request<string>("GET", "/metrics", {
            headers: { Accept: "text/plain" },
            parse: (text) => text,
            signal: controller.signal,
          });
          samples.value = [...samples.value, sampleOf(data, Date.now() / 1000)].slice(-samplesMax);
          problem.value = undefined;
        } catch (error) {
          if (!controller.signal.aborted) problem.value = error;
        }
        await wait(everyMs, controller.signal);
      }
    })();
    return () => controller.abort();
  }, []);

  const last = samples.value.at(-1);
  const { x, counts, failed, meanMs } = rates(samples.value);
  const routes = [...(last?.routes ?? [])]
    .filter(([, route]) => route.count > 0)
    .sort((a, b) => b[1].count - a[1].count);
  const fact = (title: string, value: number | undefined) => (
    <div class="fact">
      <dt>{title}</dt>
      <dd>{countText(value ?? 0)}</dd>
    </div>
  );
  return (
    <>
      <PageTitle
        title="Metrics"
        line="The web port since this page was opened. It asks every two seconds."
      />
      {problem.value !== undefined && <ProblemBox error={problem.value} />}
      {!last && <Loading />}
      {last && (
        <>
          <dl class="facts">
            {fact("Requests", total(last, "count"))}
            {fact("Refused or failed", total(last, "failed"))}
            {fact("Connections", last.gauges.get("connections_open"))}
            {fact("Workers running", last.gauges.get("workers_running"))}
            {fact("Requests waiting", last.gauges.get("workers_waiting"))}
          </dl>
          <div class="charts">
            <div class="card">
              <Chart
                title="Requests a second"
                x={x}
                xText={clock}
                valueText={short}
                series={[
                  { label: "all", values: counts, kind: "area" },
                  { label: "refused or failed", values: failed },
                ]}
              />
            </div>
            <div class="card">
              <Chart
                title="Mean time of a request, ms"
                x={x}
                xText={clock}
                valueText={short}
                series={[{ label: "ms", values: meanMs }]}
              />
            </div>
          </div>
          <h2>By route</h2>
          <DataTable
            label="Requests by route"
            isShort
            rows={routes}
            rowKey={([name]) => name}
            columns={[
              {
                name: "Route",
                cell: ([name]) => <code>{name === "none none" ? "pages and others" : name}</code>,
              },
              { name: "Requests", isNumeric: true, cell: ([, it]) => countText(it.count) },
              {
                name: "Refused or failed",
                isNumeric: true,
                cell: ([, it]) => countText(it.failed),
              },
              {
                name: "Mean ms",
                isNumeric: true,
                cell: ([, it]) => short((it.seconds / it.count) * 1000),
              },
            ]}
          />
        </>
      )}
    </>
  );
}
