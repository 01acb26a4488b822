// What was open can be opened again when the server is gone, and is renewed when its pages are.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { becomes, inspect, root } from "./harness.mjs";
import { heading, visit } from "./visit.mjs";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "pages-"));
after(() => fs.rmSync(folder, { recursive: true, force: true }));

// The pages as a version that says so in what every page has and in a part that comes later.
function build(version) {
  const web = path.join(root, "web");
  const copy = path.join(folder, version);
  fs.cpSync(web, copy, {
    recursive: true,
    filter: (file) => !path.relative(web, file).startsWith("node_modules"),
  });
  fs.symlinkSync(path.join(web, "node_modules"), path.join(copy, "node_modules"));
  const replace = (file, from, to) => {
    const before = fs.readFileSync(path.join(copy, file), "utf8");
    assert.ok(before.includes(from), `${file} has no ${from}`);
    fs.writeFileSync(path.join(copy, file), before.replace(from, to));
  };
  replace("shared/shell.tsx", "Skip to content", `Skip to content of ${version}`);
  replace("notes/stats_page.tsx", 'title="Statistics"', `title="Statistics of ${version}"`);
  execFileSync("node", [path.join(copy, "build.mjs"), path.join(folder, "pages")]);
}
build("one");

const { server, api, withPage, signUp } = visit("notes", {
  title: "Notes",
  flags: ["--web-folder", path.join(folder, "pages")],
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

const assetsOf = (paths) => paths.filter((it) => it.startsWith("/assets/"));
const partsOfPages = () =>
  assetsOf(
    JSON.parse(fs.readFileSync(path.join(folder, "pages/manifest.json"), "utf8")).pages.notes.loads,
  );

test("new pages take the place of old ones, all of them at once", async () => {
  const una = { email: "una@example.org", password: "a long enough secret" };
  await withPage({}, async (page) => {
    const skip = (version) => page.getByText(`Skip to content of ${version}`);
    await page.goto(`${server.web}/notes`);
    await signUp(page, una, "Una");
    await page.getByText("Nothing to remember yet").waitFor();
    const old = partsOfPages();
    await untilKept(page, "/notes", "/", ...old);
    const [first] = (await kept(page)).names.filter((name) => name.startsWith("trestle-pages-"));

    // A page that was open when they came, and wants a part of its own that is gone.
    build("two");
    const now = partsOfPages();
    assert.notDeepEqual(now, old);
    const asked = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.getByRole("link", { name: "Statistics" }).click();
    await heading(page, "Statistics of two").waitFor();
    await skip("two").waitFor({ state: "attached" });
    assert.equal(await skip("one").count(), 0);
    // Of the old version it has asked for that one part only.
    const known = new Set([
      ...now,
      ...assetsOf(fs.readdirSync(path.join(folder, "pages/assets")).map((it) => `/assets/${it}`)),
    ]);
    assert.equal(new Set(assetsOf(asked).filter((it) => !known.has(it))).size, 1, asked.join());

    // The new worker has all of the new version, and nothing else.
    await becomes(async () => {
      const { names } = await kept(page);
      const own = names.filter((name) => name.startsWith("trestle-pages-"));
      return own.length === 1 && own[0] !== first;
    }, true);
    await page.goto(`${server.web}/notes`);
    await page.getByText("Nothing to remember yet").waitFor();
    await untilKept(page, "/notes", "/", ...now);
    assert.deepEqual(
      (await kept(page)).pages.filter((it) => old.includes(it) && !now.includes(it)),
      [],
    );
    await page.context().setOffline(true);
    await page.reload();
    await page.getByText("The server cannot be reached").waitFor();
    await skip("two").waitFor({ state: "attached" });
    await page.context().setOffline(false);
  });
});

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
