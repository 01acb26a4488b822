import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { DataTable } from "../shared/data_table";
import { FormProblem, SelectField, SubmitButton, TextField, useForm } from "../shared/form";
import { CopyButton, Empty, Loading, manyText, PageTitle, useLoad } from "../shared/pieces";
import { Link, query, setQuery } from "../shared/router";
import { CoverageMatrix } from "./coverage";
import { type Exact, printExact } from "./exact_json";
import { NoPage } from "./no_page";
import { hueOf, PickDesign } from "./pick_design";
import {
  type Access,
  type AccessRun,
  type Design,
  getDesign,
  type Parameter,
  runAccess,
} from "./server";

function ParameterField({
  parameter,
  state,
}: {
  parameter: Parameter;
  state: Parameters<typeof FormProblem>[0]["state"];
}) {
  const label = `${parameter.name}${parameter.optional ? " (optional)" : ""}`;
  const value = query.value.get(`p.${parameter.name}`) ?? "";
  if (parameter.values) {
    const options = parameter.optional
      ? [{ value: "", label: "any" }, ...parameter.values]
      : parameter.values;
    return (
      <SelectField
        label={label}
        name={parameter.name}
        state={state}
        options={options}
        value={value || undefined}
      />
    );
  }
  return (
    <TextField
      label={label}
      name={parameter.name}
      state={state}
      defaultValue={value}
      spellcheck={false}
      hint={parameter.type}
    />
  );
}

const text = (value: Exact | undefined) =>
  value === undefined
    ? ""
    : typeof value === "string"
      ? value
      : printExact(value).replaceAll(/\s+/g, " ");

function Result({ run, design, onMore }: { run: AccessRun; design: Design; onMore: () => void }) {
  const names = [...new Set(run.items.flatMap((item) => [...item.keys()]))].filter(
    (name) => name !== "@type",
  );
  const fact = (title: string, value: string) => (
    <div class="fact">
      <dt>{title}</dt>
      <dd>{value}</dd>
    </div>
  );
  return (
    <section class="stack" aria-label="Result">
      <dl class="facts">
        {fact("Returned", manyText(run.items.length, "item"))}
        {fact("Read", manyText(run.itemsRead, "item"))}
        {fact("Cost", manyText(run.readUnits, "read unit"))}
        {fact("Requests", String(run.requestCount))}
        {fact("Time", `${(run.durationUs / 1000).toFixed(2)} ms`)}
      </dl>
      {run.itemsRead > run.items.length * 2 && run.itemsRead > 10 && (
        <p class="soft">
          Much more was read than returned: what is read is paid for, whether a filter drops it or
          not.
        </p>
      )}
      {run.items.length === 0 ? (
        <Empty title="No items">
          <p>The access ran and found nothing for these parameters.</p>
        </Empty>
      ) : (
        <DataTable
          label="Items of the access"
          rows={run.items}
          rowKey={(_, i) => String(i)}
          columns={[
            {
              name: "Kind",
              cell: (item) => (
                <span class={`chip ${hueOf(design.entities, text(item.get("@type")))}`}>
                  {text(item.get("@type"))}
                </span>
              ),
            },
            ...names.map((name) => ({
              name,
              cell: (item: Map<string, Exact>) => (
                <span class="value">{text(item.get(name)).slice(0, 200)}</span>
              ),
            })),
          ]}
        />
      )}
      {run.nextCursor && (
        <div>
          <button type="button" onClick={onMore}>
            Next page
          </button>
        </div>
      )}
      <h3>What it becomes</h3>
      {run.remark && <p class="soft">{run.remark}</p>}
      {run.requests?.map((request, i) => (
        <div key={i} class="card stack">
          <div class="row spread">
            <strong>{request.operation}</strong>
            <CopyButton text={request.command} label="Copy as AWS command" />
          </div>
          <pre tabIndex={0}>
            <code>{request.json}</code>
          </pre>
        </div>
      ))}
    </section>
  );
}

function AccessDetail({ design, access }: { design: Design; access: Access }) {
  const run = useSignal<AccessRun | undefined>(undefined);
  const last = useSignal<Record<string, unknown>>({});
  const cost = design.costs.find((line) => line.what === `access ${access.name}`);
  const ask = async (body: Record<string, unknown>) => {
    last.value = body;
    run.value = await runAccess(design.name, access.name, body);
  };
  const asked = useRef<HTMLFormElement>(null);
  // Parameters in the address have been asked with.
  const isAsked = [...query.value.keys()].some((name) => name.startsWith("p."));
  useEffect(() => {
    if (isAsked) asked.current?.requestSubmit();
  }, []);
  const { state, onSubmit } = useForm(async (data) => {
    const given = access.parameters
      .map((parameter) => [parameter.name, String(data.get(parameter.name) ?? "")] as const)
      .filter(([, value]) => value !== "");
    setQuery(
      Object.fromEntries(
        [...data].map(([name, value]) => [`p.${name}`, typeof value === "string" ? value : null]),
      ),
    );
    await ask({
      arguments: Object.fromEntries(given),
      ...(data.get("page size") && { limit: Number(data.get("page size")) }),
      ...(access.order === "either" && { order: data.get("order") }),
    });
  });
  return (
    <section class="stack" aria-label={access.name}>
      <div class="card stack">
        <div class="row spread">
          <h2>{access.name}</h2>
          <span class="row">
            {access.results.map((name) => (
              <span key={name} class={`chip ${hueOf(design.entities, name)}`}>
                {name}
              </span>
            ))}
          </span>
        </div>
        <dl class="pattern">
          <dt>Does</dt>
          <dd>
            {access.action}
            {access.partitionKey !== undefined && ` ${access.index ?? "table"}`}
          </dd>
          {access.partitionKey !== undefined && (
            <>
              <dt>Partition</dt>
              <dd>
                <code>{access.partitionKey}</code>
              </dd>
            </>
          )}
          {access.sortKey && (
            <>
              <dt>Sort key</dt>
              <dd>
                <code>{access.sortKey}</code>
              </dd>
            </>
          )}
          {access.filter && (
            <>
              <dt>Filter</dt>
              <dd>
                <code>{access.filter}</code>
              </dd>
            </>
          )}
          {cost && (
            <>
              <dt>Expected</dt>
              <dd>
                {cost.readUnits} read, {cost.writeUnits} write units{" "}
                <small>{cost.assumption}</small>
                {cost.remark && <small> {cost.remark}</small>}
              </dd>
            </>
          )}
          <dt>In the text</dt>
          <dd>
            <Link href={`/studio/designs/${encodeURIComponent(design.name)}?line=${access.line}`}>
              line {access.line}
            </Link>
          </dd>
        </dl>
      </div>
      {access.reads ? (
        <form class="card form" ref={asked} onSubmit={onSubmit}>
          <div class="form-row">
            {access.parameters.map((parameter) => (
              <ParameterField key={parameter.name} parameter={parameter} state={state.value} />
            ))}
            {access.order === "either" && (
              <SelectField
                label="Order"
                name="order"
                options={["asc", "desc"]}
                value={query.value.get("p.order") ?? undefined}
              />
            )}
            <SelectField
              label="Items at most"
              name="page size"
              options={[{ value: "", label: "As the pattern says" }, "20", "50", "100"]}
              value={query.value.get("p.page size") ?? undefined}
            />
          </div>
          <FormProblem state={state.value} />
          <div class="form-end">
            <SubmitButton state={state.value}>Run</SubmitButton>
          </div>
        </form>
      ) : (
        <p class="soft">
          {access.action === "external"
            ? "This pattern is answered by something else than the table."
            : "Patterns that write are run through the design's HTTP API, not from here."}
        </p>
      )}
      {run.value && (
        <Result
          run={run.value}
          design={design}
          onMore={() => void ask({ ...last.value, cursor: run.value?.nextCursor })}
        />
      )}
    </section>
  );
}

function Patterns({ design, access }: { design: Design; access?: string }) {
  const chosen = design.accesses.find((it) => it.name === access);
  const root = `/studio/access/${encodeURIComponent(design.name)}`;
  const units = (it: Access) => design.costs.find((line) => line.what === `access ${it.name}`);
  return (
    <>
      <PageTitle
        title={chosen ? `${design.name}: ${chosen.name}` : `${design.name}: access patterns`}
        line={
          <>
            {manyText(design.accesses.length, "question")} that the design answers. Run one on live
            data to see what it costs.
          </>
        }
      />
      <div class="split">
        <nav class="pattern-list" aria-label="Access patterns">
          <ul>
            <li>
              <Link href={root} aria-current={chosen ? undefined : "page"}>
                Coverage
              </Link>
            </li>
            {design.accesses.map((it) => (
              <li key={it.name}>
                <Link
                  href={`${root}/${encodeURIComponent(it.name)}`}
                  aria-current={it === chosen ? "page" : undefined}
                >
                  <span>{it.name}</span>
                  <small>
                    {it.reads
                      ? `${units(it)?.readUnits ?? "?"} RU`
                      : it.action === "external"
                        ? "external"
                        : `${units(it)?.writeUnits ?? "?"} WU`}
                  </small>
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        {chosen ? (
          <AccessDetail key={chosen.name} design={design} access={chosen} />
        ) : (
          <CoverageMatrix design={design} />
        )}
      </div>
    </>
  );
}

function Loader({ name, access }: { name: string; access?: string }) {
  const { data, error, reload } = useLoad((signal) => getDesign(name, signal), [name]);
  if (error !== undefined) return <NoPage {...{ error, name }} what="design" onRetry={reload} />;
  return data ? <Patterns design={data.design} access={access} /> : <Loading />;
}

export function AccessPage({ name, access }: { name?: string; access?: string }) {
  return (
    <PickDesign name={name} root="/studio/access">
      {(chosen) => <Loader key={chosen} name={chosen} access={access} />}
    </PickDesign>
  );
}
