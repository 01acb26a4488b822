// Writes that never overwrite what somebody else has written meanwhile.

import { Problem } from "../shared/api";
import { dynamodb, keyNames, keysOf, type TableInfo } from "./server";
import { type AttributeValue, changesBetween, type Item, own, pick } from "./values";

/** The item is not what it was when it was read; `current` is what it is now, if it is there. */
export class Conflict extends Error {
  constructor(readonly current: Item | undefined) {
    super("the item has been changed by somebody else");
  }
}

// An expression may have 300 operands; an item with more is guarded by what changes.
const guardedMax = 100;

async function guarded<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Problem && error.code === "ConditionalCheckFailedException") {
      throw new Conflict((error.body as { Item?: Item }).Item);
    }
    throw error;
  }
}

export async function createItem(table: TableInfo, item: Item): Promise<void> {
  await guarded(() =>
    dynamodb("PutItem", {
      TableName: table.TableName,
      Item: item,
      ConditionExpression: "attribute_not_exists(#k)",
      ExpressionAttributeNames: { "#k": keysOf(table.KeySchema).partition },
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    }),
  );
}

/** Changes what differs, if the item still is what `before` says. */
export async function updateItem(table: TableInfo, before: Item, after: Item): Promise<void> {
  const keys = keyNames(keysOf(table.KeySchema));
  const changes = changesBetween(before, after);
  const names: Record<string, string> = {};
  const values: Record<string, AttributeValue> = {};
  const alias = (name: string) => {
    const at = `#a${Object.keys(names).length}`;
    names[at] = name;
    return at;
  };
  const value = (content: AttributeValue) => {
    const at = `:v${Object.keys(values).length}`;
    values[at] = content;
    return at;
  };
  const set: string[] = [];
  const drop: string[] = [];
  const conditions: string[] = [];
  const all = Object.keys(before).filter((name) => !keys.includes(name));
  const checked = all.length <= guardedMax ? all : changes.map((change) => change.name);
  const byName = new Map<string, string>();
  const named = (name: string) => {
    if (!byName.has(name)) byName.set(name, alias(name));
    return byName.get(name) ?? "";
  };
  conditions.push(`attribute_exists(${named(keys[0] ?? "")})`);
  for (const name of new Set([...checked, ...changes.map((change) => change.name)])) {
    const old = own(before, name);
    conditions.push(
      old ? `${named(name)} = ${value(old)}` : `attribute_not_exists(${named(name)})`,
    );
  }
  for (const change of changes) {
    if (change.after) set.push(`${named(change.name)} = ${value(change.after)}`);
    else drop.push(named(change.name));
  }
  const update = [
    set.length > 0 ? `SET ${set.join(", ")}` : "",
    drop.length > 0 ? `REMOVE ${drop.join(", ")}` : "",
  ];
  await guarded(() =>
    dynamodb("UpdateItem", {
      TableName: table.TableName,
      Key: pick(before, keys),
      UpdateExpression: update.filter(Boolean).join(" "),
      ConditionExpression: conditions.join(" AND "),
      ExpressionAttributeNames: names,
      ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    }),
  );
}

/** The item as it was. */
export async function deleteItem(table: TableInfo, item: Item): Promise<Item | undefined> {
  const { Attributes } = await dynamodb<{ Attributes?: Item }>("DeleteItem", {
    TableName: table.TableName,
    Key: pick(item, keyNames(keysOf(table.KeySchema))),
    ReturnValues: "ALL_OLD",
  });
  return Attributes;
}

export async function readItem(
  table: TableInfo,
  key: Item,
  signal?: AbortSignal,
): Promise<Item | undefined> {
  const { Item } = await dynamodb<{ Item?: Item }>(
    "GetItem",
    { TableName: table.TableName, Key: key, ConsistentRead: true },
    signal,
  );
  return Item;
}
