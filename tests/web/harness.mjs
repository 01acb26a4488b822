// A server of our own and a browser that reports everything that goes wrong in a page.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const axeSource = fs.readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);
const shots = path.join(root, "build/web-shots");
const startMs = 30_000;

/**
 * Starts Trestle, in memory unless the flags say where, on ports of its own choice unless they say
 * which; -> {web, api, stop, kill}. WEB_FOLDER names pages other than its own.
 */
export async function startServer(...flags) {
  const binary = process.env.TRESTLE_BINARY ?? path.join(root, "build/release/bin/trestle");
  const unlessGiven = (name, value) => (flags.includes(name) ? [] : [name, value]);
  const words = [
    "serve",
    ...(flags.includes("--data") ? [] : ["--in-memory"]),
    ...unlessGiven("--port", "0"),
    ...unlessGiven("--web-port", "0"),
    "--log-level",
    "error",
    ...(process.env.WEB_FOLDER && !flags.includes("--web-folder")
      ? ["--web-folder", process.env.WEB_FOLDER]
      : []),
    ...flags,
  ];
  const server = spawn(binary, words, { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const ended = new Promise((resolve) => server.on("exit", resolve));
  const started = new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`the server did not start:\n${output}`)),
      startMs,
    );
    const read = (bytes) => {
      output += bytes;
      const web = /^Web\s+(\S+)/m.exec(output);
      const api = /^DynamoDB API\s+(\S+)/m.exec(output);
      if (!web || !api || !output.includes("Try it")) return;
      clearTimeout(timer);
      resolve({ web: web[1], api: api[1] });
    };
    server.stdout.on("data", read);
    server.stderr.on("data", (bytes) => (output += bytes));
    void ended.then(() => reject(new Error(`the server ended:\n${output}`)));
  });
  const addresses = await started;
  return {
    ...addresses,
    async stop() {
      server.kill("SIGTERM");
      assert.equal(await ended, 0, output);
    },
    async kill() {
      server.kill("SIGKILL");
      await ended;
    },
  };
}

/** DynamoDB's own port, so that what pages show and write is judged from outside. */
export async function dynamodb(server, operation, body) {
  const response = await fetch(server.api, {
    method: "POST",
    headers: {
      "Content-Type": "application/x-amz-json-1.0",
      "X-Amz-Target": `DynamoDB_20120810.${operation}`,
      Authorization:
        "AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, " +
        `SignedHeaders=host;x-amz-date;x-amz-target, Signature=${"0".repeat(64)}`,
      "X-Amz-Date": new Date().toISOString().replaceAll(/[-:]|\.\d+/g, ""),
    },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  assert.equal(response.status, 200, JSON.stringify(answer));
  return answer;
}

export async function openBrowser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
}

/** A page, and `wrong`: what it complained about. A refused request is not a complaint. */
export async function openPage(
  browser,
  { width = 1280, theme = "light", hasTouch, zone = "UTC", motion = "reduce" } = {},
) {
  const context = await browser.newContext({
    viewport: { width, height: width < 600 ? 780 : 860 },
    colorScheme: theme,
    reducedMotion: motion,
    timezoneId: zone,
    hasTouch,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const wrong = [];
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      wrong.push(message.text());
  });
  page.on("pageerror", (error) => wrong.push(`thrown: ${error.message}`));
  page.on("dialog", (dialog) => {
    wrong.push(`a script ran: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) => {
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`);
    });
  });
  return { page, wrong, close: () => context.close() };
}

/** A page answers a moment later: waits until what is read is `expected`, or matches it. */
export async function becomes(read, expected) {
  const check = expected instanceof RegExp ? assert.match : assert.deepEqual;
  for (let i = 0; i < 60; i += 1) {
    try {
      check(await read(), expected);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
  check(await read(), expected);
}

const middleOf = async (locator) => {
  const { x, y, width, height } = await locator.boundingBox();
  return { x: x + width / 2, y: y + height / 2 };
};

/**
 * A finger on `from` that goes to `to` and lets go. `held` is awaited before it moves, `over`
 * before it lets go.
 */
export async function touchDrag(page, from, to, { held, over } = {}) {
  const session = await page.context().newCDPSession(page);
  const send = (type, ...touchPoints) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints });
  await from.scrollIntoViewIfNeeded();
  const start = await middleOf(from);
  await send("touchStart", start);
  await held?.waitFor();
  const end = await middleOf(to);
  const steps = 8;
  for (let i = 1; i <= steps; i += 1) {
    const at = (name) => start[name] + ((end[name] - start[name]) * i) / steps;
    await send("touchMove", { x: at("x"), y: at("y") });
  }
  await over?.waitFor();
  await send("touchEnd");
  await session.detach();
}

export async function axe(page) {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axeSource);
  const { violations } = await page.evaluate(() =>
    globalThis.axe.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"],
      resultTypes: ["violations"],
    }),
  );
  const placesOf = ({ nodes }) =>
    nodes.map((node) => `${node.target.join(" ")} ${node.failureSummary}`).join(" | ");
  return violations.map((it) => `${it.id}: ${placesOf(it)}`);
}

/** What must hold of every screen: one name, no violations, nothing wider than the window. */
export async function inspect(page, name) {
  assert.equal(await page.locator("h1").count(), 1, `${name} has one heading that names it`);
  assert.deepEqual(await axe(page), [], name);
  const [excess, widest] = await page.evaluate(() => [
    document.documentElement.scrollWidth - innerWidth,
    [...document.body.querySelectorAll("*")]
      .filter((it) => it.getBoundingClientRect().right > innerWidth)
      .map((it) => `${it.localName}.${it.className}`),
  ]);
  // One is how fractions of a pixel are rounded, which depends on the fonts that are installed.
  assert.ok(excess <= 1, `${name} is ${excess} pixels too wide: ${widest.join(", ")}`);
  await keepShot(page, name);
}

export async function keepShot(page, name) {
  fs.mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: path.join(shots, `${name}.png`) });
}

/** Replaces the text of a code editor. */
export async function typeInto(page, label, text) {
  const editor = page.locator(`.code-editor[data-label="${label}"] .cm-content`);
  await editor.click();
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(text);
}

/** Of a short text: a long one is not all in the page. */
export const textOf = (page, label) =>
  page.locator(`.code-editor[data-label="${label}"] .cm-content`).innerText();
