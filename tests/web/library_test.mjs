// The media library in a real browser: its flows clicked through, and every screen looked at.

import assert from "node:assert/strict";
import fs from "node:fs";
import { after, before, test } from "node:test";
import { inspect } from "./harness.mjs";
import { ann, bob, heading, payloadTexts, toast, visit } from "./visit.mjs";

let server;
let api;
let withPage;
let signIn;
let signUp;
let until;
let close;
/** Ann's libraries by name, and her items by title. */
let libraries;
let items;

before(async () => {
  ({ server, api, withPage, signIn, signUp, until, close } = await visit("library", {
    title: "Library",
  }));
  await until(async () => (await api(ann, "GET", "/libraries")).items.length === 4);
  await until(async () => (await api(ann, "GET", "/search?q=holmes")).items.length === 5);
  const byName = (list, name) => Object.fromEntries(list.map((it) => [it[name], it]));
  libraries = byName((await api(ann, "GET", "/libraries")).items, "libraryName");
  items = byName((await api(ann, "GET", "/items?limit=100")).items, "title");
});

after(() => close?.());

const hrefOf = (item) => `/library/in/${item.libraryId}/item/${item.id}`;

for (const theme of ["light", "dark"]) {
  for (const width of [1280, 360]) {
    test(`every screen of the library, ${theme}, ${width} pixels wide`, async () => {
      const living = `/library/in/${libraries["Living room"].id}`;
      const dracula = items.Dracula;
      const collection = items["Swann's Way"].collectionId;
      const screens = [
        ["libraries", "/library", "Libraries"],
        ["contents", living, "Living room"],
        ["contents-flat", `${living}?view=flat&lent=false`, "Living room"],
        ["videos", `/library/in/${libraries["Silent films"].id}`, "Silent films"],
        ["shared", `/library/in/${libraries["Bob's box"].id}`, "Bob's box"],
        ["everything", "/library/everything", "Everything"],
        ["item-lent", hrefOf(dracula), "Dracula"],
        ["item", hrefOf(items.Emma), "Emma"],
        ["item-edit", `${hrefOf(items.Metropolis)}/edit`, "Edit Metropolis"],
        ["add", `${living}/add?collection=${collection}&order=4`, "Add to the shelf"],
        ["collection", `${living}/collection/${collection}`, "In Search of Lost Time"],
        ["arrange", `${living}/collection/${collection}?arrange=yes`, "In Search of Lost Time"],
        ["new-collection", `${living}/new-collection`, "New collection"],
        ["new-library", "/library/new", "Make a library"],
        ["sharing", `${living}/sharing`, "Sharing"],
        ["import", `${living}/import`, "Import a table"],
        ["loans", "/library/loans", "Loans"],
        ["loans-history", "/library/loans?state=all", "Loans"],
        ["search", "/library/search?q=holmes", "Search"],
        ["statistics", "/library/statistics", "Statistics"],
        ["statistics-people", "/library/statistics?by=borrower&days=365", "Statistics"],
        ["profile", "/library/profile", "Profile"],
      ];
      await withPage({ width, theme }, async (page) => {
        await signIn(page, ann);
        for (const [name, address, title] of screens) {
          await page.goto(server.web + address);
          await heading(page, title).waitFor();
          await page
            .locator("main :is(.bookcase, .item-row, .board, .arrange, form, .loan, .plot)")
            .first()
            .waitFor();
          await inspect(page, `library-${name}-${theme}-${width}`);
        }
        await page.goto(`${server.web}/library/no/such/page`);
        await page.getByText("There is nothing here").waitFor();
        await inspect(page, `library-nothing-${theme}-${width}`);
      });
    });
  }
}
