// What was open can be opened again when the server is gone.

import assert from "node:assert/strict";
import { test } from "node:test";
import { becomes, inspect } from "./harness.mjs";
import { heading, visit } from "./visit.mjs";

const { server, api, withPage, signUp } = visit("notes", {
  title: "Notes",
  flags: [],
});

// The names of the caches, and what those of pages have.
const kept = (page) =>
  page.evaluate(async () => {
    const found = { names: await caches.keys(), pages: [] };
    for (const name of found.names.filter((it) => it.startsWith("trestle-pages-"))) {
      for (const { url } of await (await caches.open(name)).keys())
        found.pages.push(new URL(url).pathname);
    }
    return found;
  });

async function untilKept(page, ...paths) {
  for (let i = 0; i < 100; i += 1) {
    const { pages } = await kept(page);
    if (paths.every((path) => pages.includes(path))) return;
    await page.waitForTimeout(100);
  }
  assert.fail(`not kept: ${paths} but ${(await kept(page)).pages}`);
}

test("a page that was open is there after a reload without a server", async () => {
  const ida = { email: "ida@example.org", password: "a long enough secret" };
  await withPage({}, async (page) => {
    await page.goto(`${server.web}/notes`);
    await signUp(page, ida, "Ida");
    await page.getByText("Nothing to remember yet").waitFor();
    const note = await api(ida, "POST", "/notes", {
      title: "Kept here",
      content: "Still **read**",
    });
    await page.getByRole("link", { name: "Kept here" }).click();
    await page.locator(".paper strong", { hasText: "read" }).waitFor();
    await page.getByRole("link", { name: "Calendar" }).click();
    await page.locator(".month").waitFor();
    await page.locator(".undated").getByText("Kept here").waitFor();
    await untilKept(page, "/notes", "/", "/favicon.svg");
    // The part that the calendar is made of came after the page.
    const parts = await page.evaluate(() =>
      performance
        .getEntriesByType("resource")
        .map(({ name }) => new URL(name).pathname)
        .filter((path) => path.startsWith("/assets/")),
    );
    assert.ok(parts.length > 3);
    await untilKept(page, ...parts);
    const { names, pages } = await kept(page);
    assert.ok(pages.every((path) => !path.startsWith("/api/") && !path.startsWith("/auth/")));
    const own = names.filter((name) => name.startsWith("trestle-reads-"));
    assert.ok(own.length > 0);

    await server.stop();
    await page.reload();
    await page.getByText("The server cannot be reached. What you see was read earlier.").waitFor();
    await page.locator(".month").waitFor();
    await page.locator(".undated").getByText("Kept here").waitFor();
    await inspect(page, "notes-reloaded-offline");
    await page.goto(`${server.web}/notes/note/${note.id}`);
    await heading(page, "Kept here").waitFor();
    await page.locator(".paper strong", { hasText: "read" }).waitFor();

    // Who signs out takes along what they have read.
    await page.getByLabel("Account of Ida").click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await heading(page, "The frame that carries your tables.").waitFor();
    await page.goto(`${server.web}/notes`);
    await heading(page, "What is due, and when").waitFor();
    const left = (await kept(page)).names.filter((name) => own.includes(name));
    assert.ok(!left.some((name) => !name.endsWith("nobody")), left.join());
    await becomes(() => page.getByText("Kept here").count(), 0);
  });
});
