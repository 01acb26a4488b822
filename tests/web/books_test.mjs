// The Book Tracker in a real browser: its flows clicked through, and every screen looked at.

import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";
import { becomes, inspect, keepShot } from "./harness.mjs";
import { ann, heading, payloadTexts, toast, visit } from "./visit.mjs";

const payload = '<img src=x onerror="alert(1)"><script>alert(2)</script>';
const markdownPayload = `${payload} [click](javascript:alert(3)) **bold**`;

const {
  server,
  api: asReader,
  withPage,
  signIn,
  signUp,
  until,
} = visit("books", {
  title: "Books",
  async ready() {
    await until(async () => {
      const summary = await asReader(ann, "GET", "/stats/summary");
      return summary.counts.WISHLIST === 2 && summary.pages > 1000;
    });
  },
});

const save = (page) => page.getByRole("button", { name: "Save", exact: true });

test("from signing up to the last plot", async () => {
  const bea = { email: "bea.reads@example.org", password: "a long enough secret" };
  await withPage({}, async (page) => {
    await page.goto(`${server.web}/books`);
    await heading(page, "A shelf of your own").waitFor();
    await inspect(page, "books-welcome");
    await signUp(page, bea, "Bea");
    await page.getByText("Your shelf is empty").waitFor();
    await inspect(page, "books-empty");

    // A book: what the server refuses is said beside the field.
    await page.keyboard.press("n");
    await heading(page, "Add a book").waitFor();
    await page.getByLabel("Pages", { exact: true }).fill("many");
    await page.getByLabel("Rating").selectOption("4.5");
    await page.getByLabel("Price").fill("12.505");
    await page.getByLabel("Currency").fill("eur");
    await page.getByRole("button", { name: "Add book" }).click();
    await page.locator("[name=title][aria-invalid=true]").waitFor();
    await page.locator("[name=totalPages][aria-invalid=true]").waitFor();
    await inspect(page, "books-add-refused");
    await page.getByLabel("Title").fill("The Dispossessed");
    await page.getByLabel("Authors").fill("Ursula K. Le Guin\n\nNobody Else");
    await page.getByLabel("Pages", { exact: true }).fill("387");
    await page.getByRole("button", { name: "Add book" }).click();
    await page.getByText("at most 2 digits").first().waitFor();
    await page.getByLabel("Price").fill("12.5");
    await page.getByLabel("Store", { exact: true }).fill("Corner shop");
    await page.getByLabel("Bought on").fill(`${new Date().getUTCFullYear()}-01-02`);
    await page.getByRole("button", { name: "Add book" }).click();
    await heading(page, "The Dispossessed").waitFor();
    await page.getByText("12.50 EUR").first().waitFor();
    const { items } = await asReader(bea, "GET", "/books");
    assert.equal(items.length, 1);
    const book = items[0];
    assert.deepEqual(book.authors, ["Ursula K. Le Guin", "Nobody Else"]);
    assert.equal(book.rating, 4.5);
    assert.equal(book.price, 12.5);
    assert.equal(book.currency, "EUR");

    // Pages, by number, by percent, and earlier ones.
    await page.keyboard.press("p");
    await page.keyboard.type("42");
    await page.keyboard.press("Enter");
    await toast(page, "page 42, 10.9 %").waitFor();
    await page.getByRole("button", { name: "%", exact: true }).click();
    await page.getByLabel("I have read, in percent").fill("50");
    await save(page).click();
    await toast(page, /page 19[34], 50/).waitFor();
    await page.getByRole("button", { name: "Page", exact: true }).click();
    await page.getByLabel("I am on page").fill("999");
    await save(page).click();
    await page.getByText("The book has 387 pages").waitFor();
    await page.getByLabel("I am on page").fill("11");
    await page.getByRole("button", { name: "It was earlier" }).click();
    await page.getByLabel("When").fill("2026-01-05T20:30");
    await save(page).click();
    await page.getByRole("listitem").filter({ hasText: "5 Jan 2026" }).waitFor();
    const { items: events } = await asReader(bea, "GET", `/books/${book.id}/events`);
    assert.deepEqual(
      events.map((event) => event.page),
      [11, 42, 194],
    );
    assert.equal((await asReader(bea, "GET", `/books/${book.id}`)).currentPage, 194);
    await page.getByRole("img", { name: /^Page over time/ }).waitFor();
    await page.getByRole("button", { name: "Table" }).click();
    const table = page.getByRole("region", { name: "Page over time, as a table" });
    await becomes(() => table.getByRole("row").count(), 4);
    await inspect(page, "books-progress-table");

    // Read to the end: what follows is offered, not done.
    await page.getByLabel("I am on page").fill("387");
    await save(page).click();
    await page.getByRole("button", { name: "Mark as read" }).click();
    await page.getByRole("button", { name: "Mark as read" }).waitFor({ state: "hidden" });
    assert.equal((await asReader(bea, "GET", `/books/${book.id}`)).status, "READ");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Mark as read" }).waitFor();
    await page.getByLabel("State of the book").selectOption("READ");
    await page.getByText("Finished", { exact: true }).first().waitFor();

    // Notes.
    await page.keyboard.press("Escape");
    await heading(page, "The Dispossessed").click();
    await page.keyboard.press("m");
    await page.getByRole("button", { name: "Save note" }).click();
    await page.locator("textarea[aria-invalid=true]").waitFor();
    await page.getByLabel("New note").fill("Look up the **map**.\n\n- one\n- two");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.locator(".note-preview strong", { hasText: "map" }).waitFor();
    await inspect(page, "books-note-preview");
    await page.getByRole("button", { name: "Save note" }).click();
    await toast(page, "The note is saved").waitFor();
    await page.getByRole("button", { name: "Edit note" }).click();
    await page.getByLabel("Note", { exact: true }).fill("No map at all.");
    await page.getByRole("button", { name: "Save note" }).click();
    await page.getByText("No map at all.").waitFor();
    await page.getByRole("button", { name: "Delete note" }).click();
    await page.getByText("No map at all.").waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Undo" }).last().click();
    await page.getByText("No map at all.").waitFor();
    await inspect(page, "books-book-new");

    // A goal, and what the year adds up to.
    await page.getByRole("link", { name: "Profile" }).click();
    await page.getByLabel("Time zone").fill("Nowhere/Land");
    await page.getByRole("textbox", { name: "Books" }).fill("12");
    await page.getByLabel("Pages", { exact: true }).fill("3000");
    await page.getByRole("button", { name: "Save profile" }).click();
    await page.locator("[name=timeZone][aria-invalid=true]").waitFor();
    await inspect(page, "books-profile-refused");
    await page.getByLabel("Time zone").fill("Europe/Vienna");
    await page.getByRole("button", { name: "Save profile" }).click();
    await toast(page, "Your profile is saved").waitFor();
    const me = await asReader(bea, "GET", "/me");
    assert.equal(me.timeZone, "Europe/Vienna");
    assert.deepEqual(me.yearlyGoal, { year: new Date().getFullYear(), books: 12, pages: 3000 });
    await page.getByRole("link", { name: "Statistics" }).click();
    await page.getByText("1 of 12 books").waitFor();
    await page.getByText(/Goal, 1 a month/).waitFor();
    await page.getByText("Ratings of all books, 4.5 on average").waitFor();
    await inspect(page, "books-statistics-new");
  });
});

test("a book that was changed elsewhere is not overwritten unseen", async () => {
  await withPage({}, async (page) => {
    const book = await asReader(ann, "POST", "/books", { title: "Two at once", totalPages: 100 });
    await signIn(page, ann, `/books/book/${book.id}/edit`);
    await page.getByLabel("Title").fill("Mine");
    await asReader(ann, "PATCH", `/books/${book.id}`, { store: "Theirs", title: "Their title" });
    await save(page).click();
    await page.getByRole("heading", { name: "This book was changed elsewhere" }).waitFor();
    await inspect(page, "books-conflict");
    assert.equal((await asReader(ann, "GET", `/books/${book.id}`)).title, "Their title");
    const table = page.getByRole("region", { name: "Differences" });
    await table.getByRole("row").filter({ hasText: "Their title" }).waitFor();
    await page.getByRole("button", { name: "Back to the form" }).click();
    await becomes(() => page.getByLabel("Title").inputValue(), "Mine");
    await becomes(() => page.getByLabel("Store", { exact: true }).inputValue(), "Theirs");
    await asReader(ann, "PATCH", `/books/${book.id}`, { totalPages: 111 });
    await save(page).click();
    await page.getByRole("button", { name: "Save my changes" }).click();
    await heading(page, "Mine").waitFor();
    const saved = await asReader(ann, "GET", `/books/${book.id}`);
    assert.deepEqual([saved.title, saved.store, saved.totalPages], ["Mine", "Theirs", 111]);
    await asReader(ann, "DELETE", `/books/${book.id}`);
  });
});

test("a deleted book comes back, or goes when the page is left", async () => {
  await withPage({}, async (page) => {
    const book = await asReader(ann, "POST", "/books", { title: "Short lived", status: "PAUSED" });
    await asReader(ann, "POST", `/books/${book.id}/notes`, { content: "kept" });
    await signIn(page, ann, `/books/book/${book.id}`);
    const paused = page.getByRole("link", { name: /^Paused/ });
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await heading(page, "Shelf").waitFor();
    await page.getByRole("link", { name: /^Short lived/ }).waitFor({ state: "hidden" });
    await becomes(() => paused.innerText(), /1$/);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("link", { name: /^Short lived/ }).waitFor();
    await becomes(() => paused.innerText(), /2$/);
    const { items } = await asReader(ann, "GET", `/books/${book.id}/notes`);
    assert.equal(items.length, 1);

    await page.getByRole("link", { name: /^Short lived/ }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await heading(page, "Shelf").waitFor();
    await inspect(page, "books-deleted");
    await page.goto(`${server.web}/books/profile`);
    await heading(page, "Profile").waitFor();
    await page.goto(`${server.web}/books/book/${book.id}`);
    await page.getByText("This book is not here").waitFor();
  });
});

test("what somebody typed is never more than text", async () => {
  const book = await asReader(ann, "POST", "/books", {
    title: payload,
    authors: [payload],
    description: markdownPayload,
    store: payload,
    boughtAt: payload,
    price: 1,
    currency: "EUR",
    purchaseDate: `${new Date().getUTCFullYear()}-03-03`,
    totalPages: 10,
  });
  await asReader(ann, "POST", `/books/${book.id}/notes`, { content: markdownPayload });
  await asReader(ann, "POST", `/books/${book.id}/page`, { page: 5 });
  for (const text of payloadTexts(100)) {
    const { id } = await asReader(ann, "POST", "/books", {
      title: text,
      authors: [text],
      store: text,
    });
    await asReader(ann, "POST", `/books/${id}/notes`, { content: text });
  }
  const { displayName } = await asReader(ann, "GET", "/me");
  await asReader(ann, "PATCH", "/me", { displayName: payload });
  await withPage({}, async (page) => {
    await signIn(page, ann);
    await page.getByText(`${payload}'s books`).waitFor();
    await inspect(page, "books-payload-shelf");
    await page.keyboard.press("/");
    await page.keyboard.type("onerror");
    await page.getByRole("option").first().waitFor();
    await page.keyboard.press("Escape");
    await page.goto(`${server.web}/books/book/${book.id}`);
    await page.locator(".markdown strong", { hasText: "bold" }).nth(1).waitFor();
    assert.equal(await page.locator("main img, main script, main a[href^=javascript]").count(), 0);
    await inspect(page, "books-payload-book");
    await page.goto(`${server.web}/books/book/${book.id}/edit`);
    await becomes(() => page.getByLabel("Title").inputValue(), payload);
    await page.goto(`${server.web}/books/statistics`);
    await page.getByRole("listitem").filter({ hasText: payload }).waitFor();
    await page.goto(`${server.web}/books?q=${encodeURIComponent(payload)}`);
    await page.getByText(/found/).waitFor();
    const { items } = await asReader(ann, "GET", "/books?limit=100");
    const bad = items.filter((it) => it.store === it.title);
    assert.ok(bad.length >= 20);
    for (const { id, title } of bad) {
      await page.goto(`${server.web}/books/book/${id}`);
      await heading(page, title).waitFor();
      await page.locator(".book-note").first().waitFor();
      assert.equal(await page.locator("main img, main script, main iframe").count(), 0);
      assert.equal(await page.locator("main a[href^=javascript], main a[href^=data]").count(), 0);
      await asReader(ann, "DELETE", `/books/${id}`);
    }
  });
  await asReader(ann, "PATCH", "/me", { displayName });
});

test("the shelf is sorted, filtered and searched, and its address says how", async () => {
  await withPage({}, async (page) => {
    await signIn(page, ann);
    const titles = () => page.locator(".shelf .cover-title").allInnerTexts();
    await page.getByRole("link", { name: /^Read 16/ }).click();
    await page.getByRole("list", { name: "Read" }).waitFor();
    await page.getByLabel("Order").selectOption("title");
    await page.waitForURL(/sort=title/);
    await page
      .locator(".cover-title")
      .first()
      .getByText("Beloved")
      .or(page.getByText("A Wizard"))
      .first()
      .waitFor();
    await page.reload();
    await page.getByRole("list", { name: "Read" }).waitFor();
    const sorted = await titles();
    assert.equal(sorted.length, 16);
    assert.deepEqual(sorted, [...sorted].sort(new Intl.Collator("en").compare));
    await page.getByLabel(/^Filter by/).fill("le guin");
    await page.getByText("3 books found").waitFor();
    await page.waitForURL(/q=le\+guin/);
    await inspect(page, "books-filter");
    await page.getByLabel(/^Filter by/).fill("zzzzzz");
    await page.getByText("No book fits").waitFor();
    await page.getByRole("button", { name: "Show all books" }).click();
    await page.getByRole("list", { name: "Books" }).waitFor();
    assert.equal((await titles()).length, 26);
    await page.keyboard.press("/");
    await page.keyboard.type("karamzov");
    await page.getByRole("option").filter({ hasText: "The Brothers Karamazov" }).waitFor();
    await inspect(page, "books-typeahead");
    await page.keyboard.press("Enter");
    await heading(page, "The Brothers Karamazov").waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("t");
    await heading(page, "Statistics").waitFor();
    await page.keyboard.press("?");
    await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor();
  });
});

test("the year in figures is the server's, as plots and as tables", async () => {
  const summary = await asReader(ann, "GET", "/stats/summary");
  await withPage({}, async (page) => {
    await signIn(page, ann, "/books/statistics");
    await page.getByText("Spending per store").waitFor();
    const fact = page.locator(".fact").filter({ hasText: "Finished in" });
    await becomes(() => fact.innerText(), new RegExp(`\\b${summary.finished}\\b`));
    const buttons = page.getByRole("button", { name: "Table", exact: true });
    await becomes(() => buttons.count(), 8);
    while ((await buttons.count()) > 0) await buttons.first().click();
    await inspect(page, "books-statistics-tables");
    const sumOf = async (name, column) => {
      const region = page.getByRole("region", { name: `${name}, as a table` });
      const cells = await region.locator(`tbody td:nth-child(${column})`).allInnerTexts();
      return cells.reduce((sum, text) => sum + Number(text.replaceAll(/[^\d.]/g, "")), 0);
    };
    await becomes(() => sumOf("Books finished per month", 2), summary.finished);
    await becomes(() => sumOf("Pages per month", 2), summary.pages);
    const spent = summary.spending.total[0].amount;
    assert.equal((await sumOf("Spending per month, EUR", 2)).toFixed(2), spent.toFixed(2));
    assert.equal((await sumOf("Spending per store", 2)).toFixed(2), spent.toFixed(2));
    await becomes(() => sumOf("Books by state, today", 2), summary.books);
    await page.getByRole("button", { name: "Year", exact: true }).click();
    await page.waitForURL(/days=365/);
    const days = page.getByRole("region", { name: "Pages per day, as a table" });
    await days.getByRole("row").nth(365).waitFor();
    await page.getByLabel("Year", { exact: true }).selectOption({ index: 1 });
    await page.waitForURL(/year=20\d\d/);
    await page.getByText(/Finished in 20\d\d/).waitFor();
    await page.getByRole("button", { name: "Picture", exact: true }).first().click();
    const plot = page.getByRole("img", { name: /^Pages per day/ });
    await plot.hover();
    await page.locator(".plot-tip").waitFor();
    await inspect(page, "books-statistics-year-before");
  });
});

test("a page on paper has what it says, in light colours", async () => {
  await withPage({ theme: "dark" }, async (page) => {
    await signIn(page, ann, "/books/statistics");
    await heading(page, "Statistics").waitFor();
    await page.getByRole("img").first().waitFor();
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.getByRole("navigation", { name: "Books", exact: true }).waitFor({ state: "hidden" });
    assert.ok(await heading(page, "Statistics").isVisible());
    assert.equal(await page.getByRole("button").count(), 0);
    const colours = () =>
      page.evaluate(() => {
        const { backgroundColor } = getComputedStyle(document.documentElement);
        return [backgroundColor, getComputedStyle(document.body).color];
      });
    assert.deepEqual(await colours(), ["rgb(255, 255, 255)", "rgb(28, 38, 38)"]);
    await keepShot(page, "books-paper");
    await page.emulateMedia({ media: "screen" });
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    await becomes(() => page.evaluate(() => document.documentElement.dataset.theme), "dark");
  });
});

test("everything can be taken along", async () => {
  await withPage({}, async (page) => {
    await signIn(page, ann, "/books/profile");
    for (const format of ["CSV", "JSON"]) {
      const started = page.waitForEvent("download");
      await page.getByRole("button", { name: `Export as ${format}` }).click();
      const file = await started;
      assert.equal(file.suggestedFilename(), `books.${format.toLowerCase()}`);
      const text = fs.readFileSync(await file.path(), "utf8");
      assert.match(text, /Pedro Páramo/);
      if (format === "JSON") assert.equal(JSON.parse(text).entities.Book.length, 26);
    }
  });
});

test("books come along from elsewhere, looked at first", async () => {
  const ivy = { email: "ivy.imports@example.org", password: "a long enough secret" };
  const table =
    "Title,Author,My Rating,Exclusive Shelf,Number of Pages,Bookshelves with positions\n" +
    `${payload.replaceAll('"', "'")},A. Uthor,4,read,320,x\n` +
    '"Emma, again",Jane Austen; Ann Other,5,to-read,474,x\n' +
    ",Nobody,3,read,10,x\n";
  await withPage({}, async (page) => {
    await page.goto(`${server.web}/books/import`);
    await signUp(page, ivy, "Ivy");
    await heading(page, "Bring books along").waitFor();
    const submit = page.locator("button[type=submit]");
    // What is no table is refused in the server's words.
    await page.getByLabel("Or its text").fill("{");
    await submit.click();
    await becomes(async () => (await page.locator(".form-problem").innerText()) !== "", true);

    await page
      .getByLabel("A file")
      .setInputFiles({ name: "books.csv", mimeType: "text/csv", buffer: Buffer.from(table) });
    await becomes(() => page.getByLabel("Or its text").inputValue(), /Emma, again/);
    await submit.getByText("Look at it first").click();
    await page.getByText("2 books can be added").waitFor();
    await page.getByText("1 thing left out").waitFor();
    await page.getByText("Not used: Bookshelves with positions").waitFor();
    await page.getByText(/^book 3/).waitFor();
    assert.equal((await asReader(ivy, "GET", "/books")).items.length, 0);
    await inspect(page, "books-import-looked");
    await submit.getByText("Add 2 books").click();
    await page.getByText("2 books added").waitFor();
    const { items } = await asReader(ivy, "GET", "/books");
    assert.deepEqual(items.map((book) => book.title).sort(), [
      payload.replaceAll('"', "'"),
      "Emma, again",
    ]);
    // It is not there to be sent again.
    assert.equal(await page.getByLabel("Or its text").inputValue(), "");
    await page.getByRole("link", { name: "Look at the shelf" }).click();
    await page.getByText("Emma, again").first().waitFor();
    // An export is read too.
    const all = await asReader(ivy, "GET", "/export?format=json");
    await page.goto(`${server.web}/books/profile`);
    await page.getByRole("link", { name: "Bring books along" }).click();
    await page.getByLabel("Or its text").fill(JSON.stringify(all));
    await submit.click();
    await page.getByText("2 books can be added").waitFor();
    // What was looked at and changed is looked at again.
    await page.getByLabel("Or its text").fill("title\nThe Third");
    await submit.getByText("Look at it first").waitFor();
  });
});

test("without a connection what was open can be read", async () => {
  await withPage({}, async (page) => {
    await signIn(page, ann);
    await page.getByRole("link", { name: /^Emma/ }).click();
    await heading(page, "Emma").waitFor();
    await page.getByText("Page over time").waitFor();
    await page.getByText("Nothing noted").waitFor();
    await page.goBack();
    await page.getByRole("list", { name: "Books" }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole("link", { name: /^Emma/ }).click();
    await page.getByText("The server cannot be reached. What you see was read earlier.").waitFor();
    await heading(page, "Emma").waitFor();
    await page.getByText("Page over time").waitFor();
    await inspect(page, "books-offline");
    await page.getByLabel("I am on page").fill("3");
    await save(page).click();
    await page.getByText("The server cannot be reached", { exact: true }).waitFor();
    await page.context().setOffline(false);
  });
});

for (const theme of ["light", "dark"]) {
  for (const width of [1280, 360]) {
    test(`every screen of books, ${theme}, ${width} pixels wide`, async () => {
      const { items } = await asReader(ann, "GET", "/books?status=READING");
      const screens = [
        ["shelf", "/books", "Shelf"],
        ["reading", "/books?status=READING", "Shelf"],
        ["book", `/books/book/${items[0].id}`, items[0].title],
        ["edit", `/books/book/${items[0].id}/edit`, `Edit ${items[0].title}`],
        ["add", "/books/new", "Add a book"],
        ["statistics", "/books/statistics", "Statistics"],
        ["statistics-year", "/books/statistics?days=365", "Statistics"],
        ["profile", "/books/profile", "Profile"],
        ["import", "/books/import", "Bring books along"],
      ];
      await withPage({ width, theme }, async (page) => {
        await signIn(page, ann);
        for (const [name, address, title] of screens) {
          await page.goto(server.web + address);
          await heading(page, title).waitFor();
          await page.locator(".shelf, .plot, form").first().waitFor();
          await inspect(page, `books-${name}-${theme}-${width}`);
        }
        await page.goto(`${server.web}/books/no/such/page`);
        await page.getByText("There is nothing here").waitFor();
        await inspect(page, `books-nothing-${theme}-${width}`);
      });
    });
  }
}
