// Items as text in two forms: DynamoDB's own JSON, and plain JSON. What plain JSON has no form for
// is marked: {"$ss": [..]}, {"$ns": [..]}, {"$bs": [..]} are sets, {"$b": ".."} is binary in
// base64, {"$n": ".."} a number that JSON cannot write, {"$m": {..}} a map that would look like
// one of these.

import { type Exact, ExactNumber, parseExact, printExact } from "./exact_json";
import type { AttributeValue, Item } from "./values";

export type Form = "dynamodb" | "plain";

const numberText = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
const isMark = (name: string) => /^\$(ss|ns|bs|b|n|m)$/.test(name);

function toPlain(value: AttributeValue): Exact {
  const number = (text: string): Exact =>
    numberText.test(text) ? new ExactNumber(text) : new Map([["$n", text]]);
  if ("S" in value) return value.S;
  if ("N" in value) return number(value.N);
  if ("BOOL" in value) return value.BOOL;
  if ("NULL" in value) return null;
  if ("B" in value) return new Map([["$b", value.B]]);
  if ("SS" in value) return new Map<string, Exact>([["$ss", value.SS]]);
  if ("NS" in value) return new Map<string, Exact>([["$ns", value.NS.map(number)]]);
  if ("BS" in value) return new Map<string, Exact>([["$bs", value.BS]]);
  if ("L" in value) return value.L.map(toPlain);
  const members = new Map(Object.entries(value.M).map(([name, member]) => [name, toPlain(member)]));
  const only = members.size === 1 ? [...members.keys()][0] : undefined;
  return only !== undefined && isMark(only) ? new Map<string, Exact>([["$m", members]]) : members;
}

const needText = (value: Exact, what: string): string => {
  if (typeof value === "string") return value;
  throw new Error(`${what} must be texts`);
};

const numberOf = (value: Exact): string => {
  if (value instanceof ExactNumber) return value.text;
  if (value instanceof Map && value.size === 1 && value.has("$n"))
    return needText(value.get("$n") ?? null, "numbers in $n");
  throw new Error("the elements of $ns must be numbers");
};

function ofMark(mark: string, content: Exact): AttributeValue {
  const list = () => {
    if (Array.isArray(content)) return content;
    throw new Error(`${mark} must hold a list`);
  };
  switch (mark) {
    case "$b":
      return { B: needText(content, "bytes in $b") };
    case "$n":
      return { N: needText(content, "numbers in $n") };
    case "$ss":
      return { SS: list().map((element) => needText(element, "the elements of $ss")) };
    case "$ns":
      return { NS: list().map(numberOf) };
    case "$bs":
      return { BS: list().map((element) => needText(element, "the elements of $bs")) };
    default:
      if (!(content instanceof Map)) throw new Error("$m must hold an object");
      return { M: itemOf(content) };
  }
}

function ofPlain(value: Exact): AttributeValue {
  if (typeof value === "string") return { S: value };
  if (value instanceof ExactNumber) return { N: value.text };
  if (typeof value === "boolean") return { BOOL: value };
  if (value === null) return { NULL: true };
  if (Array.isArray(value)) return { L: value.map(ofPlain) };
  const [first] = value;
  if (first && value.size === 1 && isMark(first[0])) return ofMark(first[0], first[1]);
  return { M: itemOf(value) };
}

const itemOf = (members: Map<string, Exact>): Item =>
  Object.fromEntries([...members].map(([name, member]) => [name, ofPlain(member)]));

const types = new Set(["S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS", "L", "M"]);

// DynamoDB's JSON has its numbers in texts, so nothing in it needs a number of JavaScript's.
function ofDynamo(value: Exact, path: string): AttributeValue {
  const [only] = value instanceof Map ? value : [];
  if (!(value instanceof Map) || value.size !== 1 || !only || !types.has(only[0])) {
    throw new Error(`${path} must be an object with one type, such as {"S": "text"}`);
  }
  const [type, content] = only;
  if (type === "L" && Array.isArray(content)) {
    return { L: content.map((element, i) => ofDynamo(element, `${path}[${i}]`)) };
  }
  if (type === "M" && content instanceof Map) return { M: dynamoItem(content, `${path}.`) };
  if (type === "BOOL" && typeof content === "boolean") return { BOOL: content };
  if (type === "NULL" && content === true) return { NULL: true };
  const isText = typeof content === "string" && (type === "S" || type === "N" || type === "B");
  const isTexts =
    Array.isArray(content) && content.every((it) => typeof it === "string") && type.length === 2;
  if (isText || isTexts) return { [type]: content } as unknown as AttributeValue;
  throw new Error(
    `${path} is not a value of type ${type}${type === "N" ? ": numbers stand in quotes" : ""}`,
  );
}

const dynamoItem = (members: Map<string, Exact>, path: string): Item =>
  Object.fromEntries([...members].map(([name, member]) => [name, ofDynamo(member, path + name)]));

/** Throws a sentence when the text is no item. */
export function parseItem(text: string, form: Form): Item {
  const tree = parseExact(text);
  if (!(tree instanceof Map)) throw new Error("an item is an object");
  return form === "plain" ? itemOf(tree) : dynamoItem(tree, "");
}

const toExact = (value: unknown): Exact => {
  if (Array.isArray(value)) return value.map(toExact);
  if (typeof value === "object" && value !== null) {
    return new Map(Object.entries(value).map(([name, member]) => [name, toExact(member)]));
  }
  return value as Exact;
};

export function printItem(item: Item, form: Form): string {
  if (form === "dynamodb") return printExact(toExact(item));
  return printExact(new Map(Object.entries(item).map(([name, value]) => [name, toPlain(value)])));
}
