// What administrators do in the studio: what was given up, and who has an account.

import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { becomes, inspect } from "./harness.mjs";
import { heading, payloads, toast, undo, visit } from "./visit.mjs";

// Another server, which is told of changes and may refuse them.
let answer = 400;
const listener = http.createServer((request, response) => {
  request.resume();
  request.on("end", () => response.writeHead(answer).end());
});
await new Promise((resolve) => listener.listen(0, "127.0.0.1", resolve));
after(() => listener.close());

const root = { email: "root@example.org", password: "a very long secret" };
const ned = { email: "ned@example.org", password: "a long enough secret" };
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "operator-"));
after(() => fs.rmSync(folder, { recursive: true, force: true }));
function secretFile(name, text) {
  const file = path.join(folder, name);
  fs.writeFileSync(file, `${text}\n`, { mode: 0o600 });
  return file;
}

const { server, api, withPage, signIn } = visit("studio", {
  title: "Studio",
  flags: [
    "--apps",
    "books,notes",
    "--sign-up",
    "approval",
    "--admins",
    secretFile("admins", `${root.email} ${root.password}`),
    "--outbound-url",
    `http://127.0.0.1:${listener.address().port}/events`,
    "--outbound-secret",
    secretFile("secret", "a secret that both know"),
  ],
});

const button = (page, name) => page.getByRole("button", { name, exact: true });
const letters = async () =>
  (await fetchAs(root, "GET", "/api/operator/v1/consumers/notes/outbound/dead-letters")).items;
async function fetchAs(who, method, address, body) {
  const { accessToken } = await api(null, "POST", "/auth/v1/login", who);
  const response = await fetch(server.web + address, {
    method,
    headers: { Authorization: `Bearer ${accessToken}`, "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
  });
  assert.ok(response.ok, await response.clone().text());
  return response.json();
}

test("whoever waits for an account is let in, gets groups, and is locked out", async () => {
  await api(null, "POST", "/auth/v1/signup", { name: payloads[0].slice(0, 60), ...ned });
  const name = payloads[0].slice(0, 60);
  await withPage({}, async (page) => {
    await signIn(page, root);
    await page.getByRole("link", { name: "Accounts" }).click();
    await heading(page, "Accounts").waitFor();
    await page.locator(".account-row", { hasText: root.email }).waitFor();
    // Nobody locks themselves out.
    assert.equal(await page.getByRole("button", { name: /^Disable/ }).count(), 0);
    await page.getByRole("link", { name: "Waiting" }).click();
    await page.getByText(ned.email).waitFor();
    await inspect(page, "studio-accounts-waiting");
    await button(page, `Let in: ${name}`).click();
    await toast(page, `${name} may sign in`).waitFor();
    await page.getByText("Nobody", { exact: true }).waitFor();
    await api(null, "POST", "/auth/v1/login", ned);

    await page.getByLabel("E-mail").fill(ned.email);
    await button(page, "Find").click();
    await button(page, `Groups of ${name}`).click();
    await page.getByLabel("Groups", { exact: true }).fill("moderator, moderator");
    await inspect(page, "studio-accounts-groups");
    await button(page, "Save groups").click();
    await page.locator(".account-row .chip", { hasText: "moderator" }).waitFor();

    await button(page, `Disable ${name}`).click();
    await toast(page, `${name} cannot sign in any more`).waitFor();
    const login = () =>
      fetch(`${server.web}/auth/v1/login`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(ned),
      });
    assert.notEqual((await login()).status, 200);
    await undo(page, "cannot sign in any more").click();
    await becomes(async () => (await login()).status, 200);
    await button(page, `Disable ${name}`).waitFor();
    await page.getByLabel("E-mail").fill("nobody@example.org");
    await button(page, "Find").click();
    await page.getByText("Nobody", { exact: true }).waitFor();
  });
});

test("what a consumer has given up is tried again", async () => {
  await fetchAs(ned, "POST", "/api/notes/v1/notes", { title: "Not for operators" });
  await becomes(async () => ((await letters()).length > 0 ? "some" : "none"), "some");
  await withPage({}, async (page) => {
    await signIn(page, root, "/studio/consumers");
    await page.getByRole("link", { name: "notes outbound" }).click();
    await heading(page, "notes outbound").waitFor();
    await page.getByText(/400/).first().waitFor();
    assert.equal(await page.getByText("Not for operators").count(), 0);
    await inspect(page, "studio-dead-letters");
    await button(page, "Try them again").click();
    await toast(page, /failed again/).waitFor();
    answer = 200;
    await button(page, "Try them again").click();
    await toast(page, /^\d+ changes? done$/).waitFor();
    await page.getByText("No dead letters").waitFor();
    assert.deepEqual(await letters(), []);
    assert.ok(await button(page, "Try them again").isDisabled());
  });
});

test("the long work of all people is listed, by its state", async () => {
  const { jobId } = await fetchAs(ned, "POST", "/api/books/v1/import", {
    books: [{ title: "Only mine" }],
  });
  const state = async () => (await fetchAs(ned, "GET", `/api/books/v1/jobs/${jobId}`)).state;
  await becomes(state, "DONE");
  await withPage({}, async (page) => {
    await signIn(page, root);
    await page.getByRole("link", { name: "Jobs" }).click();
    await heading(page, "Jobs").waitFor();
    const row = page.getByRole("row", { name: /books import/ });
    await row.getByText("Done", { exact: true }).waitFor();
    await row.getByText("1 of 1").waitFor();
    assert.equal(await page.getByText("Only mine").count(), 0);
    await inspect(page, "studio-jobs");
    await page.getByRole("link", { name: "Failed", exact: true }).click();
    await page.getByText("No jobs", { exact: true }).waitFor();
    await inspect(page, "studio-jobs-none");
    await page.goBack();
    await row.waitFor();
    await page.getByRole("link", { name: "Done", exact: true }).click();
    await page.waitForURL(/state=DONE/);
    await row.waitFor();
  });
});

test("what administrators have done is written down", async () => {
  const name = payloads[0].slice(0, 60);
  const { items } = await fetchAs(root, "GET", `/auth/v1/users?email=${ned.email}`);
  await fetchAs(root, "POST", `/auth/v1/users/${items[0].sub}/groups`, { groups: ["moderator"] });
  await withPage({}, async (page) => {
    await signIn(page, root);
    await page.getByRole("link", { name: "Audit", exact: true }).click();
    await heading(page, "Audit").waitFor();
    const rows = page.getByRole("row");
    await rows.nth(1).getByText(`put ${name} into moderator`).waitFor();
    await rows.filter({ hasText: "who started the server" }).getByText("into admin").waitFor();
    await rows
      .filter({ hasText: "tried again" })
      .first()
      .getByRole("link", { name: "notes outbound" })
      .waitFor();
    await rows
      .filter({ hasText: `let ${name} in` })
      .first()
      .waitFor();
    await rows
      .filter({ hasText: `locked ${name} out` })
      .first()
      .waitFor();
    // From an account to what was done to it, and back.
    await rows.nth(1).getByRole("link", { name }).click();
    await heading(page, "Accounts").waitFor();
    await page.getByRole("link", { name: `Audit of ${name}` }).click();
    await page.getByText(`to the account of ${name}`).waitFor();
    assert.equal(await rows.filter({ hasText: "tried again" }).count(), 0);
    await page.getByRole("link", { name: "All entries" }).click();
    await rows.filter({ hasText: "tried again" }).first().waitFor();
  });
});

test("who is no administrator sees none of it", async () => {
  await withPage({}, async (page) => {
    const asked = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    const pages = ["/studio/accounts", "/studio/consumers", "/studio/jobs", "/studio/audit"];
    for (const address of pages) {
      await page.goto(server.web + address);
      await page.getByText("This is for administrators. Sign in as one.").waitFor();
    }
    await inspect(page, "studio-admins-first");
    await signIn(page, ned);
    for (const name of ["Accounts", "Consumers", "Jobs", "Audit"])
      assert.equal(await page.getByRole("link", { name }).count(), 0);
    for (const address of [...pages, "/studio/consumers/notes/outbound"]) {
      await page.goto(server.web + address);
      await page.getByText("For administrators").waitFor();
    }
    assert.ok(!asked.some((it) => /operator|\/users/.test(it)), asked.join());
  });
});

for (const theme of ["light", "dark"]) {
  for (const width of [1280, 360]) {
    test(`the screens of administrators, ${theme}, ${width} pixels wide`, async () => {
      const screens = [
        ["consumers", "/studio/consumers", "Consumers", ".data-table"],
        ["consumer", "/studio/consumers/notes/outbound", "notes outbound", ".facts"],
        ["accounts", "/studio/accounts", "Accounts", ".account-row"],
        ["jobs", "/studio/jobs", "Jobs", ".data-table"],
        ["audit", "/studio/audit", "Audit", ".data-table"],
      ];
      await withPage({ width, theme }, async (page) => {
        await signIn(page, root);
        for (const [name, address, title, place] of screens) {
          await page.goto(server.web + address);
          await heading(page, title).waitFor();
          await page.locator(place).first().waitFor();
          await inspect(page, `studio-${name}-${theme}-${width}`);
        }
      });
    });
  }
}
