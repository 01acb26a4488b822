// What the studio asks of the server.

import { get, request } from "../shared/api";
import { type Exact, parseExact, printExact } from "./exact_json";
import type { AttributeValue, Item } from "./values";

const root = "/api/studio/v1";

const ask = <T>(path: string, body: object) => request<T>("POST", path, { body });

/** Runs an operation of DynamoDB. What is refused is a Problem with DynamoDB's own sentence. */
export async function dynamodb<T>(
  operation: string,
  body: object,
  signal?: AbortSignal,
): Promise<T> {
  const isStream = /Stream|Shard|Records/.test(operation);
  const target = `${isStream ? "DynamoDBStreams" : "DynamoDB"}_20120810.${operation}`;
  const reply = await request<T>("POST", `${root}/dynamodb`, {
    body,
    signal,
    headers: { "X-Amz-Target": target },
  });
  return reply.data;
}

export interface KeyElement {
  AttributeName: string;
  KeyType: "HASH" | "RANGE";
}

export interface IndexDescription {
  IndexName: string;
  KeySchema: KeyElement[];
  IndexStatus?: string;
  IndexSizeBytes?: number;
  ItemCount?: number;
  Projection: { ProjectionType: string; NonKeyAttributes?: string[] };
}

export interface TableDescription {
  TableName: string;
  TableStatus: string;
  KeySchema: KeyElement[];
  AttributeDefinitions: { AttributeName: string; AttributeType: string }[];
  ItemCount?: number;
  TableSizeBytes?: number;
  CreationDateTime?: number;
  BillingModeSummary?: { BillingMode: string };
  GlobalSecondaryIndexes?: IndexDescription[];
  LocalSecondaryIndexes?: IndexDescription[];
  StreamSpecification?: { StreamEnabled: boolean; StreamViewType?: string };
  LatestStreamArn?: string;
}

export interface TableInfo extends TableDescription {
  timeToLive?: string;
}

export interface Keys {
  partition: string;
  sort?: string;
}

export const keysOf = (schema: KeyElement[]): Keys => ({
  partition: schema.find((key) => key.KeyType === "HASH")?.AttributeName ?? "",
  sort: schema.find((key) => key.KeyType === "RANGE")?.AttributeName,
});

export const keyNames = (keys: Keys) =>
  keys.sort ? [keys.partition, keys.sort] : [keys.partition];

export const indexesOf = (table: TableDescription): IndexDescription[] => [
  ...(table.GlobalSecondaryIndexes ?? []),
  ...(table.LocalSecondaryIndexes ?? []),
];

export const keyTypeOf = (table: TableDescription, name: string) =>
  table.AttributeDefinitions.find((definition) => definition.AttributeName === name)
    ?.AttributeType ?? "S";

export async function listTables(signal?: AbortSignal): Promise<string[]> {
  const names: string[] = [];
  let start: string | undefined;
  do {
    const page: { TableNames: string[]; LastEvaluatedTableName?: string } = await dynamodb(
      "ListTables",
      start ? { ExclusiveStartTableName: start } : {},
      signal,
    );
    names.push(...page.TableNames);
    start = page.LastEvaluatedTableName;
  } while (start);
  return names;
}

export async function describeTable(name: string, signal?: AbortSignal): Promise<TableInfo> {
  const [{ Table }, ttl] = await Promise.all([
    dynamodb<{ Table: TableDescription }>("DescribeTable", { TableName: name }, signal),
    dynamodb<{ TimeToLiveDescription: { AttributeName?: string; TimeToLiveStatus: string } }>(
      "DescribeTimeToLive",
      { TableName: name },
      signal,
    ),
  ]);
  const { AttributeName, TimeToLiveStatus } = ttl.TimeToLiveDescription;
  return { ...Table, timeToLive: TimeToLiveStatus.startsWith("ENABL") ? AttributeName : undefined };
}

export interface Page {
  Items: Item[];
  Count: number;
  ScannedCount: number;
  LastEvaluatedKey?: Item;
  ConsumedCapacity?: { CapacityUnits: number };
}

export interface DesignSummary {
  name: string;
  table: string;
  version: number;
  entities: number;
  accesses: number;
}

export interface KeyText {
  partitionKey: string;
  sortKey?: string;
  when?: string;
}

export interface Kind {
  name: string;
  tag?: string;
  line: number;
  mirrorOf?: string;
  keys: KeyText[];
  indexes: (KeyText & { index: string })[];
  attributes: {
    name: string;
    type: string;
    values?: string[];
    optional?: true;
    inKey?: true;
    derived?: true;
  }[];
  relations: { parent: string; onDelete: string; by: string[] }[];
}

export interface Parameter {
  name: string;
  type: string;
  values?: string[];
  optional?: true;
}

export interface Access {
  name: string;
  line: number;
  action: string;
  reads: boolean;
  many: boolean;
  results: string[];
  parameters: Parameter[];
  index?: string;
  partitionKey?: string;
  sortKey?: string;
  filter?: string;
  merge?: string;
  order?: string;
}

export interface Design {
  name: string;
  version: number;
  table: {
    name: string;
    partitionKey: string;
    sortKey?: string;
    discriminator?: string;
    lock?: string;
    timeToLive?: string;
    stream: string;
    indexes: { name: string; partitionKey: string; sortKey?: string }[];
  };
  entities: Kind[];
  accesses: Access[];
  operations: { name: string; parameters: Parameter[] }[];
  costs: {
    what: string;
    assumption: string;
    readUnits: number;
    writeUnits: number;
    remark?: string;
  }[];
}

export interface Diagnostic {
  severity: "error" | "warning";
  code: string;
  line: number;
  column: number;
  message: string;
  suggestion?: string;
}

export interface AccessRun {
  items: Map<string, Exact>[];
  nextCursor?: string;
  requests?: { operation: string; json: string; command: string }[];
  remark?: string;
  requestCount: number;
  itemsRead: number;
  readUnits: number;
  durationUs: number;
}

const named = (name: string) => encodeURIComponent(name);

export const listDesigns = async (signal?: AbortSignal) =>
  (await get<{ items: DesignSummary[] }>(`${root}/designs`, { signal })).data.items;
export const getDesign = async (name: string, signal?: AbortSignal) =>
  (await get<{ text: string; design: Design }>(`${root}/designs/${named(name)}`, { signal })).data;
export const checkDesign = async (text: string, signal?: AbortSignal) =>
  (
    await request<{ diagnostics: Diagnostic[]; design?: Design }>("POST", `${root}/designs/check`, {
      body: { text },
      signal,
    })
  ).data;
export const applyDesign = async (text: string) =>
  (
    await ask<{ table: string; changes: string[]; refusals: string[]; notInForce: string[] }>(
      `${root}/designs/apply`,
      { text },
    )
  ).data;

// The items' numbers are exact, so they do not go through JavaScript's.
function parseRun(text: string): AccessRun {
  const tree = parseExact(text) as Map<string, Exact>;
  const items = (tree.get("items") as Map<string, Exact>[] | undefined) ?? [];
  tree.delete("items");
  return { ...(JSON.parse(printExact(tree)) as Omit<AccessRun, "items">), items };
}

export const runAccess = async (design: string, access: string, body: object) =>
  (
    await request<AccessRun>("POST", `${root}/designs/${named(design)}/access/${named(access)}`, {
      body,
      parse: parseRun,
    })
  ).data;

/** What items are to a design: a kind's name, "~" for the run time's own, null for unknown ones. */
export async function recognise(design: string, items: Item[]): Promise<(string | null)[]> {
  const kinds: (string | null)[] = [];
  for (const part of portionsOf(items)) {
    const { data } = await ask<{ kinds: (string | null)[] }>(
      `${root}/designs/${named(design)}/recognise`,
      { items: part },
    );
    kinds.push(...data.kinds);
  }
  return kinds;
}

// A request may have 1 MB.
function portionsOf(items: Item[]): Item[][] {
  const portions: Item[][] = [];
  let size = Infinity;
  for (const item of items) {
    const length = JSON.stringify(item).length * 2;
    if (size + length > 900_000) {
      portions.push([]);
      size = 0;
    }
    portions.at(-1)?.push(item);
    size += length;
  }
  return portions;
}

/** Every text of a key may be a number or binary. */
export const keyText = (value: AttributeValue | undefined): string =>
  value ? String(Object.values(value)[0]) : "";
