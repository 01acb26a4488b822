// What the build makes: its size, its types, and the parts that need no browser.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { root } from "./harness.mjs";
import { load } from "./modules.mjs";

const web = path.join(root, "web");
const firstPageMax = 60 * 1024;
const aboveShellMax = 30 * 1024;
const packagesMax = 25;

test("pages are small", () => {
  const manifest = JSON.parse(
    fs.readFileSync(path.join(root, "build/release/web/manifest.json"), "utf8"),
  );
  const pages = Object.values(manifest.pages);
  const shell = pages[0].loads.filter((file) => pages.every((page) => page.loads.includes(file)));
  for (const [name, page] of Object.entries(manifest.pages)) {
    assert.ok(page.gzipBytes <= firstPageMax, `${name} loads ${page.gzipBytes} bytes`);
    const own = page.loads.filter((file) => !shell.includes(file));
    const bytes = own.reduce((sum, file) => sum + manifest.sizes[file], 0);
    assert.ok(bytes <= aboveShellMax, `${name} has ${bytes} bytes above the shell`);
  }
});

test("few packages are needed", () => {
  const { packages } = JSON.parse(
    fs.readFileSync(path.join(web, "node_modules/.package-lock.json"), "utf8"),
  );
  const names = Object.keys(packages).filter((name) => fs.existsSync(path.join(web, name)));
  assert.ok(names.length <= packagesMax, `${names.length} packages`);
});

test("types are right", () => {
  execFileSync("node", [path.join(web, "node_modules/typescript/bin/tsc"), "--noEmit", "-p", web], {
    encoding: "utf8",
  });
});

test("no page makes elements out of text", () => {
  const files = fs
    .readdirSync(web, { recursive: true })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes("node_modules"));
  assert.ok(files.length > 20);
  for (const file of files) {
    assert.doesNotMatch(
      fs.readFileSync(path.join(web, file), "utf8"),
      /innerHTML|insertAdjacentHTML|document\.write|eval\(/,
      file,
    );
  }
});

const everyType = {
  text: { S: 'Ünïcödé \u0000 \u2028 "quoted" 😀' },
  empty: { S: "" },
  big: { N: "123456789012345678901234567890.12345678" },
  tiny: { N: "1E-130" },
  zero: { N: "0" },
  bytes: { B: "AAECAwQFBgcICQ==" },
  yes: { BOOL: true },
  nothing: { NULL: true },
  texts: { SS: ["b", "a"] },
  numbers: { NS: ["99999999999999999999999999999999999999", "-0.1"] },
  blobs: { BS: ["AA==", "AQ=="] },
  list: { L: [{ N: "9007199254740993" }, { M: { deep: { L: [] } } }] },
  map: { M: { $ss: { S: "looks like a mark" } } },
  __proto__1: { S: "an unlucky name" },
  ["__proto__"]: { S: "an unluckier one" },
};

test("items keep every bit in both forms", async () => {
  const { parseItem, printItem } = await load("studio/item_text.ts");
  for (const form of ["dynamodb", "plain"]) {
    const text = printItem(everyType, form);
    assert.equal(JSON.stringify(parseItem(text, form)), JSON.stringify(everyType), text);
  }
  assert.match(printItem(everyType, "plain"), /123456789012345678901234567890\.12345678/);
});

test("what is no item is refused with a sentence", async () => {
  const { parseItem } = await load("studio/item_text.ts");
  const refusals = [
    ['{"a": 1', "dynamodb", /line 1, column 8/],
    ['{"a": {"N": 1}}', "dynamodb", /numbers stand in quotes/],
    ['{"a": {"X": "1"}}', "dynamodb", /one type/],
    ['{"a": 1, "a": 2}', "plain", /stands twice/],
    ["[1]", "plain", /object/],
    ['{"a": {"$ns": ["x"]}}', "plain", /must be numbers/],
  ];
  for (const [text, form, pattern] of refusals) assert.throws(() => parseItem(text, form), pattern);
});

test("keys are ordered as DynamoDB orders them", async () => {
  const { compareNumbers, compareText, isEqual } = await load("studio/values.ts");
  assert.ok(compareText("\uffff", "😀") < 0, "code points, not UTF-16");
  assert.ok(compareText("Z", "a") < 0);
  assert.ok(compareNumbers("9007199254740993", "9007199254740992") > 0);
  assert.ok(compareNumbers("-1E2", "1e-3") < 0);
  assert.equal(compareNumbers("1.50", "15e-1"), 0);
  assert.ok(isEqual({ SS: ["a", "b"] }, { SS: ["b", "a"] }));
  assert.ok(!isEqual({ L: [{ S: "a" }, { S: "b" }] }, { L: [{ S: "b" }, { S: "a" }] }));
});

// Every element of a tree of elements, and all its text.
function flatten(node, found = { types: [], text: "", links: [] }) {
  if (typeof node === "string") found.text += node;
  else if (Array.isArray(node)) for (const child of node) flatten(child, found);
  else if (node && typeof node === "object") {
    found.types.push(node.type);
    if (node.type === "a") found.links.push(node.props.href);
    flatten(node.props.children, found);
  }
  return found;
}

test("Markdown becomes elements, and never HTML", async () => {
  const { Markdown } = await load("shared/markdown.tsx");
  const text =
    "# Title\n\nSome **bold** and *soft* `code` [here](https://example.com) " +
    "[not](javascript:alert(1))\n\n- one\n- two\n\n> said\n\n```\n<b>as is</b>\n```\n\n" +
    "<script>alert(1)</script>";
  const found = flatten(Markdown({ text }));
  for (const type of ["h3", "strong", "em", "code", "a", "ul", "li", "blockquote", "pre"]) {
    assert.ok(found.types.includes(type), type);
  }
  assert.deepEqual(found.links, ["https://example.com"]);
  assert.ok(!found.types.includes("script") && !found.types.includes("b"));
  assert.match(found.text, /<script>alert\(1\)<\/script>/);
});

test("server-sent events are read as they are written", async () => {
  globalThis.document ??= { documentElement: { dataset: {} } };
  globalThis.matchMedia ??= () => ({ matches: false, addEventListener() {} });
  globalThis.addEventListener ??= () => {};
  const { eventOf } = await load("shared/api.ts");
  assert.deepEqual(eventOf("id: 7\nevent: change\ndata: a\ndata: b"), {
    id: "7",
    type: "change",
    data: "a\nb",
  });
  assert.equal(eventOf(": heartbeat"), undefined);
});

test("metrics tell how long requests take", async () => {
  const { quantile, rates, sampleOf } = await load("studio/samples.ts");
  const route = 'method="GET",route="/a"';
  const text = (count, slow) =>
    [
      'trestle_web_requests_total{method="GET",route="/a",status="2xx"} ' + count,
      'trestle_web_requests_total{method="GET",route="/a",status="5xx"} 2',
      ...[
        ["0.001", count / 2],
        ["0.01", count],
        ["+Inf", count + slow],
      ].map(
        ([le, value]) =>
          `trestle_web_request_duration_seconds_bucket{${route},le="${le}"} ${value}`,
      ),
      'trestle_web_request_duration_seconds_sum{method="GET",route="/a"} 1.5',
      `trestle_web_consumed_units_total{${route},kind="read"} ${count / 2}`,
      `trestle_web_consumed_units_total{${route},kind="write"} 7`,
      "trestle_web_connections_open 3",
      'trestle_other_total{app="notes"} 9',
    ].join("\n");
  const sample = sampleOf(text(100, 0), 10);
  assert.deepEqual([...sample.routes.keys()], ["GET /a"]);
  assert.equal(sample.gauges.get("connections_open"), 3);
  const { within, count, failed, readUnits, writeUnits } = sample.routes.get("GET /a");
  assert.deepEqual([count, failed, readUnits, writeUnits], [102, 2, 50, 7]);
  assert.equal(quantile(within, 0.25), 0.0005);
  assert.equal(quantile(within, 0.5), 0.001);
  assert.ok(Math.abs(quantile(within, 0.75) - 0.0055) < 1e-9);
  // Beyond the last bound nothing is known but that.
  assert.equal(quantile(sampleOf(text(0, 5), 0).routes.get("GET /a").within, 0.5), 0.01);
  assert.equal(quantile(new Map(), 0.5), null);
  // Between two moments only what came between counts.
  const {
    counts,
    mostMs,
    readUnits: read,
  } = rates([
    sample,
    sampleOf(text(200, 0), 12),
    sampleOf(text(200, 0), 14),
  ]);
  assert.deepEqual(counts, [50, 0]);
  assert.deepEqual(read, [25, 0]);
  assert.ok(Math.abs(mostMs[0] - 9.1) < 1e-6);
  assert.equal(mostMs[1], null);
});
