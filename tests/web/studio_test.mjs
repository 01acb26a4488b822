// The studio in a real browser: its flows clicked through, and every screen looked at.

import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { becomes, dynamodb, inspect, root, textOf, typeInto } from "./harness.mjs";
import { visit } from "./visit.mjs";

const payload = '<img src=x onerror="alert(1)"><script>alert(2)</script>';
const unknownKey = { pk: { S: payload }, sk: { S: payload } };

const design = (name) => path.join(root, name);

async function post(address, body) {
  const response = await fetch(server.web + address, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  assert.equal(response.status, 201, text);
  return JSON.parse(text);
}

// A shop with customers and orders, and an item that its design does not know.
async function fillShop() {
  for (const name of ["Ada", "Grace", payload]) {
    const { customerId } = await post("/api/Shop/v1/Customer", {
      email: `${name.slice(0, 5).replace(/\W/g, "x")}@example.com`,
      name: name.slice(0, 40),
    });
    for (let number = 1; number <= 4; number += 1) {
      const state = ["OPEN", "PAID"][number % 2];
      await post("/api/Shop/v1/Order", {
        customerId,
        number,
        state,
        total: 10 * number,
        lines: [payload.slice(0, 50)],
      });
    }
  }
  await dynamodb(server, "PutItem", {
    TableName: "Shop",
    Item: { pk: { S: payload }, sk: { S: payload }, note: { S: payload } },
  });
}

const { server, withPage } = visit("studio", {
  title: "Studio",
  flags: [
    "--design",
    design("tests/platform/shop.design"),
    "--design",
    design("src/apps/stories/stories.design"),
  ],
  ready: fillShop,
});

const everyType = {
  text: { S: 'Ünïcödé "quoted" 😀' },
  empty: { S: "" },
  big: { N: "12345678901234567890123456789.123456789" },
  tiny: { N: "0.000000000000000000000000000000000000000001" },
  bytes: { B: "AAECAwQFBgcICQ==" },
  yes: { BOOL: true },
  nothing: { NULL: true },
  texts: { SS: ["a", "b"] },
  numbers: { NS: ["-0.1", "9007199254740993"] },
  blobs: { BS: ["AA==", "AQ=="] },
  list: { L: [{ N: "9007199254740993" }, { M: { deep: { L: [] } } }] },
  map: { M: { $b: { S: "looks like a mark" } } },
};

const sorted = (item) =>
  JSON.stringify(Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))));

test("a table is made, filled, queried, edited and watched", async () => {
  await withPage({}, async (page) => {
    await page.goto(`${server.web}/studio`);
    await page.getByRole("row").filter({ hasText: "Shop" }).waitFor();
    await page.keyboard.press("n");
    await page.getByLabel("Name", { exact: true }).fill("Things");
    await page.getByLabel("Partition key").fill("PK");
    await page.getByLabel("Sort key", { exact: true }).fill("SK");
    await page.getByRole("button", { name: "Add an index" }).click();
    await page.getByLabel("Name of the index").fill("GSI1");
    await page.getByLabel("Partition key").nth(1).fill("kind");
    await page.getByLabel("Sort key", { exact: true }).nth(1).fill("rank");
    await page.getByLabel("Type of sort key").nth(1).selectOption("N");
    await page.getByLabel("Stream").selectOption("NEW_AND_OLD_IMAGES");
    await inspect(page, "create-table");
    await page.getByRole("button", { name: "Make table" }).click();
    await page.getByRole("heading", { name: "Things", level: 1 }).waitFor();
    await inspect(page, "items-empty");

    // Every type, in DynamoDB's JSON; looked at in plain; saved after a look at what differs.
    const item = {
      PK: { S: "a" },
      SK: { S: "1" },
      kind: { S: "k" },
      rank: { N: "7" },
      ...everyType,
    };
    await page.getByRole("button", { name: "New item" }).click();
    await page.locator(".cm-content").waitFor();
    await typeInto(page, "Item", JSON.stringify(item));
    await page.getByRole("button", { name: "Plain" }).click();
    await becomes(() => textOf(page, "Item"), /12345678901234567890123456789\.123456789/);
    await inspect(page, "item-plain");
    await page.getByRole("button", { name: "Review changes" }).click();
    await inspect(page, "item-review");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("The item is made").waitFor();
    const stored = await dynamodb(server, "GetItem", {
      TableName: "Things",
      Key: { PK: { S: "a" }, SK: { S: "1" } },
    });
    assert.equal(sorted(stored.Item), sorted(item));

    // Through an index.
    await dynamodb(server, "PutItem", {
      TableName: "Things",
      Item: { PK: { S: "b" }, SK: { S: "1" }, kind: { S: "k" }, rank: { N: "30" } },
    });
    await dynamodb(server, "PutItem", {
      TableName: "Things",
      Item: { PK: { S: "c" }, SK: { S: "1" } },
    });
    await page.getByLabel("Read", { exact: true }).selectOption("GSI1");
    await page.getByLabel("kind is").fill("k");
    await page.getByRole("combobox", { name: "rank" }).selectOption(">");
    await page.getByLabel("value", { exact: true }).fill("10");
    await page.getByRole("button", { name: "Show items" }).click();
    await page.getByText("1 item shown").waitFor();
    assert.match(page.url(), /index=GSI1/);
    await inspect(page, "items-query");

    // Edited while somebody else changes it: nothing is lost without being seen.
    await page.goto(`${server.web}/studio/tables/Things`);
    await page
      .getByRole("row")
      .filter({ hasText: "0123456789" })
      .or(page.getByRole("row").filter({ hasText: "Ünïcödé" }))
      .first()
      .click();
    await page.locator(".cm-content").waitFor();
    const edited = { ...item, text: { S: "mine" } };
    await typeInto(page, "Item", JSON.stringify(edited));
    await dynamodb(server, "UpdateItem", {
      TableName: "Things",
      Key: { PK: { S: "a" }, SK: { S: "1" } },
      UpdateExpression: "SET #e = :e",
      ExpressionAttributeNames: { "#e": "empty" },
      ExpressionAttributeValues: { ":e": { S: "theirs" } },
    });
    await page.getByRole("button", { name: "Review changes" }).click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Somebody else has changed this item").waitFor();
    await inspect(page, "item-conflict");
    const now = await dynamodb(server, "GetItem", {
      TableName: "Things",
      Key: { PK: { S: "a" }, SK: { S: "1" } },
    });
    assert.equal(now.Item.empty.S, "theirs");
    assert.equal(now.Item.text.S, everyType.text.S);
    await page.getByRole("button", { name: "Put my changes on theirs" }).click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("The item is saved").waitFor();
    const saved = await dynamodb(server, "GetItem", {
      TableName: "Things",
      Key: { PK: { S: "a" }, SK: { S: "1" } },
    });
    assert.equal(sorted(saved.Item), sorted({ ...edited, empty: { S: "theirs" } }));

    // Deleted, and brought back.
    await page.getByRole("row").filter({ hasText: "mine" }).click();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByText("The item is deleted").waitFor();
    const gone = await dynamodb(server, "GetItem", {
      TableName: "Things",
      Key: { PK: { S: "a" }, SK: { S: "1" } },
    });
    assert.equal(gone.Item, undefined);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("row").filter({ hasText: "mine" }).waitFor();
    const back = await dynamodb(server, "GetItem", {
      TableName: "Things",
      Key: { PK: { S: "a" }, SK: { S: "1" } },
    });
    assert.equal(sorted(back.Item), sorted(saved.Item));

    // Its changes, from the start and as they come.
    await page.getByRole("link", { name: "Stream", exact: true }).click();
    await page.getByText("Listening").waitFor();
    await page.getByLabel("From the oldest that is kept").check();
    await page.getByText("removed").first().waitFor();
    await dynamodb(server, "PutItem", {
      TableName: "Things",
      Item: { PK: { S: "live" }, SK: { S: payload } },
    });
    const change = page.getByRole("listitem").filter({ hasText: "live" });
    await change.waitFor();
    await change.locator("summary").click();
    await inspect(page, "stream");
  });
});

test("what the server refuses is said in its words", async () => {
  await withPage({}, async (page) => {
    await page.goto(`${server.web}/studio?create=form`);
    await page.getByLabel("Name", { exact: true }).fill("x");
    await page.getByLabel("Partition key").fill("PK");
    await page.getByRole("button", { name: "Make table" }).click();
    await page.getByText("Member must have length greater than or equal to 3").waitFor();
    await inspect(page, "create-table-refused");
    await page.goto(`${server.web}/studio/tables/Shop?item=new`);
    await page.locator(".cm-content").waitFor();
    await typeInto(page, "Item", '{"pk": {"S": "a"}, "sk": {"N": "1"}}');
    await page.getByRole("button", { name: "Review changes" }).click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Type mismatch for key sk").waitFor();
  });
});

test("a table is made from a design", async () => {
  await withPage({}, async (page) => {
    await page.goto(`${server.web}/studio?create=design`);
    await page.locator(".cm-content").waitFor();
    await inspect(page, "create-from-design");
    await page.getByRole("button", { name: "Make its table" }).click();
    await page.getByRole("heading", { name: "Example", level: 1 }).waitFor();
    const { Table } = await dynamodb(server, "DescribeTable", { TableName: "Example" });
    assert.equal(Table.StreamSpecification.StreamViewType, "NEW_AND_OLD_IMAGES");
  });
});

test("an access pattern runs on live data and shows its cost", async () => {
  await withPage({}, async (page) => {
    await page.goto(`${server.web}/studio/access/Shop`);
    await page.getByRole("table").getByRole("link", { name: "ordersInState" }).click();
    await page.getByLabel("state", { exact: true }).selectOption("OPEN");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    const result = page.getByRole("region", { name: "Result" });
    await result.getByText("3 items").first().waitFor();
    await result.getByText("0.5 read units").waitFor();
    await result.getByText("STATE#OPEN").waitFor();
    await result.getByText("KeyConditionExpression").first().waitFor();
    await inspect(page, "access-run");
    // What was asked is in the address.
    await page.reload();
    await result.getByText("3 items").first().waitFor();
    await page.getByRole("button", { name: "Next page" }).click();
    await page.getByRole("link", { name: "getCustomer" }).first().click();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.locator(".field-error").waitFor();
    await inspect(page, "access-refused");
  });
});

test("the single-table view tells kinds apart, under every index", async () => {
  await withPage({}, async (page) => {
    await page.goto(`${server.web}/studio/view/Shop`);
    await page.getByText("item collections of 16 items read").waitFor();
    await page.getByRole("button", { name: /Unknown to the design 1/ }).click();
    await page.getByText("1 item collection of").waitFor();
    await page.getByRole("button", { name: /Unknown to the design 1/ }).click();
    await page.getByRole("button", { name: /GSI1/ }).click();
    await page.getByRole("article", { name: "STATE#PAID" }).waitFor();
    const keys = await page
      .getByRole("article", { name: "STATE#PAID" })
      .locator(".collection-row code")
      .allInnerTexts();
    assert.equal(keys.length, 6);
    assert.deepEqual(keys, [...keys].sort());
    await inspect(page, "view-index");
  });
});

test("the design page marks what is wrong, where it is", async () => {
  await withPage({}, async (page) => {
    await page.goto(`${server.web}/studio/designs/new`);
    await page.getByText("No errors").waitFor();
    await typeInto(
      page,
      "Design",
      'design Bad version 1\ntable "Bad" { key PK, SK }\nentity A { key pk "A#{nope}" sk "A" }\n',
    );
    await page
      .getByRole("button", { name: /error K1/ })
      .first()
      .waitFor();
    await page.locator(".cm-lintRange-error, .cm-lint-marker-error").first().waitFor();
    await inspect(page, "design-errors");
    // It is not the server's, and not lost.
    await page.reload();
    await page.getByText("This is what you had changed").waitFor();
    await page
      .getByRole("button", { name: /error K1/ })
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Start over" }).click();
    await page.getByText("No errors").waitFor();
    await becomes(() => textOf(page, "Design"), /^\/\/ A design is one file/);
  });
});

test("a table or design that is gone is missed by its name", async () => {
  await withPage({}, async (page) => {
    for (const [name, address] of [
      ["table Gone", "/studio/tables/Gone"],
      ["table Gone", "/studio/tables/Gone/settings"],
      ["table Gone", "/studio/streams/Gone"],
      ["design Gone", "/studio/view/Gone"],
      ["design Gone", "/studio/access/Gone"],
      ["design Gone", "/studio/designs/Gone"],
    ]) {
      await page.goto(server.web + address);
      await page.getByRole("heading", { name: `There is no ${name}`, level: 1 }).waitFor();
    }
    await inspect(page, "no-design");
    // A name that no table can have.
    await page.goto(`${server.web}/studio/tables/Gone%2520`);
    await page.getByRole("heading", { name: "Gone%20", level: 1 }).waitFor();
    await page.locator(".problem").waitFor();
    await page.goto(`${server.web}/studio/designs/Gone`);
    await page.getByRole("link", { name: "All designs" }).click();
    await page.getByRole("heading", { name: "Designs", level: 1 }).waitFor();
  });
});

const screens = [
  ["home", "/", "What is running here|Look inside"],
  ["signin", "/signin", "Sign in"],
  ["signup", "/signup", "Make an account"],
  ["tables", "/studio", "Tables"],
  ["items", "/studio/tables/Shop", "Shop"],
  ["item", `/studio/tables/Shop?item=${encodeURIComponent(JSON.stringify(unknownKey))}`, "Shop"],
  ["settings", "/studio/tables/Shop/settings", "Shop"],
  ["view", "/studio/view/Shop", "Shop"],
  ["access", "/studio/access/Shop", "Shop: access patterns"],
  ["access-one", "/studio/access/Shop/ordersOfCustomer", "Shop: ordersOfCustomer"],
  ["designs", "/studio/designs", "Designs"],
  ["design", "/studio/designs/Shop", "Shop: design"],
  ["design-graph", "/studio/designs/Shop?tab=graph", "Shop: design"],
  ["design-cost", "/studio/designs/Shop?tab=cost", "Shop: design"],
  ["streams", "/studio/streams", "Streams"],
  ["stream-empty", "/studio/streams/Shop", "Shop"],
  ["metrics", "/studio/metrics", "Metrics"],
  ["nothing", "/studio/no/such/page/here", "There is nothing here"],
];

for (const theme of ["light", "dark"]) {
  for (const width of [1280, 360]) {
    test(`every screen, ${theme}, ${width} pixels wide`, async () => {
      await withPage({ width, theme }, async (page) => {
        for (const [name, address, heading] of screens) {
          await page.goto(server.web + address, { waitUntil: "networkidle" });
          await page
            .getByRole("heading", { name: new RegExp(`^(${heading})`) })
            .first()
            .waitFor();
          await inspect(page, `${name}-${theme}-${width}`);
        }
      });
    });
  }
}

test("somebody makes an account, is known after a reload, and signs out", async () => {
  await withPage({}, async (page) => {
    await page.goto(`${server.web}/signup?next=/studio`);
    await page.getByLabel("Name").fill(payload.slice(0, 40));
    await page.getByLabel("E-mail").fill("reader@example.com");
    await page.getByLabel("Password").fill("short");
    await page.getByRole("button", { name: "Make account" }).click();
    await page.locator(".field-error").waitFor();
    await inspect(page, "signup-refused");
    await page.getByLabel("Password").fill("correct horse battery staple");
    await page.getByRole("button", { name: "Make account" }).click();
    await page.getByRole("heading", { name: "Tables" }).waitFor();
    await page.reload();
    await page.locator("summary[aria-label^=Account]").click();
    await page.getByText("reader@example.com").waitFor();
    await inspect(page, "account");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("link", { name: "Sign in" }).first().click();
    await page.getByLabel("E-mail").fill("reader@example.com");
    await page.getByLabel("Password").fill("not the right one");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.locator(".form-problem:not(:empty)").waitFor();
    await inspect(page, "signin-refused");
  });
});

test("a page that nobody touches does nothing", async () => {
  await withPage({}, async (page) => {
    await page.goto(`${server.web}/studio`, { waitUntil: "networkidle" });
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable");
    const scriptSeconds = async () =>
      (await session.send("Performance.getMetrics")).metrics.find(
        ({ name }) => name === "ScriptDuration",
      ).value;
    const before = await scriptSeconds();
    await page.waitForTimeout(2000);
    const used = (await scriptSeconds()) - before;
    assert.ok(used < 0.01, `${used} seconds of scripts in two`);
  });
});

test("everything can be reached with the keyboard", async () => {
  await withPage({}, async (page) => {
    await page.goto(`${server.web}/studio`);
    await page.getByRole("heading", { name: "Tables" }).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor();
    await inspect(page, "shortcuts");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.keyboard.press("/");
    await page.keyboard.type("Sho");
    await page.getByRole("option").first().waitFor();
    await inspect(page, "search");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Shop", level: 1 }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("d");
    await page.getByRole("heading", { name: "Designs", level: 1 }).waitFor();
    await page.keyboard.press("t");
    await becomes(() => page.evaluate(() => document.documentElement.dataset.theme), "dark");
    await page.reload();
    await becomes(() => page.evaluate(() => document.documentElement.dataset.theme), "dark");
  });
});

test("charts are drawn, and can be read as tables", async () => {
  await withPage({}, async (page) => {
    await page.goto(`${server.web}/studio/metrics`);
    await page.locator("canvas").first().waitFor();
    await becomes(async () => {
      await page.locator(".u-over").first().hover();
      return page.getByText(/ · all /).count();
    }, 1);
    // Whoever looks at an access on live data consumes something of the route that does it.
    const run = page.getByRole("row", { name: /access\/\{access\}/ });
    await becomes(async () => (await run.getByRole("cell").nth(3).textContent()) !== "0", true);
    await inspect(page, "metrics-drawn");
    await page.getByRole("button", { name: "Table" }).first().click();
    await page.getByRole("region", { name: "Requests a second, as a table" }).waitFor();
    await becomes(async () => (await page.getByRole("row").count()) > 3, true);
    await inspect(page, "metrics-table");
  });
});

test("many items are shown without all of them in the page", async () => {
  const table = {
    TableName: "Many",
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
    AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
  };
  await dynamodb(server, "CreateTable", table);
  for (let part = 0; part < 40; part += 1) {
    const puts = Array.from({ length: 25 }, (_, i) => ({
      PutRequest: { Item: { id: { S: `item ${part * 25 + i}` }, n: { N: String(i) } } },
    }));
    await dynamodb(server, "BatchWriteItem", { RequestItems: { Many: puts } });
  }
  await withPage({}, async (page) => {
    await page.goto(`${server.web}/studio/tables/Many`);
    await page.getByText("200 items shown, more below").waitFor();
    const region = page.getByRole("region", { name: "Items of Many" });
    for (let i = 0; i < 30 && !(await page.getByText("1,000 items shown").isVisible()); i += 1) {
      await region.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      await page.waitForTimeout(100);
    }
    await page.getByText("1,000 items shown").waitFor();
    assert.ok((await page.getByRole("row").count()) < 120);
  });
});

test("pages come with their policy, and files for ever", async () => {
  const html = await fetch(`${server.web}/studio/tables/x`, { headers: { Accept: "text/html" } });
  assert.equal(
    html.headers.get("Content-Security-Policy"),
    "default-src 'self'; script-src 'self'; style-src 'self'; object-src 'none'; " +
      "base-uri 'none'; frame-ancestors 'none'",
  );
  assert.equal(html.headers.get("Cache-Control"), "no-cache");
  const text = await html.text();
  assert.doesNotMatch(text, /<script(?![^>]* src=)|\sstyle=|\son\w+=/);
  const again = await fetch(`${server.web}/studio`, {
    headers: { "If-None-Match": html.headers.get("ETag") },
  });
  assert.equal(again.status, 304);
  const script = /src="(\/assets\/studio[^"]+)"/.exec(text)[1];
  const file = await fetch(server.web + script);
  assert.match(file.headers.get("Cache-Control"), /immutable/);
  assert.match(file.headers.get("Content-Encoding"), /br|gzip/);
  assert.equal((await fetch(`${server.web}/assets/nothing.js`)).status, 404);
  const list = await fetch(server.web, { headers: { Accept: "application/json" } });
  assert.match(list.headers.get("Content-Type"), /json/);
});

test("the studio's API is for pages of this server only", async () => {
  const call = (headers) =>
    fetch(`${server.web}/api/studio/v1/dynamodb`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "X-Amz-Target": "DynamoDB_20120810.ListTables",
        ...headers,
      },
      body: "{}",
    });
  assert.equal((await call({})).status, 200);
  assert.equal((await call({ Origin: "http://evil.example" })).status, 403);
  assert.equal((await call({ "Content-Type": "text/plain" })).status, 415);
  assert.equal((await call({ "X-Amz-Target": "DynamoDB_20120810.Nope" })).status, 400);
});
