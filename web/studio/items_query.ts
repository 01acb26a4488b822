// What the address asks of a table's items, as a Query or a Scan.

import { indexesOf, keysOf, keyTypeOf, type Keys, type TableDescription } from "./server";
import { type AttributeValue, keyValue } from "./values";

export interface Question {
  index: string; // empty: the table
  partition: string; // empty: all items
  sortOperator: string;
  sort: string;
  sortEnd: string;
  isBackward: boolean;
  filterName: string;
  filterOperator: string;
  filterType: string;
  filterValue: string;
}

export const sortOperators = ["begins_with", "=", "<", "<=", ">", ">=", "between"];
export const filterOperators = [
  "=",
  "<>",
  "<",
  "<=",
  ">",
  ">=",
  "contains",
  "begins_with",
  "exists",
  "not_exists",
];

export function questionOf(query: URLSearchParams): Question {
  const text = (name: string, otherwise = "") => query.get(name) ?? otherwise;
  return {
    index: text("index"),
    partition: text("pk"),
    sortOperator: text("op", "begins_with"),
    sort: text("sk"),
    sortEnd: text("to"),
    isBackward: text("order") === "desc",
    filterName: text("fa"),
    filterOperator: text("fo", "="),
    filterType: text("ft", "S"),
    filterValue: text("fv"),
  };
}

export const queryOf = (question: Question): Record<string, string | null> => ({
  index: question.index || null,
  pk: question.partition || null,
  op: question.sort && question.sortOperator !== "begins_with" ? question.sortOperator : null,
  sk: question.sort || null,
  to: question.sortEnd || null,
  order: question.isBackward ? "desc" : null,
  fa: question.filterName || null,
  fo: question.filterName && question.filterOperator !== "=" ? question.filterOperator : null,
  ft: question.filterName && question.filterType !== "S" ? question.filterType : null,
  fv: question.filterName ? question.filterValue : null,
});

/** The keys that a question is by. */
export function keysFor(table: TableDescription, index: string): Keys {
  const found = indexesOf(table).find((it) => it.IndexName === index);
  return keysOf(found?.KeySchema ?? table.KeySchema);
}

const filterValue = (type: string, text: string): AttributeValue =>
  type === "BOOL"
    ? { BOOL: text === "true" }
    : type === "NULL"
      ? { NULL: true }
      : keyValue(type, text);

function filterOf(
  question: Question,
  names: Record<string, string>,
  values: Record<string, AttributeValue>,
): string {
  const { filterName, filterOperator, filterType, filterValue: text } = question;
  names["#f"] = filterName;
  if (filterOperator === "exists") return "attribute_exists(#f)";
  if (filterOperator === "not_exists") return "attribute_not_exists(#f)";
  values[":f"] = filterValue(filterType, text);
  const isFunction = filterOperator === "contains" || filterOperator === "begins_with";
  return isFunction ? `${filterOperator}(#f, :f)` : `#f ${filterOperator} :f`;
}

export interface PageRequest {
  operation: "Query" | "Scan";
  body: Record<string, unknown>;
}

export function requestOf(table: TableDescription, question: Question): PageRequest {
  const keys = keysFor(table, question.index);
  const names: Record<string, string> = {};
  const values: Record<string, AttributeValue> = {};
  const body: Record<string, unknown> = {
    TableName: table.TableName,
    ReturnConsumedCapacity: "TOTAL",
  };
  if (question.index) body.IndexName = question.index;
  if (question.filterName) body.FilterExpression = filterOf(question, names, values);
  if (question.partition) {
    names["#p"] = keys.partition;
    values[":p"] = keyValue(keyTypeOf(table, keys.partition), question.partition);
    let condition = "#p = :p";
    if (question.sort && keys.sort) {
      names["#s"] = keys.sort;
      const type = keyTypeOf(table, keys.sort);
      values[":s"] = keyValue(type, question.sort);
      if (question.sortOperator === "between") {
        values[":t"] = keyValue(type, question.sortEnd);
        condition += " AND #s BETWEEN :s AND :t";
      } else if (question.sortOperator === "begins_with") condition += " AND begins_with(#s, :s)";
      else condition += ` AND #s ${question.sortOperator} :s`;
    }
    body.KeyConditionExpression = condition;
    if (question.isBackward) body.ScanIndexForward = false;
  }
  if (Object.keys(names).length > 0) body.ExpressionAttributeNames = names;
  if (Object.keys(values).length > 0) body.ExpressionAttributeValues = values;
  return { operation: question.partition ? "Query" : "Scan", body };
}
