// The JavaScript SDK v3: what Debian's boto3 cannot send, and the document client.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";

import {
  BatchWriteItemCommand,
  ConditionalCheckFailedException,
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DuplicateItemException,
  DynamoDBClient,
  GetItemCommand,
  GetResourcePolicyCommand,
  ListTagsOfResourceCommand,
  PutItemCommand,
  ResourceInUseException,
  ResourceNotFoundException,
  TagResourceCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
  UntagResourceCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
  waitUntilTableNotExists,
} from "@aws-sdk/client-dynamodb";
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
  ResourceNotFoundException as StreamNotFoundException,
} from "@aws-sdk/client-dynamodb-streams";
import {
  BatchExecuteStatementCommand,
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  ExecuteStatementCommand,
  ExecuteTransactionCommand,
  GetCommand,
  paginateQuery,
  paginateScan,
  PutCommand,
  QueryCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";

const connection = {
  endpoint: process.env.DYNAMODB_ENDPOINT,
  region: "us-east-1",
  credentials: { accessKeyId: "local", secretAccessKey: "local" },
  maxAttempts: 1,
};
const client = new DynamoDBClient(connection);
const streams = new DynamoDBStreamsClient(connection);
const documents = DynamoDBDocumentClient.from(client, {
  marshallOptions: { removeUndefinedValues: true },
});

const attribute = (name, type = "S") => ({ AttributeName: name, AttributeType: type });
const hash = (name) => ({ AttributeName: name, KeyType: "HASH" });
const range = (name) => ({ AttributeName: name, KeyType: "RANGE" });

// A table with a local and a global index; `more` adds to its definition.
async function makeTable(more = {}) {
  const TableName = `js-${randomUUID()}`;
  await client.send(
    new CreateTableCommand({
      TableName,
      KeySchema: [hash("pk"), range("sk")],
      AttributeDefinitions: [
        attribute("pk"),
        attribute("sk"),
        attribute("kind"),
        attribute("score", "N"),
      ],
      LocalSecondaryIndexes: [
        {
          IndexName: "by-score",
          KeySchema: [hash("pk"), range("score")],
          Projection: { ProjectionType: "ALL" },
        },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: "by-kind",
          KeySchema: [hash("kind"), range("score")],
          Projection: { ProjectionType: "KEYS_ONLY" },
        },
      ],
      BillingMode: "PAY_PER_REQUEST",
      ...more,
    }),
  );
  await active(TableName);
  return TableName;
}

const active = (TableName) =>
  waitUntilTableExists({ client, maxWaitTime: 30, minDelay: 1 }, { TableName });

async function dropTable(TableName) {
  await client.send(new DeleteTableCommand({ TableName }));
  await waitUntilTableNotExists({ client, maxWaitTime: 30, minDelay: 1 }, { TableName });
}

const described = async (TableName) =>
  (await client.send(new DescribeTableCommand({ TableName }))).Table;

describe("streams", () => {
  let TableName, StreamArn;
  before(async () => {
    TableName = await makeTable({
      StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_IMAGE" },
    });
    StreamArn = (await described(TableName)).LatestStreamArn;
  });
  after(() => dropTable(TableName));

  const shards = async (more = {}) => {
    const command = new DescribeStreamCommand({ StreamArn, ...more });
    return (await streams.send(command)).StreamDescription.Shards;
  };

  test("changes are read from a shard", async () => {
    const [{ ShardId }] = await shards();
    const { ShardIterator: latest } = await streams.send(
      new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType: "LATEST" }),
    );
    await documents.send(new PutCommand({ TableName, Item: { pk: "a", sk: "1", n: 1 } }));
    await documents.send(new DeleteCommand({ TableName, Key: { pk: "a", sk: "1" } }));
    const page = await streams.send(new GetRecordsCommand({ ShardIterator: latest }));
    assert.deepEqual(
      page.Records.map(({ eventName, dynamodb }) => [eventName, dynamodb.NewImage]),
      [
        ["INSERT", { pk: { S: "a" }, sk: { S: "1" }, n: { N: "1" } }],
        ["REMOVE", undefined],
      ],
    );
    assert.ok(page.Records[0].dynamodb.ApproximateCreationDateTime instanceof Date);
    const rest = await streams.send(
      new GetRecordsCommand({ ShardIterator: page.NextShardIterator }),
    );
    assert.deepEqual(rest.Records, []);
  });

  test("the children of a shard are asked for", async () => {
    const [{ ShardId }] = await shards();
    assert.deepEqual(await shards({ ShardFilter: { Type: "CHILD_SHARDS", ShardId } }), []);
  });

  test("a stream is listed, and another one is not found", async () => {
    const { Streams } = await streams.send(new ListStreamsCommand({ TableName }));
    assert.deepEqual(Streams.map((stream) => stream.StreamArn), [StreamArn]);
    const absent = StreamArn.replace(/[^/]*$/, "2020-01-01T00:00:00.000");
    const command = new DescribeStreamCommand({ StreamArn: absent });
    await assert.rejects(streams.send(command), StreamNotFoundException);
  });
});

describe("tables", () => {
  test("a table is described as it was made", async () => {
    const name = await makeTable();
    const table = await described(name);
    assert.equal(table.TableStatus, "ACTIVE");
    assert.deepEqual(table.KeySchema, [hash("pk"), range("sk")]);
    assert.deepEqual(table.LocalSecondaryIndexes[0].Projection, { ProjectionType: "ALL" });
    assert.equal(table.GlobalSecondaryIndexes[0].IndexStatus, "ACTIVE");
    assert.ok(table.CreationDateTime instanceof Date);
    await dropTable(name);
    await assert.rejects(described(name), ResourceNotFoundException);
  });

  test("a second table of the name is refused", async () => {
    const TableName = await makeTable();
    const again = new CreateTableCommand({
      TableName,
      KeySchema: [hash("pk")],
      AttributeDefinitions: [attribute("pk")],
      BillingMode: "PAY_PER_REQUEST",
    });
    await assert.rejects(client.send(again), ResourceInUseException);
    await dropTable(TableName);
  });

  test("deletion protection refuses DeleteTable until it is switched off", async () => {
    const TableName = await makeTable({ DeletionProtectionEnabled: true });
    assert.equal((await described(TableName)).DeletionProtectionEnabled, true);
    await assert.rejects(client.send(new DeleteTableCommand({ TableName })), {
      name: "ValidationException",
      message:
        "Resource cannot be deleted as it is currently protected against deletion. " +
        "Disable deletion protection first.",
    });
    await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: false }));
    await active(TableName);
    assert.equal((await described(TableName)).DeletionProtectionEnabled, false);
    await dropTable(TableName);
  });

  test("on-demand maxima and warm throughput are kept", async () => {
    const TableName = await makeTable({
      OnDemandThroughput: { MaxReadRequestUnits: 50, MaxWriteRequestUnits: 20 },
      WarmThroughput: { ReadUnitsPerSecond: 15000, WriteUnitsPerSecond: 5000 },
    });
    const table = await described(TableName);
    assert.deepEqual(table.OnDemandThroughput, {
      MaxReadRequestUnits: 50,
      MaxWriteRequestUnits: 20,
    });
    assert.equal(table.WarmThroughput.ReadUnitsPerSecond, 15000);
    assert.equal(table.WarmThroughput.WriteUnitsPerSecond, 5000);
    await dropTable(TableName);
  });

  test("a table class is kept", async () => {
    const TableName = await makeTable({ TableClass: "STANDARD_INFREQUENT_ACCESS" });
    const { TableClass } = (await described(TableName)).TableClassSummary;
    assert.equal(TableClass, "STANDARD_INFREQUENT_ACCESS");
    await dropTable(TableName);
  });

  test("a global index is added to a table with items, and removed", async () => {
    const TableName = await makeTable();
    for (let i = 0; i < 30; i++) {
      const Item = { pk: "a", sk: `${i}`, lot: i % 2 };
      await documents.send(new PutCommand({ TableName, Item }));
    }
    await client.send(
      new UpdateTableCommand({
        TableName,
        AttributeDefinitions: [attribute("lot", "N")],
        GlobalSecondaryIndexUpdates: [
          {
            Create: {
              IndexName: "by-lot",
              KeySchema: [hash("lot")],
              Projection: { ProjectionType: "ALL" },
            },
          },
        ],
      }),
    );
    await indexActive(TableName, "by-lot");
    const query = {
      TableName,
      IndexName: "by-lot",
      KeyConditionExpression: "lot = :l",
      ExpressionAttributeValues: { ":l": 1 },
    };
    assert.equal((await documents.send(new QueryCommand(query))).Count, 15);
    await client.send(
      new UpdateTableCommand({
        TableName,
        GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: "by-lot" } }],
      }),
    );
    await indexGone(TableName, "by-lot");
    await assert.rejects(documents.send(new QueryCommand(query)), { name: "ValidationException" });
    await dropTable(TableName);
  });

  test("a global index has a key of several attributes", async () => {
    const TableName = `js-${randomUUID()}`;
    await client.send(
      new CreateTableCommand({
        TableName,
        KeySchema: [hash("pk")],
        AttributeDefinitions: [
          attribute("pk"),
          attribute("country"),
          attribute("city"),
          attribute("year", "N"),
          attribute("name"),
        ],
        GlobalSecondaryIndexes: [
          {
            IndexName: "by-place",
            KeySchema: [hash("country"), hash("city"), range("year"), range("name")],
            Projection: { ProjectionType: "ALL" },
          },
        ],
        BillingMode: "PAY_PER_REQUEST",
      }),
    );
    await active(TableName);
    const places = [
      ["1", "no", "oslo", 2001, "b"],
      ["2", "no", "oslo", 2001, "a"],
      ["3", "no", "oslo", 1999, "c"],
      ["4", "no", "bergen", 2001, "d"],
    ];
    for (const [pk, country, city, year, name] of places) {
      await documents.send(new PutCommand({ TableName, Item: { pk, country, city, year, name } }));
    }
    const { Items } = await documents.send(
      new QueryCommand({
        TableName,
        IndexName: "by-place",
        KeyConditionExpression: "country = :c AND city = :t AND #y = :y",
        ExpressionAttributeNames: { "#y": "year" },
        ExpressionAttributeValues: { ":c": "no", ":t": "oslo", ":y": 2001 },
      }),
    );
    assert.deepEqual(Items.map((item) => item.pk), ["2", "1"]);
    await dropTable(TableName);
  });
});

async function indexes(TableName) {
  return (await described(TableName)).GlobalSecondaryIndexes ?? [];
}

async function until(condition) {
  for (let i = 0; i < 300; i++) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail("not within 30 seconds");
}

const indexActive = (TableName, name) =>
  until(async () =>
    (await indexes(TableName)).some((i) => i.IndexName === name && i.IndexStatus === "ACTIVE"),
  );

const indexGone = (TableName, name) =>
  until(async () => (await indexes(TableName)).every((i) => i.IndexName !== name));

describe("items", () => {
  let TableName;
  before(async () => (TableName = await makeTable()));
  after(() => dropTable(TableName));

  const put = (Item, more = {}) => documents.send(new PutCommand({ TableName, Item, ...more }));
  const get = async (Key) =>
    (await documents.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item;

  test("all ten types come back as they went", async () => {
    const Item = {
      pk: { S: "types" },
      sk: { S: "é" },
      n: { N: "-1.5E+10" },
      b: { B: new Uint8Array([0, 255]) },
      yes: { BOOL: true },
      nothing: { NULL: true },
      list: { L: [{ S: "" }, { L: [] }, { M: {} }] },
      map: { M: { inner: { N: "0" } } },
      strings: { SS: ["a"] },
      numbers: { NS: ["3"] },
      binaries: { BS: [new Uint8Array([1])] },
    };
    await client.send(new PutItemCommand({ TableName, Item }));
    const Key = { pk: Item.pk, sk: Item.sk };
    const answer = await client.send(new GetItemCommand({ TableName, Key }));
    assert.deepEqual(answer.Item, { ...Item, n: { N: "-15000000000" } });
  });

  test("the document client's sets come back as sets", async () => {
    const item = { pk: "d", sk: "1", tags: new Set(["a", "b"]), deep: [{ x: [null, true, 1.5] }] };
    await put(item);
    assert.deepEqual(await get({ pk: "d", sk: "1" }), item);
  });

  test("a failed condition brings the item when asked", async () => {
    await put({ pk: "c", sk: "1", n: 1 });
    const request = { ConditionExpression: "attribute_not_exists(pk)" };
    const again = () => put({ pk: "c", sk: "1", n: 2 }, request);
    await assert.rejects(again(), (error) => {
      assert.ok(error instanceof ConditionalCheckFailedException);
      assert.equal(error.message, "The conditional request failed");
      assert.equal(error.Item, undefined);
      return true;
    });
    request.ReturnValuesOnConditionCheckFailure = "ALL_OLD";
    const withItem = (error) => {
      assert.ok(error instanceof ConditionalCheckFailedException);
      assert.deepEqual(error.Item, { pk: { S: "c" }, sk: { S: "1" }, n: { N: "1" } });
      return true;
    };
    await assert.rejects(again(), withItem);
    const Key = { pk: "c", sk: "1" };
    const remove = new DeleteCommand({ TableName, Key, ...request });
    await assert.rejects(documents.send(remove), withItem);
    await assert.rejects(
      documents.send(
        new UpdateCommand({
          TableName,
          Key,
          UpdateExpression: "SET n = :n",
          ExpressionAttributeValues: { ":n": 2 },
          ...request,
        }),
      ),
      withItem,
    );
    assert.equal((await get(Key)).n, 1);
  });

  test("an update counts and returns what changed", async () => {
    const update = new UpdateCommand({
      TableName,
      Key: { pk: "u", sk: "1" },
      UpdateExpression:
        "ADD visits :one SET readers = list_append(if_not_exists(readers, :none), :ann)",
      ExpressionAttributeValues: { ":one": 1, ":none": [], ":ann": ["ann"] },
      ReturnValues: "UPDATED_NEW",
    });
    await documents.send(update);
    const { Attributes } = await documents.send(update);
    assert.deepEqual(Attributes, { visits: 2, readers: ["ann", "ann"] });
  });

  test("errors have their names", async () => {
    await assert.rejects(get({ pk: "half" }), { name: "ValidationException" });
    await assert.rejects(
      documents.send(new GetCommand({ TableName: "absent", Key: { pk: "1", sk: "1" } })),
      { name: "ResourceNotFoundException", message: "Requested resource not found" },
    );
    await assert.rejects(put({ pk: "k", sk: "1", big: "x".repeat(409_600) }), {
      name: "ValidationException",
      message: "Item size has exceeded the maximum allowed size",
    });
  });

  test("thirty items by two batches, read by pages", async () => {
    const items = Array.from({ length: 30 }, (_, i) => ({
      pk: "batch",
      sk: String(i).padStart(2, "0"),
      kind: "batch",
      score: 100 - i,
    }));
    const puts = items.map((Item) => ({ PutRequest: { Item } }));
    for (const lot of [puts.slice(0, 25), puts.slice(25)]) {
      await documents.send(new BatchWriteCommand({ RequestItems: { [TableName]: lot } }));
    }
    const keys = items.map(({ pk, sk }) => ({ pk, sk }));
    const got = await documents.send(
      new BatchGetCommand({ RequestItems: { [TableName]: { Keys: keys } } }),
    );
    assert.equal(got.Responses[TableName].length, 30);

    const pages = [];
    const query = {
      TableName,
      KeyConditionExpression: "pk = :p",
      ExpressionAttributeValues: { ":p": "batch" },
    };
    // A copy: the paginator leaves its start key in the request.
    for await (const page of paginateQuery({ client: documents, pageSize: 8 }, { ...query })) {
      pages.push(page.Items.map((item) => item.sk));
    }
    assert.deepEqual(pages.map((page) => page.length), [8, 8, 8, 6]);
    assert.deepEqual(pages.flat(), keys.map((key) => key.sk));

    const byScore = await documents.send(
      new QueryCommand({ ...query, IndexName: "by-score", Limit: 2 }),
    );
    assert.deepEqual(byScore.Items, [items[29], items[28]]);
    const byKind = await documents.send(
      new QueryCommand({
        TableName,
        IndexName: "by-kind",
        KeyConditionExpression: "kind = :k AND score > :s",
        ExpressionAttributeValues: { ":k": "batch", ":s": 98 },
        ScanIndexForward: false,
      }),
    );
    assert.deepEqual(byKind.Items, [items[0], items[1]]);

    let scanned = 0;
    for (const Segment of [0, 1, 2]) {
      const scan = { TableName, Segment, TotalSegments: 3, IndexName: "by-kind" };
      for await (const page of paginateScan({ client: documents, pageSize: 5 }, scan)) {
        scanned += page.Count;
      }
    }
    assert.equal(scanned, 30);
  });

  test("twenty-six writes are one too many", async () => {
    const puts = Array.from({ length: 26 }, (_, i) => ({
      PutRequest: { Item: { pk: { S: "many" }, sk: { S: `${i}` } } },
    }));
    const request = new BatchWriteItemCommand({ RequestItems: { [TableName]: puts } });
    await assert.rejects(client.send(request), { name: "ValidationException" });
  });

  test("a cancelled transaction says why for each action", async () => {
    await put({ pk: "t", sk: "1", n: 1 });
    const request = new TransactWriteItemsCommand({
      TransactItems: [
        { Put: { TableName, Item: { pk: { S: "t" }, sk: { S: "2" } } } },
        {
          ConditionCheck: {
            TableName,
            Key: { pk: { S: "t" }, sk: { S: "1" } },
            ConditionExpression: "n = :two",
            ExpressionAttributeValues: { ":two": { N: "2" } },
            ReturnValuesOnConditionCheckFailure: "ALL_OLD",
          },
        },
      ],
    });
    await assert.rejects(client.send(request), (error) => {
      assert.ok(error instanceof TransactionCanceledException);
      assert.deepEqual(error.CancellationReasons, [
        { Code: "None" },
        {
          Code: "ConditionalCheckFailed",
          Message: "The conditional request failed",
          Item: { pk: { S: "t" }, sk: { S: "1" }, n: { N: "1" } },
        },
      ]);
      return true;
    });
    assert.equal(await get({ pk: "t", sk: "2" }), undefined);
  });

  test("a token makes one effect, and is refused with another body", async () => {
    const add = (n) =>
      new TransactWriteCommand({
        ClientRequestToken: token,
        TransactItems: [
          {
            Update: {
              TableName,
              Key: { pk: "token", sk: "1" },
              UpdateExpression: "ADD n :n",
              ExpressionAttributeValues: { ":n": n },
            },
          },
        ],
      });
    const token = randomUUID();
    await documents.send(add(1));
    await documents.send(add(1));
    await assert.rejects(documents.send(add(2)), { name: "IdempotentParameterMismatchException" });
    const { Responses } = await documents.send(
      new TransactGetCommand({
        TransactItems: [{ Get: { TableName, Key: { pk: "token", sk: "1" } } }],
      }),
    );
    assert.deepEqual(Responses, [{ Item: { pk: "token", sk: "1", n: 1 } }]);
  });
});

describe("expiry and tags", () => {
  let TableName;
  before(async () => {
    TableName = await makeTable();
  });
  after(() => client.send(new DeleteTableCommand({ TableName })));

  test("an item goes when its time has come", async () => {
    const TimeToLiveSpecification = { AttributeName: "ends", Enabled: true };
    await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
    const described = await client.send(new DescribeTimeToLiveCommand({ TableName }));
    assert.deepEqual(described.TimeToLiveDescription, {
      AttributeName: "ends",
      TimeToLiveStatus: "ENABLED",
    });
    const Key = { pk: "expiring", sk: "1" };
    const Item = { ...Key, ends: Math.floor(Date.now() / 1000) - 60 };
    await documents.send(new PutCommand({ TableName, Item }));
    for (let i = 0; i < 200; i++) {
      if (!(await documents.send(new GetCommand({ TableName, Key }))).Item) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.fail("the item is still there");
  });

  test("tags come and go", async () => {
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    const ResourceArn = Table.TableArn;
    const Tags = [
      { Key: "team", Value: "red" },
      { Key: "gone", Value: "" },
    ];
    await client.send(new TagResourceCommand({ ResourceArn, Tags }));
    await client.send(new UntagResourceCommand({ ResourceArn, TagKeys: ["gone"] }));
    const listed = await client.send(new ListTagsOfResourceCommand({ ResourceArn }));
    assert.deepEqual(listed.Tags, [Tags[0]]);
    await assert.rejects(client.send(new GetResourcePolicyCommand({ ResourceArn })), {
      name: "PolicyNotFoundException",
    });
  });
});

describe("PartiQL", () => {
  let TableName;
  before(async () => {
    TableName = await makeTable();
  });
  after(() => dropTable(TableName));

  const run = async (Statement, Parameters, more = {}) =>
    (await documents.send(new ExecuteStatementCommand({ Statement, Parameters, ...more }))).Items;

  test("documents go in and out", async () => {
    const insert = `INSERT INTO "${TableName}" VALUE {'pk': ?, 'sk': ?, 'doc': ?}`;
    await run(insert, ["ql", "1", { list: [1, "two", null], flag: true }]);
    await assert.rejects(run(insert, ["ql", "1", {}]), DuplicateItemException);
    const select = `SELECT doc.list[1], doc.flag FROM "${TableName}" WHERE pk = ? AND sk = ?`;
    assert.deepEqual(await run(select, ["ql", "1"]), [{ "list[1]": "two", flag: true }]);
  });

  test("a failed condition brings its item", async () => {
    await run(`INSERT INTO "${TableName}" VALUE {'pk': 'c', 'sk': '1', 'n': 1}`);
    const update = `UPDATE "${TableName}" SET n = n + 1 WHERE pk = 'c' AND sk = '1' AND n = ?`;
    await assert.rejects(
      run(update, [7], { ReturnValuesOnConditionCheckFailure: "ALL_OLD" }),
      (error) => {
        assert.ok(error instanceof ConditionalCheckFailedException);
        assert.deepEqual(error.Item, { pk: { S: "c" }, sk: { S: "1" }, n: { N: "1" } });
        return true;
      },
    );
    const returned = await run(`${update} RETURNING MODIFIED NEW *`, [1]);
    assert.deepEqual(returned, [{ n: 2 }]);
  });

  test("a batch reports each statement, a transaction all or none", async () => {
    const insert = (sk) => ({
      Statement: `INSERT INTO "${TableName}" VALUE {'pk': 'b', 'sk': ?}`,
      Parameters: [sk],
    });
    const { Responses } = await documents.send(
      new BatchExecuteStatementCommand({ Statements: [insert("1"), { Statement: "NONSENSE" }] }),
    );
    assert.equal(Responses[0].Error, undefined);
    assert.equal(Responses[1].Error.Code, "ValidationError");
    await assert.rejects(
      documents.send(
        new ExecuteTransactionCommand({ TransactStatements: [insert("2"), insert("1")] }),
      ),
      TransactionCanceledException,
    );
    const items = await run(`SELECT sk FROM "${TableName}" WHERE pk = 'b'`);
    assert.deepEqual(items, [{ sk: "1" }]);
  });
});
