import { useSignal } from "@preact/signals";
import { SelectField, TextField } from "../shared/form";
import { setQuery } from "../shared/router";
import { filterOperators, keysFor, type Question, queryOf, sortOperators } from "./items_query";
import { indexesOf, type TableInfo } from "./server";

/** Which items to show: of the table or an index, of one partition, filtered. */
export function AskForm({ table, question }: { table: TableInfo; question: Question }) {
  const index = useSignal(question.index);
  const operator = useSignal(question.sortOperator);
  const filter = useSignal(question.filterOperator);
  const keys = keysFor(table, index.value);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string) => String(data.get(name) ?? "");
    setQuery(
      queryOf({
        index: text("index"),
        partition: text("partition"),
        sortOperator: text("operator") || "begins_with",
        sort: text("sort"),
        sortEnd: text("end"),
        isBackward: text("order") === "desc",
        filterName: text("filterName").trim(),
        filterOperator: text("filterOperator"),
        filterType: text("filterType"),
        filterValue: text("filterValue"),
      }),
      {},
    );
  };
  const clear = () => {
    index.value = "";
    setQuery(
      {
        index: null,
        pk: null,
        op: null,
        sk: null,
        to: null,
        order: null,
        fa: null,
        fo: null,
        ft: null,
        fv: null,
      },
      {},
    );
  };
  const isAsking = Object.values(queryOf(question)).some((value) => value !== null);
  return (
    <form class="card form ask" onSubmit={submit} key={JSON.stringify(question)}>
      <div class="form-row">
        <SelectField
          label="Read"
          name="index"
          value={index.value}
          onChange={(value) => (index.value = value)}
          options={[
            { value: "", label: `Table (${keysFor(table, "").partition})` },
            ...indexesOf(table).map((it) => ({
              value: it.IndexName,
              label: `Index ${it.IndexName}`,
            })),
          ]}
        />
        <TextField
          label={`${keys.partition} is`}
          name="partition"
          defaultValue={question.partition}
          placeholder="any"
          spellcheck={false}
        />
        {keys.sort && (
          <>
            <SelectField
              label={`${keys.sort}`}
              name="operator"
              value={operator.value}
              onChange={(value) => (operator.value = value)}
              options={sortOperators.map((value) => ({ value, label: value.replace("_", " ") }))}
            />
            <TextField
              label="value"
              name="sort"
              defaultValue={question.sort}
              placeholder="any"
              spellcheck={false}
            />
            {operator.value === "between" && (
              <TextField
                label="and"
                name="end"
                defaultValue={question.sortEnd}
                spellcheck={false}
              />
            )}
            <SelectField
              label="Order"
              name="order"
              value={question.isBackward ? "desc" : "asc"}
              options={[
                { value: "asc", label: "Ascending" },
                { value: "desc", label: "Descending" },
              ]}
            />
          </>
        )}
      </div>
      <div class="ask-end">
        <details open={question.filterName !== ""}>
          <summary>Filter</summary>
          <div class="form-row">
            <TextField
              label="Attribute"
              name="filterName"
              defaultValue={question.filterName}
              spellcheck={false}
            />
            <SelectField
              label="Condition"
              name="filterOperator"
              value={filter.value}
              onChange={(value) => (filter.value = value)}
              options={filterOperators.map((value) => ({ value, label: value.replace("_", " ") }))}
            />
            {!filter.value.endsWith("exists") && (
              <>
                <SelectField
                  label="Type"
                  name="filterType"
                  value={question.filterType}
                  options={["S", "N", "B", "BOOL", "NULL"]}
                />
                <TextField
                  label="Value of the filter"
                  name="filterValue"
                  defaultValue={question.filterValue}
                  spellcheck={false}
                />
              </>
            )}
          </div>
        </details>
        <div class="form-end">
          {isAsking && (
            <button type="button" onClick={clear}>
              Clear
            </button>
          )}
          <button type="submit">Show items</button>
        </div>
      </div>
    </form>
  );
}
