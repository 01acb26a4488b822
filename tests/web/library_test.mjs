// The media library in a real browser: its flows clicked through, and every screen looked at.

import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";
import { becomes, dynamodb, inspect, keepShot } from "./harness.mjs";
import { ann, bob, eve, heading, payloads, payloadTexts, toast, visit } from "./visit.mjs";

/** Ann's libraries by name, and her items by title. */
let libraries;
let items;

const { server, api, withPage, signIn, signUp, until } = visit("library", {
  title: "Library",
  async ready() {
    // Whoever asks before the samples are there is a new person, who has none: the table is asked.
    await until(async () => {
      const { Count } = await dynamodb(server, "Scan", {
        TableName: "MediaLibrary",
        FilterExpression: "EntityType = :type",
        ExpressionAttributeValues: { ":type": { S: "OWNER" } },
      });
      return Count === 3;
    });
    await until(async () => (await api(ann, "GET", "/search?q=holmes")).items.length === 5);
    const byName = (list, name) => Object.fromEntries(list.map((it) => [it[name], it]));
    libraries = byName((await api(ann, "GET", "/libraries")).items, "libraryName");
    items = byName((await api(ann, "GET", "/items?limit=100")).items, "title");
  },
});

const hrefOf = (item) => `/library/in/${item.libraryId}/item/${item.id}`;
const button = (page, name) => page.getByRole("button", { name, exact: true });
const field = (page, label) => page.getByLabel(label, { exact: true });
const link = (page, name) => page.getByRole("main").getByRole("link", { name, exact: true });
const refused = (page, name) => page.locator(`[name=${name}][aria-invalid=true]`);
const soon = (days) => {
  const at = new Date(Date.now() + days * 86_400_000);
  return at.toLocaleDateString("sv-SE");
};

test("from signing up to the last plot", async () => {
  const cleo = { email: "cleo.owns@example.org", password: "a long enough secret" };
  await withPage({}, async (page) => {
    await page.goto(`${server.web}/library`);
    await heading(page, "Everything you own, on one shelf").waitFor();
    await inspect(page, "library-welcome");
    await signUp(page, cleo, "Cleo");
    await page.getByText("No library yet").waitFor();
    await inspect(page, "library-empty");

    // A library: what the server refuses is said beside the field.
    await page.keyboard.press("n");
    await heading(page, "Make a library").waitFor();
    await field(page, "Name").fill("A name that is far too long for a label");
    await button(page, "Make library").click();
    await refused(page, "libraryName").waitFor();
    await page.getByText("must have 1 to 20 characters").waitFor();
    await field(page, "Name").fill("Attic");
    await field(page, "Description").fill("Boxes under the roof");
    await button(page, "Make library").click();
    await heading(page, "Attic").waitFor();
    await page.getByText("The shelf is empty").waitFor();
    await inspect(page, "library-shelf-empty");
    const [attic] = (await api(cleo, "GET", "/libraries")).items;
    assert.equal(attic.description, "Boxes under the roof");

    // A series, one after the other, with a gap.
    await page.keyboard.press("n");
    await heading(page, "Add to the shelf").waitFor();
    await field(page, "ISBN").fill("978-0-00-000000-1");
    await button(page, "Add book").click();
    await refused(page, "title").waitFor();
    await field(page, "Title").fill("A Wizard of Earthsea");
    await field(page, "Authors").fill("Ursula K. Le Guin");
    await button(page, "Add book").click();
    await refused(page, "isbn").waitFor();
    await inspect(page, "library-add-refused");
    await field(page, "ISBN").fill("978-0-547-77374-2");
    await field(page, "Collection").selectOption("new");
    await field(page, "Name of the collection").fill("Earthsea");
    await button(page, "Add, then another").click();
    await toast(page, "A Wizard of Earthsea is on the shelf").waitFor();
    await page.locator("[name=title]:focus").waitFor();
    await button(page, "Dismiss").last().click();
    await becomes(() => field(page, "Authors").inputValue(), "Ursula K. Le Guin");
    await becomes(() => field(page, "Number in it").inputValue(), "2");
    await field(page, "Title").fill("The Farthest Shore");
    await field(page, "Number in it").fill("three");
    await button(page, "Add book").click();
    await refused(page, "order").waitFor();
    await field(page, "Number in it").fill("3");
    await button(page, "Add book").click();
    await heading(page, "The Farthest Shore").waitFor();
    await page.getByText("Number 3 of").waitFor();

    // The gap on the shelf is where the missing one is added.
    await link(page, "Attic").click();
    await page.getByText("2 of 3").waitFor();
    await inspect(page, "library-gap");
    await page.getByRole("link", { name: "2 is missing: add it" }).click();
    await field(page, "Title").fill("The Tombs of Atuan");
    await becomes(() => field(page, "Number in it").inputValue(), "2");
    await button(page, "Add book").click();
    await heading(page, "The Tombs of Atuan").waitFor();
    await link(page, "Earthsea").click();
    await heading(page, "Earthsea").waitFor();
    await page.getByText("3 items", { exact: true }).waitFor();
    await becomes(
      () => page.locator(".board .piece-title").allInnerTexts(),
      ["A Wizard of Earthsea", "The Tombs of Atuan", "The Farthest Shore"],
    );

    // Another order, by hand.
    await button(page, "Arrange").click();
    await field(page, "Number of The Farthest Shore").fill("0");
    await button(page, "Save order").click();
    await page.locator(".form-problem:not(:empty)").waitFor();
    await field(page, "Number of The Farthest Shore").fill("5");
    await page.getByRole("button", { name: "A Wizard of Earthsea further to the back" }).click();
    await button(page, "Save order").click();
    await toast(page, "3 numbers changed").waitFor();
    await page.getByText("3 items, missing 3–4").waitFor();
    const orders = Object.fromEntries(
      (await api(cleo, "GET", "/items")).items.map((it) => [it.title, it.order]),
    );
    assert.deepEqual(orders, {
      "A Wizard of Earthsea": 2,
      "The Tombs of Atuan": 1,
      "The Farthest Shore": 5,
    });

    // A video.
    await page.goto(`${server.web}/library/in/${attic.id}/add`);
    await button(page, "Video").click();
    await field(page, "Title").fill("Sunrise");
    await field(page, "Directors").fill("F. W. Murnau");
    await field(page, "Year").fill("1927");
    await field(page, "Minutes").fill("94");
    await button(page, "Add video").click();
    await heading(page, "Sunrise").waitFor();
    await page.getByText("F. W. Murnau, 1927").first().waitFor();
    await page.getByText("It has never left the shelf").waitFor();

    // Lent, taken back, and lent again.
    await page.keyboard.press("l");
    await page.keyboard.press("Enter");
    await refused(page, "borrower").waitFor();
    await field(page, "To whom").fill("Paul");
    await button(page, "Two weeks").click();
    await becomes(() => field(page, "Until").first().inputValue(), soon(14));
    await field(page, "Note").fill("with the good case");
    await button(page, "Lend").click();
    await toast(page, "Sunrise is with Paul").waitFor();
    await page.getByRole("heading", { name: "With Paul" }).waitFor();
    await becomes(() => page.locator(":focus").innerText(), "With Paul");
    await page.getByText("due in 14 days").first().waitFor();
    const [sunrise] = (await api(cleo, "GET", "/items?type=video")).items;
    assert.deepEqual([sunrise.lentTo, sunrise.dueDate], ["Paul", soon(14)]);
    await button(page, "Add a note").click();
    await field(page, "Note").fill("a scratch, sorry");
    await button(page, "It is back").click();
    await toast(page, "Sunrise is back").waitFor();
    await page.getByText("Back from Paul").waitFor();
    await page.getByText("a scratch, sorry").waitFor();
    await page.getByRole("img", { name: /^Paul · Sunrise/ }).waitFor();
    await button(page, "Table").click();
    const table = page.getByRole("region", { name: "Who had it, as a table" });
    await becomes(() => table.getByRole("row").count(), 2);
    await field(page, "To whom").fill("Zoë");
    await button(page, "Lend").click();
    await page.getByRole("heading", { name: "With Zoë" }).waitFor();
    await inspect(page, "library-lent-new");

    // Loans, and back from there.
    await page.keyboard.press("g");
    await page.keyboard.press("o");
    await heading(page, "Loans").waitFor();
    await page.getByRole("region", { name: "Zoë" }).waitFor();
    await page.getByRole("button", { name: "It is back: Sunrise" }).click();
    await toast(page, "Sunrise is back from Zoë").waitFor();
    await page.getByText("Everything is at home").waitFor();
    await inspect(page, "library-loans-empty");
    await page.getByRole("link", { name: /^History 2/ }).click();
    await page.getByText("Sunrise").nth(1).waitFor();

    // What it adds up to.
    await page.getByRole("link", { name: "Statistics" }).click();
    await page.getByText("Videos by decade").waitFor();
    const titles = await page.locator("figcaption").allInnerTexts();
    assert.deepEqual(
      titles.map((text) => text.split("\n")[0].trim()),
      [
        "Who had what, and when",
        "Days out, by item",
        "Days out, by borrower",
        "How complete collections are",
        "Where they stand",
        "Items over time",
        "How long loans last",
        "Types",
        "Videos by decade",
      ],
    );
    await inspect(page, "library-statistics-new");
  });
});

test("a table is imported, and everything can be taken along", async () => {
  const shelf = await api(ann, "POST", "/libraries", { libraryName: "From a table" });
  await withPage({}, async (page) => {
    await signIn(page, ann, `/library/in/${shelf.id}/import`);
    await field(page, "Or the table itself").fill("nonsense\nx\n");
    await button(page, "Import").click();
    await page.getByText("There is no column of the name nonsense").waitFor();
    await page.locator("input[type=file]").setInputFiles({
      name: "shelf.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(
        "type,title,authors,collection,order\nbook,First,A; B,Réihe,1\nfilm,Wrong,,,\n" +
          "video,Second,,,\nbook,Third,,Réihe,3\n",
      ),
    });
    await page.getByText("4 lines").waitFor();
    await button(page, "Import").click();
    await page.getByText("3 items added").waitFor();
    await page.getByText("row 2: type must be book or video").waitFor();
    await inspect(page, "library-imported");
    const left = await field(page, "Or the table itself").inputValue();
    assert.equal(left, "type,title,authors,collection,order\nfilm,Wrong,,,");
    await link(page, "Look at the library").click();
    await page.getByText("2 of 3").waitFor();
    const { items: added } = await api(ann, "GET", `/libraries/${shelf.id}/items?view=flat`);
    assert.deepEqual(
      added.map((it) => [it.type, it.title]),
      [
        ["book", "First"],
        ["video", "Second"],
        ["book", "Third"],
      ],
    );
    assert.deepEqual(added[0].authors, ["A", "B"]);
    await page.goto(`${server.web}/library/profile`);
    for (const format of ["CSV", "JSON"]) {
      const started = page.waitForEvent("download");
      await button(page, `Export as ${format}`).click();
      const file = await started;
      assert.equal(file.suggestedFilename(), `library.${format.toLowerCase()}`);
      const text = fs.readFileSync(await file.path(), "utf8");
      assert.match(text, /Éloge de l'ombre/);
      if (format === "JSON") assert.equal(JSON.parse(text).entities.Library.length, 4);
    }
  });
  await api(ann, "DELETE", `/libraries/${shelf.id}`);
});

test("a long library is read as far as one looks, and long gaps are one", async () => {
  const shelf = await api(ann, "POST", "/libraries", { libraryName: "Long" });
  const rows = Array.from({ length: 240 }, (_, i) => {
    const letter = String.fromCharCode(65 + (i % 26));
    return `${letter} title ${String(i).padStart(3, "0")},,`;
  });
  const series = Array.from({ length: 14 }, (_, i) => `Part ${i + 1},A series,${i + 1}`);
  await withPage({ width: 360 }, async (page) => {
    await signIn(page, ann, `/library/in/${shelf.id}/import`);
    const table = ["title,collection,order", ...rows, ...series, "Late one,A series,40"].join("\n");
    await field(page, "Or the table itself").fill(table);
    await button(page, "Import").click();
    await page.getByText("255 items added").waitFor();
    await link(page, "Look at the library").click();
    await page.locator(".item-row").first().waitFor();
    assert.ok((await page.locator(".item-row").count()) < 200);
    await page.getByRole("button", { name: "Go to Z" }).click();
    await page.waitForFunction(() => document.activeElement?.id === "letter-Z");
    await becomes(() => page.locator(".item-row").count(), 240);
    await inspect(page, "library-long");
    // What changes elsewhere is shown without losing the place.
    await api(ann, "POST", `/libraries/${shelf.id}/books`, { title: "Zz, the last of all" });
    await page.getByRole("link", { name: /^Zz, the last/ }).waitFor();
    await becomes(() => page.locator(".item-row").count(), 241);
    await page.getByRole("link", { name: "5 more" }).click();
    await heading(page, "A series").waitFor();
    await page.getByRole("link", { name: "15–39 is missing: add it" }).waitFor();
    await inspect(page, "library-long-series");
  });
  await api(ann, "DELETE", `/libraries/${shelf.id}`);
});

test("what was changed elsewhere is not overwritten unseen", async () => {
  await withPage({}, async (page) => {
    const { id } = libraries.Kitchen;
    const book = await api(ann, "POST", `/libraries/${id}/books`, { title: "Two at once" });
    const path = `/libraries/${id}/items/${book.id}`;
    await signIn(page, ann, `${hrefOf(book)}/edit`);
    await field(page, "Title").fill("Mine");
    await api(ann, "PATCH", path, { summary: "Theirs", title: "Their title" });
    await button(page, "Save").click();
    await page.getByRole("heading", { name: "This book was changed elsewhere" }).waitFor();
    await inspect(page, "library-conflict");
    assert.equal((await api(ann, "GET", path)).title, "Their title");
    const table = page.getByRole("region", { name: "Differences" });
    await table.getByRole("row").filter({ hasText: "Their title" }).waitFor();
    await button(page, "Back to the form").click();
    await becomes(() => field(page, "Title").inputValue(), "Mine");
    await becomes(() => field(page, "About it").inputValue(), "Theirs");
    await api(ann, "PATCH", path, { authors: ["Somebody"] });
    await button(page, "Save").click();
    await button(page, "Save my changes").click();
    await heading(page, "Mine").waitFor();
    const saved = await api(ann, "GET", path);
    assert.deepEqual([saved.title, saved.summary, saved.authors], ["Mine", "Theirs", ["Somebody"]]);
    await api(ann, "DELETE", path);

    // A library too, and a collection's name that is taken.
    await page.goto(`${server.web}/library/in/${id}/edit`);
    await field(page, "Description").fill("Mine");
    const before = libraries.Kitchen.description;
    await api(ann, "PATCH", `/libraries/${id}`, { description: "Theirs" });
    await button(page, "Save").click();
    await page.getByRole("heading", { name: "This library was changed elsewhere" }).waitFor();
    await button(page, "Drop mine").click();
    await becomes(() => field(page, "Description").inputValue(), "Theirs");
    await api(ann, "PATCH", `/libraries/${id}`, { description: before });
    await page.goto(`${server.web}/library/in/${id}/new-collection`);
    await field(page, "Name").fill("Kitchen notes");
    await button(page, "Make collection").click();
    await refused(page, "name").waitFor();
  });
});

test("what is deleted comes back, or goes when the page is left", async () => {
  await withPage({}, async (page) => {
    const library = await api(ann, "POST", "/libraries", { libraryName: "Short lived" });
    const book = await api(ann, "POST", `/libraries/${library.id}/books`, { title: "Leaf" });
    const path = `/libraries/${library.id}/items/${book.id}`;
    await api(ann, "POST", `${path}/lend`, { borrower: "Wind" });
    await signIn(page, ann, hrefOf(book));
    const row = page.getByRole("link", { name: /^Leaf/ });
    await button(page, "Delete").click();
    await heading(page, "Short lived").waitFor();
    await toast(page, "Leaf is deleted, although Wind has it").waitFor();
    await row.waitFor({ state: "hidden" });
    await button(page, "Undo").click();
    await row.waitFor();
    assert.equal((await api(ann, "GET", `${path}/events`)).items.length, 1);

    // The history of what is at home can be cleared, and comes back too.
    await api(ann, "POST", `${path}/return`);
    await row.click();
    await button(page, "Clear history").click();
    await page.getByText("It has never left the shelf").waitFor();
    await button(page, "Undo").click();
    await page.getByText("Back from Wind").waitFor();

    await button(page, "Delete").click();
    await heading(page, "Short lived").waitFor();
    await row.waitFor({ state: "hidden" });
    await inspect(page, "library-deleted");

    // What stood in a collection stays when it goes.
    const collections = `/libraries/${library.id}/collections`;
    const series = await api(ann, "POST", collections, { name: "Series" });
    const fields = { title: "Stays", collectionId: series.id };
    await api(ann, "POST", `/libraries/${library.id}/books`, fields);
    await page.getByRole("link", { name: "Series", exact: true }).click();
    await heading(page, "Series").waitFor();
    await button(page, "Delete").click();
    await heading(page, "Short lived").waitFor();
    await page.locator(".item-row").filter({ hasText: "Stays" }).waitFor();
    await button(page, "Undo").last().click();
    await page.getByRole("link", { name: "Series", exact: true }).waitFor();
    await page.goto(`${server.web}${hrefOf(book)}`);
    await page.getByText("This item is not here").waitFor();
    await page.goto(`${server.web}/library/in/${library.id}`);
    await field(page, "More about this library").click();
    await inspect(page, "library-more");
    await button(page, "Delete library").click();
    await heading(page, "Libraries").waitFor();
    await page.getByRole("link", { name: /Short lived/ }).waitFor({ state: "hidden" });
    await button(page, "Undo").click();
    await page.getByRole("link", { name: /Short lived/ }).waitFor();
    await api(ann, "DELETE", `/libraries/${library.id}`);
    await page.getByRole("link", { name: /Short lived/ }).waitFor({ state: "hidden" });
  });
});

test("ann shares a library, and bob sees it at once, and no more than he may", async () => {
  const { id } = libraries.Kitchen;
  const soups = items["Soups for a week"];
  await withPage({}, async (page) => {
    await withPage({ width: 360 }, async (his) => {
      await signIn(his, bob);
      await his.getByRole("link", { name: /Living room/ }).waitFor();
      await signIn(page, ann, `/library/in/${id}/sharing`);
      await page.getByText("Nobody else sees it").waitFor();
      for (const [email, words] of [
        ["nobody.here@example.org", /nobody here has this e-mail address/i],
        [ann.email, /it is your own library already/i],
        ["not an address", /./],
      ]) {
        await field(page, "E-mail address").fill(email);
        await button(page, "Share").click();
        await refused(page, "email").waitFor();
        await page.locator(".field-error").filter({ hasText: words }).waitFor();
      }
      await inspect(page, "library-sharing-refused");
      await field(page, "E-mail address").fill(bob.email);
      await button(page, "Share").click();
      await toast(page, "bob@example.org sees Kitchen now").waitFor();

      await his.getByRole("link", { name: /Kitchen/ }).click();
      await heading(his, "Kitchen").waitFor();
      await his.getByText("From Ann").waitFor();
      await his.getByRole("link", { name: /^Soups for a week/ }).waitFor();
      await becomes(() => his.getByRole("link", { name: "Add", exact: true }).count(), 0);
      await inspect(his, "library-bob-kitchen");
      await his.getByRole("link", { name: /^Soups for a week/ }).click();
      await his.getByRole("heading", { name: "Lent", exact: true }).waitFor();
      await becomes(() => his.getByText("Ilse").count(), 0);
      await becomes(() => his.getByRole("heading", { name: "History" }).count(), 0);

      // What ann allows, and what she does, bob sees without asking.
      await field(page, "They also see who has it").check();
      await toast(page, "They see who has what").waitFor();
      await his.getByRole("heading", { name: "With Ilse next door" }).waitFor();
      await inspect(his, "library-bob-item");
      await page.goto(server.web + hrefOf(soups));
      await heading(page, "Soups for a week").waitFor();
      await api(ann, "POST", `/libraries/${id}/items/${soups.id}/return`);
      await his.getByRole("heading", { name: "At home" }).waitFor();
      await page.getByRole("heading", { name: "Lend it" }).waitFor();
      await api(ann, "POST", `/libraries/${id}/items/${soups.id}/lend`, { borrower: "Ilse" });
      await page.getByRole("heading", { name: "With Ilse" }).waitFor();

      await page.goto(`${server.web}/library/in/${id}/sharing`);
      await page.getByRole("button", { name: "Stop sharing with bob@example.org" }).click();
      await toast(page, "bob@example.org no longer sees Kitchen").waitFor();
      await his.getByText("This item is not here").waitFor();
      await button(page, "Undo").click();
      await his.getByRole("heading", { name: "With Ilse" }).waitFor();

      // And bob can leave.
      await his.goto(`${server.web}/library/in/${id}`);
      await button(his, "Leave this library").click();
      await heading(his, "Libraries").waitFor();
      await his.getByRole("link", { name: /Kitchen/ }).waitFor({ state: "hidden" });
      await his.goto(`${server.web}/library/loans`);
      await his.getByText("Everything is at home").waitFor();
      await page.getByText("Nobody else sees it").waitFor();
    });
  });
  await api(ann, "PATCH", `/libraries/${id}`, { showBorrower: false });
});

test("letters, kinds, words and keys find things, and the address says how", async () => {
  await withPage({}, async (page) => {
    const living = `/library/in/${libraries["Living room"].id}`;
    await signIn(page, ann, living);
    const titles = () => page.locator(".item-row .item-title").allInnerTexts();
    await page.getByText("4 of 7").waitFor();
    const alone = await titles();
    assert.equal(alone[0], "Ásgarð: tales of the north");
    assert.deepEqual(alone, [...alone].sort(new Intl.Collator("en").compare));
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    await becomes(() => page.locator(":focus").innerText(), /^Dracula/);
    await page.getByRole("button", { name: "Go to W" }).click();
    await page.waitForURL(/letter=W/);
    await page.waitForFunction(() => document.activeElement?.id === "letter-W");
    await button(page, "Titles").click();
    await page.waitForURL(/view=flat/);
    await page.locator(".item-row").filter({ hasText: "Time Regained" }).waitFor();
    assert.equal((await titles()).length, 18);
    await button(page, "Lent").click();
    await page.waitForURL(/lent=true/);
    await page.locator(".item-row").nth(2).waitFor({ state: "detached" });
    await page.reload();
    await page.locator(".item-row").first().waitFor();
    await becomes(() => titles(), ["A Study in Scarlet", "Dracula"]);
    await button(page, "Videos").click();
    await page.getByText("Nothing fits").waitFor();
    await button(page, "Show everything").click();
    await page.locator(".item-row").filter({ hasText: "Time Regained" }).waitFor();

    await page.keyboard.press("g");
    await page.keyboard.press("a");
    await heading(page, "Everything").waitFor();
    await button(page, "Newest").click();
    await page.waitForURL(/sort=newest/);
    await page.locator(".item-row .item-title").first().getByText("Sunrise").waitFor();

    // Search as one types, and as a page of its own.
    await page.keyboard.press("/");
    await page.keyboard.type("frankenstien");
    await page.getByRole("option").filter({ hasText: "Frankenstein" }).waitFor();
    await inspect(page, "library-typeahead");
    await page.keyboard.press("Enter");
    await heading(page, "Frankenstein").waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("s");
    await field(page, "Words to look for").fill("conan doyle");
    await page.getByText("4 things found").waitFor();
    await page.waitForURL(/q=conan\+doyle/);
    await page.locator("mark", { hasText: "Conan" }).first().waitFor();
    await button(page, "Collections").click();
    await page.getByText("Nothing found").waitFor();
    await field(page, "Words to look for").fill("kitchen");
    await page.getByRole("link", { name: /^Kitchen notes/ }).waitFor();
    await button(page, "Shared with me").click();
    await page.getByText("Nothing found").waitFor();
    await button(page, "All").click();
    await field(page, "Words to look for").fill("knots");
    await page.getByText("Bob's box, Bob").waitFor();
    await page.getByRole("link", { name: /^Knots/ }).click();
    await page.getByRole("heading", { name: "At home" }).waitFor();
    await heading(page, "Knots").click();
    await page.keyboard.press("?");
    await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor();
  });
});

test("an item moves to another library and back, with its history", async () => {
  await withPage({}, async (page) => {
    const { Metropolis } = items;
    await signIn(page, ann, hrefOf(Metropolis));
    await button(page, "Move to another library").click();
    await field(page, "To the library").selectOption({ label: "Living room" });
    await field(page, "In the collection").selectOption({ label: "Sherlock Holmes" });
    await button(page, "Move").click();
    await toast(page, "Metropolis is in Living room now").waitFor();
    await page.getByText("Number 6 of").waitFor();
    await page.getByText("Lent to Paul").waitFor();
    await button(page, "Undo").click();
    await page.waitForURL(server.web + hrefOf(Metropolis));
    await page.getByText("Number 6 of").waitFor({ state: "hidden" });
    const path = `/libraries/${Metropolis.libraryId}/items/${Metropolis.id}`;
    assert.equal((await api(ann, "GET", path)).collectionId, undefined);
  });
});

test("plots say what the server says, as pictures and as tables", async () => {
  const { items: loans } = await api(ann, "GET", "/loans?state=all&limit=100");
  const { items: all } = await api(ann, "GET", "/items?limit=100");
  await withPage({}, async (page) => {
    await signIn(page, ann, "/library/statistics");
    await page.getByText("Videos by decade").waitFor();
    await page.getByRole("img", { name: /^Emma · Paul/ }).waitFor();
    await page.locator(".gantt rect").first().hover();
    await page.locator(".tip").filter({ hasText: "Soups for a week" }).waitFor();
    await button(page, "By borrower").click();
    await page.waitForURL(/by=borrower/);
    await page.getByRole("img", { name: /^Paul · Emma/ }).waitFor();
    await button(page, "90 days").click();
    await page.waitForURL(/days=90/);
    const buttons = page.getByRole("button", { name: "Table", exact: true });
    await becomes(() => buttons.count(), 9);
    while ((await buttons.count()) > 0) await buttons.first().click();
    await inspect(page, "library-statistics-tables");
    const cells = (name, column) =>
      page
        .getByRole("region", { name: `${name}, as a table` })
        .locator(`tbody td:nth-child(${column})`)
        .allInnerTexts();
    const sumOf = async (name, column) =>
      (await cells(name, column)).reduce((sum, text) => sum + Number.parseInt(text, 10), 0);
    const days = loans.reduce((sum, loan) => sum + loan.days, 0);
    assert.equal((await cells("Who had what, and when", 1)).length, loans.length);
    await becomes(() => sumOf("Who had what, and when", 6), days);
    await becomes(() => sumOf("Days out, by item", 2), days);
    await becomes(() => sumOf("Days out, by borrower", 2), days);
    await becomes(() => sumOf("How long loans last", 2), loans.length);
    await becomes(() => sumOf("Types", 2), all.length);
    await becomes(() => sumOf("Where they stand", 2), all.length);
    const videos = all.filter((it) => it.releaseYear !== undefined);
    await becomes(() => sumOf("Videos by decade", 2), videos.length);
    assert.equal((await cells("Items over time", 2))[0], String(all.length));
    const missing = Object.fromEntries(
      (await cells("How complete collections are", 1)).map((name, i) => [name, i]),
    );
    const gaps = await cells("How complete collections are", 5);
    assert.equal(gaps[missing["In Search of Lost Time"]], "4–6");
    assert.equal(gaps[missing["Kitchen notes"]], "none");
  });
});

test("what somebody typed is never more than text", async () => {
  const [name] = payloadTexts(20);
  await api(eve, "PATCH", "/me", { ownerName: payloadTexts(200)[0] });
  const library = await api(eve, "POST", "/libraries", {
    libraryName: name.slice(0, 20),
    description: payloadTexts(100)[0].slice(0, 100),
  });
  const path = `/libraries/${library.id}`;
  const texts = payloadTexts(150);
  const summary = payloadTexts(4000).join("\n\n").slice(0, 4000);
  const collections = [];
  const notes = payloadTexts(500);
  for (const [i, text] of payloadTexts(100).entries()) {
    const fields = { name: text, description: notes[i % notes.length] };
    collections.push(await api(eve, "POST", `${path}/collections`, fields));
    const libraryName = payloads[i * 2].slice(0, 20);
    await api(eve, "POST", "/libraries", { libraryName, description: text });
  }
  const added = [];
  for (const [i, title] of texts.entries()) {
    const people = [title.slice(0, 100), title.slice(100)].filter(Boolean);
    const isBook = i % 2 === 0;
    added.push(
      await api(eve, "POST", `${path}/${isBook ? "books" : "videos"}`, {
        title,
        summary: i === 0 ? summary : title,
        ...(isBook
          ? { authors: people }
          : { directors: people, cast: people, tmdbId: title.slice(0, 40) }),
        ...(i % 5 === 0 && { collectionId: collections[i % 8].id }),
      }),
    );
  }
  const first = `${path}/items/${added[0].id}`;
  for (const [i, text] of payloads.entries()) {
    await api(eve, "POST", `${first}/lend`, {
      borrower: text.slice(0, 50),
      note: notes[i % notes.length],
    });
    if (i < payloads.length - 1) await api(eve, "POST", `${first}/return`);
  }
  await withPage({}, async (page) => {
    const nothingRan = async (shot) => {
      const bad = "main :is(img, script, iframe, form[action], [onerror], [onload])";
      assert.equal(await page.locator(bad).count(), 0, shot);
      assert.equal(await page.locator("main a[href^=javascript], main a[href^=data]").count(), 0);
      await keepShot(page, `library-payload-${shot}`);
    };
    await signIn(page, eve);
    await page.locator(".bookcase").nth(collections.length).waitFor();
    await nothingRan("libraries");
    await page.goto(`${server.web}/library/in/${library.id}`);
    await page.locator(".item-row").first().waitFor();
    await nothingRan("contents");
    await page.goto(server.web + hrefOf(added[0]));
    await heading(page, added[0].title).waitFor();
    await page.locator(".timeline li").nth(198).waitFor();
    await nothingRan("item");
    await page.goto(`${server.web}${hrefOf(added[0])}/edit`);
    await page.locator("[name=title]").waitFor();
    await becomes(() => field(page, "Title").inputValue(), added[0].title);
    for (const collection of collections.slice(0, 3)) {
      await page.goto(`${server.web}/library/in/${library.id}/collection/${collection.id}`);
      await heading(page, collection.name).waitFor();
    }
    await nothingRan("collection");
    await page.goto(`${server.web}/library/loans?state=all`);
    await page.locator(".loan").first().waitFor();
    await nothingRan("loans");
    await page.goto(`${server.web}/library/statistics`);
    await page.locator("figcaption").filter({ hasText: "Types" }).waitFor();
    await nothingRan("statistics");
    await page.goto(`${server.web}/library/search?q=onerror`);
    await page.locator("mark").first().waitFor();
    await nothingRan("search");
    await page.goto(`${server.web}/library/search?q=${encodeURIComponent(payloads[1])}`);
    await page.getByText(/found/i).first().waitFor();
    await page.goto(`${server.web}/library/in/${library.id}/import`);
    await field(page, "Or the table itself").fill(`title\n"${payloads[0]}"\n`);
    await button(page, "Import").click();
    await page.getByText("1 item added").waitFor();
    await page.goto(`${server.web}/library/profile`);
    await field(page, "Name").waitFor();
    await nothingRan("profile");
  });
  await api(eve, "DELETE", path);
});

test("without a connection what was open can be read", async () => {
  await withPage({}, async (page) => {
    await signIn(page, ann);
    const open = async () => {
      await page.getByRole("link", { name: /Living room/ }).click();
      await page.getByRole("link", { name: /^Emma/ }).click();
      await page.getByText("Back from Zoë").waitFor();
    };
    await open();
    await page
      .getByRole("navigation", { name: "Library", exact: true })
      .getByText("Libraries")
      .click();
    await page.getByRole("link", { name: /Living room/ }).waitFor();
    await page.context().setOffline(true);
    await open();
    await page.getByText("The server cannot be reached. What you see was read earlier.").waitFor();
    await inspect(page, "library-offline");
    await field(page, "To whom").fill("Paul");
    await button(page, "Lend").click();
    await page.getByText("The server cannot be reached", { exact: true }).waitFor();
    await page.context().setOffline(false);
  });
});

for (const theme of ["light", "dark"]) {
  for (const width of [1280, 360]) {
    test(`every screen of the library, ${theme}, ${width} pixels wide`, async () => {
      const living = `/library/in/${libraries["Living room"].id}`;
      const dracula = items.Dracula;
      const collection = items["Swann's Way"].collectionId;
      const screens = [
        ["libraries", "/library", "Libraries"],
        ["contents", living, "Living room"],
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
