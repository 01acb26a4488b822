// DynamoDB's values in the browser. A number is always a text here: JavaScript's own numbers cannot
// hold what DynamoDB's can.

export type AttributeValue =
  | { S: string }
  | { N: string }
  | { B: string }
  | { BOOL: boolean }
  | { NULL: true }
  | { SS: string[] }
  | { NS: string[] }
  | { BS: string[] }
  | { L: AttributeValue[] }
  | { M: Item };

export type Item = Record<string, AttributeValue>;

export const typeOf = (value: AttributeValue) => Object.keys(value)[0] ?? "";
export const contentOf = (value: AttributeValue): unknown => Object.values(value)[0];

// A set has no order, so its texts are compared in one.
function canonical(value: AttributeValue): unknown {
  const [type, content] = Object.entries(value)[0] ?? ["", ""];
  if (type === "SS" || type === "NS" || type === "BS")
    return [type, [...(content as string[])].sort()];
  if (type === "L") return [type, (content as AttributeValue[]).map(canonical)];
  if (type === "M") {
    const members = Object.entries(content as Item).sort(([a], [b]) => (a < b ? -1 : 1));
    return [type, members.map(([name, member]) => [name, canonical(member)])];
  }
  return [type, content];
}

export const isEqual = (a: AttributeValue | undefined, b: AttributeValue | undefined) =>
  a === b ||
  (a !== undefined &&
    b !== undefined &&
    JSON.stringify(canonical(a)) === JSON.stringify(canonical(b)));

export interface Change {
  name: string;
  before?: AttributeValue;
  after?: AttributeValue;
}

/** What differs, attribute by attribute. */
export function changesBetween(before: Item, after: Item): Change[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names
    .map((name) => ({ name, before: own(before, name), after: own(after, name) }))
    .filter((change) => !isEqual(change.before, change.after));
}

/** An attribute, whatever it is called. */
export const own = (item: Item, name: string): AttributeValue | undefined =>
  Object.hasOwn(item, name) ? item[name] : undefined;

export const pick = (item: Item, names: string[]): Item =>
  Object.fromEntries(
    names.flatMap((name) =>
      Object.hasOwn(item, name) ? [[name, item[name] as AttributeValue]] : [],
    ),
  );

export const base64Bytes = (text: string) => Math.floor((text.replace(/=+$/, "").length * 3) / 4);

/** A value on one line, for people. */
export function shortText(value: AttributeValue): string {
  const content = contentOf(value);
  switch (typeOf(value)) {
    case "S":
    case "N":
      return String(content);
    case "BOOL":
      return content ? "true" : "false";
    case "NULL":
      return "null";
    case "B":
      return `${base64Bytes(content as string)} bytes ${(content as string).slice(0, 24)}`;
    case "SS":
    case "NS":
      return `{${(content as string[]).join(", ")}}`;
    case "BS":
      return `{${(content as string[]).map((text) => `${base64Bytes(text)} bytes`).join(", ")}}`;
    case "L":
      return `[${(content as AttributeValue[]).map(shortText).join(", ")}]`;
    default:
      return `{${Object.entries(content as Item)
        .map(([name, member]) => `${name}: ${shortText(member)}`)
        .join(", ")}}`;
  }
}

// The order of keys: strings by their UTF-8 bytes, which is that of their code points.
export function compareText(a: string, b: string): number {
  const left = [...a];
  const right = [...b];
  for (let i = 0; i < Math.min(left.length, right.length); i += 1) {
    const difference = (left[i]?.codePointAt(0) ?? 0) - (right[i]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

// Digits and a power of ten: "-12.50" is -1250 e-2.
function decimalOf(text: string): { digits: bigint; exponent: number } {
  const [, sign = "", whole = "", part = "", power = "0"] =
    /^([-+]?)(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d+))?$/.exec(text.trim()) ?? [];
  return {
    digits: BigInt(`${sign === "-" ? "-" : ""}${whole}${part || ""}` || "0"),
    exponent: Number(power) - (part ?? "").length,
  };
}

export function compareNumbers(a: string, b: string): number {
  const left = decimalOf(a);
  const right = decimalOf(b);
  const least = Math.min(left.exponent, right.exponent);
  const difference =
    left.digits * 10n ** BigInt(left.exponent - least) -
    right.digits * 10n ** BigInt(right.exponent - least);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

export function compareKeys(a: AttributeValue | undefined, b: AttributeValue | undefined): number {
  if (!a || !b) return Number(!!a) - Number(!!b);
  if ("N" in a && "N" in b) return compareNumbers(a.N, b.N);
  return compareText(String(contentOf(a)), String(contentOf(b)));
}

/** A value of a key's type out of a text that a person typed. */
export const keyValue = (type: string, text: string): AttributeValue =>
  type === "N" ? { N: text } : type === "B" ? { B: text } : { S: text };
