// JSON that keeps numbers as they are written, and the order and names of members.

export class ExactNumber {
  constructor(readonly text: string) {}
}

export type Exact = string | boolean | null | ExactNumber | Exact[] | Map<string, Exact>;

/** Says what is wrong and where, counted from 1. */
export class JsonProblem extends Error {
  constructor(
    message: string,
    readonly line: number,
    readonly column: number,
  ) {
    super(`line ${line}, column ${column}: ${message}`);
  }
}

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const stringPattern = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;

export function parseExact(text: string): Exact {
  let at = 0;
  const fail = (message: string): never => {
    const lines = text.slice(0, at).split("\n");
    throw new JsonProblem(message, lines.length, (lines.at(-1)?.length ?? 0) + 1);
  };
  const skip = () => {
    while (at < text.length && " \t\n\r".includes(text[at] ?? "")) at += 1;
  };
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  const expect = (character: string) => {
    skip();
    if (text[at] !== character) fail(`expected ${character}`);
    at += 1;
  };
  const string = (): string => {
    const found = take(stringPattern);
    return found === undefined
      ? fail("expected a text in double quotes")
      : (JSON.parse(found) as string);
  };
  const list = (): Exact[] => {
    const out: Exact[] = [];
    at += 1;
    skip();
    if (text[at] === "]") {
      at += 1;
      return out;
    }
    for (;;) {
      out.push(value());
      skip();
      if (text[at] === ",") at += 1;
      else break;
    }
    expect("]");
    return out;
  };
  const object = (): Map<string, Exact> => {
    const out = new Map<string, Exact>();
    at += 1;
    skip();
    if (text[at] === "}") {
      at += 1;
      return out;
    }
    for (;;) {
      skip();
      const name = string();
      if (out.has(name)) fail(`the name ${JSON.stringify(name)} stands twice`);
      expect(":");
      out.set(name, value());
      skip();
      if (text[at] === ",") at += 1;
      else break;
    }
    expect("}");
    return out;
  };
  const value = (): Exact => {
    skip();
    const next = text[at];
    if (next === "{") return object();
    if (next === "[") return list();
    if (next === '"') return string();
    const word = take(/true|false|null/y);
    if (word) return word === "null" ? null : word === "true";
    const number = take(numberPattern);
    return number === undefined ? fail("expected a value") : new ExactNumber(number);
  };
  const out = value();
  skip();
  if (at < text.length) fail("expected the end");
  return out;
}

export function printExact(value: Exact, indent = ""): string {
  const inner = `${indent}  `;
  if (value instanceof ExactNumber) return value.text;
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    if (
      value.every(
        (element) =>
          typeof element !== "object" || element instanceof ExactNumber || element === null,
      )
    ) {
      const line = `[${value.map((element) => printExact(element)).join(", ")}]`;
      if (line.length <= 80) return line;
    }
    const elements = value.map((element) => inner + printExact(element, inner));
    return `[\n${elements.join(",\n")}\n${indent}]`;
  }
  if (value instanceof Map) {
    if (value.size === 0) return "{}";
    const members = [...value].map(
      ([name, member]) => `${inner}${JSON.stringify(name)}: ${printExact(member, inner)}`,
    );
    const flat = [...value].map(
      ([name, member]) => `${JSON.stringify(name)}: ${printExact(member)}`,
    );
    const line = `{ ${flat.join(", ")} }`;
    const isFlat = value.size === 1 && !line.includes("\n") && line.length <= 80;
    return isFlat && indent !== "" ? line : `{\n${members.join(",\n")}\n${indent}}`;
  }
  return JSON.stringify(value);
}
