// An application with its sample data, the people who use it, and what they may try.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, before } from "node:test";
import { dynamodb, keepShot, openBrowser, openPage, startServer } from "./harness.mjs";

export const samplePassword = "trestle-sample";
export const ann = { email: "ann@example.org", password: samplePassword };
export const bob = { email: "bob@example.org", password: samplePassword };
export const eve = { email: "eve@example.org", password: samplePassword };

/** What pages must show as the text it is: 100 ways to have a script run. */
export const payloads = (() => {
  const calls = ["alert(1)", "confirm(2)", "prompt(3)", "alert`4`", "top['al'+'ert'](5)"];
  const forms = [
    (call) => `<script>${call}</script>`,
    (call) => `<img src=x onerror="${call}">`,
    (call) => `<svg onload=${call}>`,
    (call) => `"><script>${call}</script>`,
    (call) => `' onmouseover='${call}' x='`,
    (call) => `" autofocus onfocus="${call}" x="`,
    (call) => `javascript:${call}`,
    (call) => `[click](javascript:${call})`,
    (call) => `![x](javascript:${call})`,
    (call) => `<a href="java&#9;script:${call}">x</a>`,
    (call) => `<iframe srcdoc="<script>${call}</script>">`,
    (call) => `<details open ontoggle=${call}>`,
    (call) => `</title><script>${call}</script>`,
    (call) => `</textarea><img src=x onerror=${call}>`,
    (call) => `<math><mi xlink:href="javascript:${call}">x</mi></math>`,
    (call) => `<form action="javascript:${call}"><button>x</button></form>`,
    (call) => `{{constructor.constructor('${call}')()}}`,
    (call) => `\${${call}}`,
    (call) => `<style>@import 'javascript:${call}';</style>`,
    (call) => `data:text/html,<script>${call}</script>`,
  ];
  return forms.flatMap((form) => calls.map(form));
})();

/** All payloads in texts of at most `most` characters. */
export function payloadTexts(most) {
  const texts = [];
  for (const payload of payloads) {
    const last = texts.at(-1);
    if (last !== undefined && last.length + payload.length + 1 <= most)
      texts[texts.length - 1] = `${last} ${payload}`;
    else texts.push(payload);
  }
  return texts;
}

/** The last code that was sent to an address, by a server with its data in `folder`. */
export function codeSentTo(folder, address) {
  const lines = fs.readFileSync(path.join(folder, "mail.log"), "utf8").trim().split("\n");
  const mail = lines.map((line) => JSON.parse(line)).findLast((it) => it.to === address);
  return /\b\d{6}\b/.exec(mail.text)[0];
}

async function until(holds) {
  for (let i = 0; i < 240; i += 1) {
    if (await holds().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error(`not in time: ${holds}`);
}

/**
 * Ann's account is the last thing that is loaded. Asked of the table: who tries to sign in too
 * often has to wait.
 */
const isLoaded = async (server) => {
  const { Items } = await dynamodb(server, "Query", {
    TableName: "TrestlePlatform",
    IndexName: "GSI1",
    KeyConditionExpression: "GSI1PK = :pk",
    ExpressionAttributeValues: { ":pk": { S: "ACCOUNTS#CONFIRMED" } },
  });
  return Items.some((account) => account.email.S === ann.email);
};

/**
 * For the tests of a file: before them a server starts, with sample data unless `flags` say
 * otherwise, and `ready` waits for what they need; after them it ends.
 */
export function visit(app, { title, flags = ["--sample-data"], ready }) {
  let started;
  let browser;
  const tokens = new Map();

  before(async () => {
    const opening = openBrowser();
    started = await startServer(...flags);
    if (flags.includes("--sample-data")) await until(() => isLoaded(started));
    browser = await opening;
    await ready?.();
  });

  after(async () => {
    await browser?.close();
    await started?.stop();
  });

  const server = {
    get web() {
      return started.web;
    },
    get api() {
      return started.api;
    },
    stop: () => started.stop(),
    kill: () => started.kill(),
    /** The same server again, where it was. */
    async startAgain() {
      const portOf = (address) => new URL(address).port;
      const ports = ["--port", portOf(started.api), "--web-port", portOf(started.web)];
      started = await startServer(...flags, ...ports);
    },
  };

  const tokenOf = async (who) => {
    if (!tokens.has(who.email)) {
      const answer = await fetch(`${server.web}/auth/v1/login`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ email: who.email, password: who.password }),
      });
      assert.equal(answer.status, 200, await answer.clone().text());
      tokens.set(who.email, (await answer.json()).accessToken);
    }
    return tokens.get(who.email);
  };

  return {
    server,

    /**
     * The API itself, so that what pages show and write is judged from outside. Paths are those of
     * the application, unless they begin with /auth or /api.
     */
    async api(who, method, path, body, headers = {}) {
      const root = /^\/(auth|api)\//.test(path) ? "" : `/api/${app}/v1`;
      const response = await fetch(server.web + root + path, {
        method,
        headers: {
          ...(who && { Authorization: `Bearer ${await tokenOf(who)}` }),
          ...(body && { "Content-Type": "application/json" }),
          ...headers,
        },
        body: body && JSON.stringify(body),
      });
      const text = await response.text();
      assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
      return text ? JSON.parse(text) : undefined;
    },

    /** What follows from the samples comes a moment later. */
    until,

    /** A page of its own for `use`, which must leave no complaint behind. */
    async withPage(options, use) {
      const { page, wrong, close } = await openPage(browser, options);
      try {
        await use(page);
        assert.deepEqual(wrong, []);
      } catch (error) {
        await keepShot(page, `${app}-failed`);
        throw error;
      } finally {
        await close();
      }
    },

    async signIn(page, who, next = `/${app}`) {
      await page.goto(`${server.web}/signin?next=${encodeURIComponent(next)}`);
      await page.getByLabel("E-mail").fill(who.email);
      await page.getByLabel("Password").fill(who.password);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.waitForURL(`${server.web}${next}`);
      // Leaving before the page has its new token would lose it.
      await page.getByRole("navigation", { name: title, exact: true }).waitFor();
    },

    async signUp(page, who, name) {
      await page.getByRole("main").getByRole("link", { name: "Make an account" }).click();
      await page.getByLabel("Name").fill(name);
      await page.getByLabel("E-mail").fill(who.email);
      await page.getByLabel("Password").fill(who.password);
      await page.getByRole("button", { name: "Make account" }).click();
    },
  };
}

export const toast = (page, text) => page.getByRole("status").getByText(text);
export const heading = (page, name) => page.getByRole("heading", { name, level: 1, exact: true });
/** The way back of one message among several. */
export const undo = (page, text) =>
  page.locator(".toast", { hasText: text }).getByRole("button", { name: "Undo" });
