// How busy the web port is: what its own counters say, every two seconds.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { request, wait } from "../shared/api";
import { Chart, type Series } from "../shared/chart";
import { DataTable } from "../shared/data_table";
import { countText, Loading, PageTitle, ProblemBox } from "../shared/pieces";
import { quantile, rates, type Sample, sampleOf, total } from "./samples";

const everyMs = 2000;
const samplesMax = 300;
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
  const { x, counts, failed, readUnits, writeUnits, meanMs, mostMs } = rates(samples.value);
  const plots: [string, Series[]][] = [
    [
      "Requests a second",
      [
        { label: "all", values: counts, kind: "area" },
        { label: "refused or failed", values: failed },
      ],
    ],
    [
      "Time of a request, ms",
      [
        { label: "mean", values: meanMs },
        { label: "95 of 100 within", values: mostMs },
      ],
    ],
    [
      "Units a second",
      [
        { label: "read", values: readUnits },
        { label: "write", values: writeUnits },
      ],
    ],
  ];
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
            {plots.map(([title, series]) => (
              <div class="card" key={title}>
                <Chart title={title} x={x} xText={clock} valueText={short} series={series} />
              </div>
            ))}
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
              { name: "Read units", isNumeric: true, cell: ([, it]) => countText(it.readUnits) },
              { name: "Write units", isNumeric: true, cell: ([, it]) => countText(it.writeUnits) },
              {
                name: "Mean ms",
                isNumeric: true,
                cell: ([, it]) => short((it.seconds / it.count) * 1000),
              },
              ...[0.5, 0.95, 0.99].map((share) => ({
                name: `${share * 100} of 100 within, ms`,
                isNumeric: true,
                cell: ([, it]: (typeof routes)[number]) =>
                  short((quantile(it.within, share) ?? 0) * 1000),
              })),
            ]}
          />
        </>
      )}
    </>
  );
}
