// What happens every day and must lose nothing: a server that is gone for a while, a session that
// ends, a step back, a dialog, another time zone, a larger type.

import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { becomes, inspect, keepShot } from "./harness.mjs";
import { ann, bob, heading, toast, undo, visit } from "./visit.mjs";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "everyday-"));
after(() => fs.rmSync(folder, { recursive: true, force: true }));

const { server, api, until, withPage, signIn, signUp } = visit("notes", {
  title: "Notes",
  flags: ["--data", folder, "--durability", "relaxed", "--sample-data"],
});

const button = (page, name) => page.getByRole("button", { name, exact: true });
const link = (page, name) => page.getByRole("link", { name, exact: true });
const banner = (page) => page.locator(".banner");
const secret = "a long enough secret";
let count = 0;
const somebody = () => ({ email: `everyday${(count += 1)}@example.org`, password: secret });

test("a server that is gone is missed, and found again without help", async () => {
  await withPage({}, async (page) => {
    await signIn(page, ann, "/notes/new");
    await page.getByLabel("Title", { exact: true }).fill("Written without a server");
    await page.getByLabel("Text", { exact: true }).fill("Every **word** of it.");
    await server.kill();
    await button(page, "Save note").click();
    await page.locator(".form-problem").getByText("The server cannot be reached").waitFor();
    await banner(page).waitFor();
    // Wherever the page is.
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    const { y } = await banner(page).boundingBox();
    assert.ok(y > 0 && y < 100, `the message is in sight, at ${y}`);
    await inspect(page, "lost-server");
    await server.startAgain();
    await banner(page).waitFor({ state: "hidden" });
    await becomes(
      () => page.getByLabel("Text", { exact: true }).inputValue(),
      "Every **word** of it.",
    );
    await button(page, "Save note").click();
    await heading(page, "Written without a server").waitFor();
    await page.locator(".paper strong", { hasText: "word" }).waitFor();

    // What was opened meanwhile comes when the server does.
    await page.goto(`${server.web}/studio`);
    await link(page, "TrestlePlatform").waitFor();
    await server.kill();
    await link(page, "TrestlePlatform").click();
    await banner(page).waitFor();
    await page.locator(".problem").waitFor();
    await server.startAgain();
    await banner(page).waitFor({ state: "hidden" });
    await page.getByRole("region", { name: "Items of TrestlePlatform" }).waitFor();
    assert.equal(await page.locator(".problem").count(), 0);
  });
});

// As if its hour were over: the server refuses the token, and the cookie is gone too.
async function endSession(page) {
  await page.context().clearCookies();
  const isOld = { token: undefined };
  await page.route("**/api/**", async (route) => {
    const token = (await route.request().allHeaders()).authorization;
    isOld.token ??= token;
    if (token !== isOld.token) return route.continue();
    return route.fulfill({
      status: 401,
      contentType: "application/problem+json",
      body: JSON.stringify({ code: "token-expired", detail: "the token has expired" }),
    });
  });
}

test("who has to sign in again does so where they are, and what they wanted goes on", async () => {
  await withPage({}, async (page) => {
    await signIn(page, ann, "/notes/new");
    await page.getByLabel("Title", { exact: true }).fill("Written for an hour");
    await endSession(page);
    await button(page, "Save note").click();
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    await dialog.waitFor();
    await page.locator("[name=password]:focus").waitFor();
    await inspect(page, "signed-out-writing");

    // Who does not want to keeps what was typed, and is asked once more.
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await page.locator(".form-problem").getByText("The token has expired").waitFor();
    await becomes(
      () => page.getByLabel("Title", { exact: true }).inputValue(),
      "Written for an hour",
    );
    await button(page, "Save note").click();
    await dialog.getByLabel(`Password of ${ann.email}`).fill("not this one");
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await dialog.getByText("password is wrong").waitFor();
    await dialog.getByLabel(`Password of ${ann.email}`).fill(ann.password);
    await page.keyboard.press("Enter");
    await heading(page, "Written for an hour").waitFor();
    await dialog.waitFor({ state: "detached" });

    // Changes elsewhere are heard of again.
    const { items } = await api(ann, "GET", "/notes?limit=100");
    const note = items.find((it) => it.title === "Written for an hour");
    await api(
      ann,
      "PATCH",
      `/notes/${note.id}`,
      { title: "Changed elsewhere" },
      {
        "If-Match": `"${note.version}"`,
        "Content-Type": "application/merge-patch+json",
      },
    );
    await heading(page, "Changed elsewhere").waitFor();
  });
});

test("who is signed in stays so when the server is too busy to say it", async () => {
  await withPage({}, async (page) => {
    await signIn(page, ann);
    let left = 2;
    await page.route("**/auth/v1/refresh", async (route) => {
      left -= 1;
      if (left < 0) return route.continue();
      return route.fulfill({ status: 503, contentType: "application/problem+json", body: "{}" });
    });
    await page.reload();
    await heading(page, "Notes").waitFor();
    await page.getByLabel(/^Account of/).waitFor();
  });
});

test("who signs out in one window has signed out in all", async () => {
  await withPage({}, async (page) => {
    await signIn(page, ann);
    const other = await page.context().newPage();
    await other.goto(`${server.web}/notes`);
    await other.getByLabel(/^Account of/).click();
    await button(other, "Sign out").click();
    await heading(other, "The frame that carries your tables.").waitFor();
    await heading(page, "What is due, and when").waitFor();
    await other.close();
  });
});

test("a step back leads to where one was", async () => {
  const una = somebody();
  await withPage({}, async (page) => {
    await page.goto(`${server.web}/notes`);
    await signUp(page, una, "Una");
    await page.getByText("Nothing to remember yet").waitFor();
    const notes = Array.from({ length: 150 }, (_, i) => ({
      title: `Note ${String(i + 1).padStart(3, "0")}`,
      tags: ["many"],
    }));
    await api(una, "POST", "/import", { notes }, { Prefer: "wait=20" });
    await page.goto(`${server.web}/notes?tag=many`);
    const one = link(page, "Note 140");
    // The list is longer than what is read at first.
    await until(async () => {
      await page.mouse.wheel(0, 4000);
      return (await one.count()) > 0;
    });
    await one.evaluate((it) => it.scrollIntoView({ block: "center" }));
    const before = await page.evaluate(() => scrollY);
    assert.ok(before > 3000, `${before} is far down`);
    await one.click();
    await heading(page, "Note 140").waitFor();
    await becomes(() => page.evaluate(() => scrollY), 0);
    await page.goBack();
    await one.waitFor();
    await becomes(() => page.evaluate(() => scrollY), before);
    assert.match(page.url(), /tag=many/);
    assert.equal(await page.getByLabel("Tag").inputValue(), "many");
    await page.goForward();
    await heading(page, "Note 140").waitFor();
    await page.goBack();
    await becomes(() => page.evaluate(() => scrollY), before);
    await page.reload();
    await one.waitFor();
    await becomes(() => page.evaluate(() => scrollY), before);
  });
});

// Opens a dialog from the keyboard, walks around in it, and leaves it.
async function visitDialog(page, opener, name) {
  await opener.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name });
  await dialog.waitFor();
  for (let i = 0; i < 24; i += 1) {
    await page.keyboard.press(i % 8 === 7 ? "Shift+Tab" : "Tab");
    const isInside = await dialog.evaluate(
      (it) => it.contains(document.activeElement) || document.activeElement === document.body,
    );
    assert.ok(isInside, `${name}: the focus is in the dialog after ${i + 1} steps`);
  }
  await dialog.getByRole("button", { name: "Close" }).focus();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  // The page gives it back when it has taken the dialog away.
  await becomes(() => opener.evaluate((it) => it === document.activeElement), true);
}

test("dialogs keep the focus, and give it back", async () => {
  await withPage({}, async (page) => {
    await signIn(page, ann);
    await visitDialog(page, button(page, "Keyboard shortcuts"), "Keyboard shortcuts");
    await page.goto(`${server.web}/notes/account`);
    await visitDialog(page, button(page, "Delete all notes"), "Delete all notes?");
    await page.goto(`${server.web}/account`);
    await visitDialog(page, button(page, "Delete account"), "Delete your account?");
    await page.goto(`${server.web}/stories/read/sample-1`);
    await page.goto(`${server.web}/studio`);
    await visitDialog(page, button(page, "New table"), "New table");
    await page.goto(`${server.web}/studio/tables/TrestlePlatform/settings`);
    await visitDialog(page, button(page, "Delete table"), "Delete TrestlePlatform?");
    await page.goto(`${server.web}/studio/tables/TrestlePlatform`);
    await visitDialog(page, page.locator("tr.opens").first(), /./);

    // The address opens it too, and a step back closes it.
    await page.locator("tr.opens").first().click();
    const sheet = page.getByRole("dialog");
    await sheet.locator(".cm-content").waitFor();
    await page.reload();
    await sheet.locator(".cm-content").waitFor();
    await page.goBack();
    await sheet.waitFor({ state: "hidden" });
  });
});

test("what was typed into an item survives a slip", async () => {
  await withPage({}, async (page) => {
    await page.goto(`${server.web}/studio/tables/TrestlePlatform`);
    await page.locator("tr.opens").first().click();
    const text = page.locator(".cm-content");
    await text.click();
    // Where it is in sight again, however long the item.
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("// mine ");
    // Leaves the text, not the dialog.
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    await becomes(() => page.evaluate(() => document.activeElement?.textContent), "Cancel");
    await page.keyboard.press("Enter");
    await undo(page, "Closed without saving").click();
    await text.getByText("// mine").waitFor();
  });
});

test("undo is one key away, and a message waits for who is there", async () => {
  await withPage({}, async (page) => {
    const { id } = await api(ann, "POST", "/notes", { title: "Hardly deleted" });
    await signIn(page, ann, `/notes/note/${id}`);
    await button(page, "Delete").click();
    await toast(page, "Hardly deleted is deleted").waitFor();
    await page.keyboard.press("z");
    await link(page, "Hardly deleted").waitFor();

    await page.goto(`${server.web}/notes/note/${id}`);
    await button(page, "Delete").click();
    await undo(page, "Hardly deleted is deleted").focus();
    // Longer than it is shown to who looks elsewhere.
    await page.waitForTimeout(6500);
    await page.keyboard.press("Enter");
    await link(page, "Hardly deleted").waitFor();
    assert.equal((await api(ann, "GET", `/notes/${id}`)).title, "Hardly deleted");
    await toast(page, "Hardly deleted is deleted").waitFor({ state: "hidden" });
  });
});

// Goes on until what is wanted has the focus: nobody here has a mouse.
async function tabTo(page, target) {
  await target.waitFor();
  for (let i = 0; i < 120; i += 1) {
    if (await target.evaluate((it) => it === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`the keyboard does not reach ${target}`);
}
const press = async (page, target, key = "Enter") => {
  await tabTo(page, target);
  await page.keyboard.press(key);
};

test("every application is used without a mouse", async () => {
  const kay = somebody();
  const type = (page, text) => page.keyboard.type(text);
  await withPage({}, async (page) => {
    await page.goto(server.web);
    await becomes(
      () => page.locator(".tile h3").allInnerTexts(),
      ["Books", "Library", "Watch", "Stories", "Notes", "Studio"],
    );
    await press(page, page.getByRole("link", { name: "Make an account" }));
    await tabTo(page, page.getByLabel("Name", { exact: true }));
    await type(page, "Kay");
    await page.keyboard.press("Tab");
    await type(page, kay.email);
    await page.keyboard.press("Tab");
    await type(page, kay.password);
    await page.keyboard.press("Enter");
    await page.getByLabel("Account of Kay").waitFor();

    await press(page, page.locator("a.tile", { hasText: "Books" }));
    await press(page, link(page, "Add a book").last());
    await tabTo(page, page.getByLabel("Title"));
    await type(page, "Nobody's Mouse");
    await press(page, button(page, "Add book"));
    await heading(page, "Nobody's Mouse").waitFor();
    await page.keyboard.press("p");
    await type(page, "12");
    await page.keyboard.press("Enter");
    await toast(page, "page 12").waitFor();
    await press(page, button(page, "Table"));
    await page.getByRole("region", { name: "Page over time, as a table" }).waitFor();

    await press(page, page.getByLabel("Applications").first());
    await press(page, link(page, "Library"));
    await heading(page, "Libraries").waitFor();
    await page.keyboard.press("n");
    await tabTo(page, page.getByLabel("Name", { exact: true }));
    await type(page, "Attic");
    await press(page, button(page, "Make library"));
    await heading(page, "Attic").waitFor();
    await page.keyboard.press("n");
    await tabTo(page, page.getByLabel("Title", { exact: true }));
    await type(page, "A lamp");
    await press(page, button(page, "Add book"));
    await heading(page, "A lamp").waitFor();
    await page.keyboard.press("l");
    await type(page, "Paul");
    await press(page, button(page, "Lend"));
    await page.getByRole("heading", { name: "With Paul" }).waitFor();
    await press(page, button(page, "It is back"));
    await toast(page, "A lamp is back").waitFor();

    await press(page, page.getByLabel("Applications").first());
    await press(page, link(page, "Watch"));
    await press(page, link(page, "For the whole sofa"));
    await heading(page, "For the whole sofa").waitFor();
    await press(page, page.getByRole("button", { name: /^Seen: / }).first());
    await page.getByText("1 of 6 seen").waitFor();
    await page.goto(`${server.web}/watch/movie/moon`);
    await heading(page, "Moon").waitFor();
    await page.keyboard.press("r");
    await page.keyboard.press("ArrowRight");
    await toast(page, /^You gave Moon/).waitFor();

    await page.goto(`${server.web}/stories`);
    await press(page, link(page, "The Keeper of Gannet Rock").last());
    await press(page, link(page, "Begin to read"));
    await heading(page, "The Lamp Goes Out").waitFor();
    await page.getByRole("link", { name: /The Print of a Hand/ }).waitFor();
    await page.keyboard.press("2");
    await heading(page, "The Print of a Hand").waitFor();
    await page.keyboard.press("u");
    await toast(page, "Voted up").waitFor();

    await page.goto(`${server.web}/notes`);
    await page.getByText("Nothing to remember yet").waitFor();
    await page.keyboard.press("a");
    await type(page, "Learn all keys today");
    await page.keyboard.press("Enter");
    await group(page, "Today").getByText("Learn all keys").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.getByText("All done").waitFor();
    await page.keyboard.press("z");
    await group(page, "Today").getByText("Learn all keys").waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
  });
});

const dayIn = (zone, days = 0) => {
  const today = new Date().toLocaleDateString("sv-SE", { timeZone: zone });
  return new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);
};
// When clocks there show half past midnight on a day.
function earlyOn(zone, day) {
  for (let at = Date.parse(day) - 16 * 3_600_000; ; at += 15 * 60_000) {
    const wall = new Date(at).toLocaleString("sv-SE", { timeZone: zone });
    if (wall === `${day} 00:30:00`) return new Date(at).toISOString();
  }
}
const group = (page, name) => page.getByRole("region", { name: new RegExp(`^${name}`) });
const rowsOf = async (page, title) => {
  const figure = page.getByRole("figure", { name: new RegExp(`^${title}`) });
  await figure.getByRole("button", { name: "Table" }).click();
  return figure
    .locator("tbody tr")
    .evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.innerText)));
};

for (const zone of ["America/Los_Angeles", "Asia/Kolkata", "Pacific/Kiritimati"]) {
  test(`days are those of ${zone}`, async () => {
    const who = somebody();
    const today = dayIn(zone);
    const tomorrow = dayIn(zone, 1);
    await withPage({ zone }, async (page) => {
      await page.goto(`${server.web}/notes`);
      await signUp(page, who, "Zoë");
      await page.getByText("Nothing to remember yet").waitFor();
      // Chromium has its own name for one of them.
      const name = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
      await until(async () => (await api(who, "GET", "/me")).timeZone === name);
      await api(who, "POST", "/notes", { title: "A day that is over", deadline: dayIn(zone, -1) });
      await api(who, "POST", "/notes", { title: "All of today", deadline: today });
      await api(who, "POST", "/notes", { title: "Early", deadline: earlyOn(zone, tomorrow) });
      await page.reload();
      await group(page, "Overdue").getByText("A day that is over").waitFor();
      await group(page, "Today").getByText("All of today").waitFor();
      await group(page, "Tomorrow").getByText("Early").waitFor();
      await page.getByText("Tomorrow, 00:30").waitFor();

      // A line is about the days here, and so is what is kept of it.
      await page.keyboard.press("a");
      await page.keyboard.type("Very late tomorrow 23:45");
      await page.keyboard.press("Enter");
      await group(page, "Tomorrow").getByText("Very late").waitFor();

      await link(page, "Calendar").click();
      await page.locator(`[data-day="${today}"] [aria-current=date]`).waitFor();
      await page.goto(`${server.web}/notes/calendar?date=${tomorrow}`);
      const day = page.locator(`td[data-day="${tomorrow}"]`);
      await day.getByText("Early").waitFor();
      await day.getByText("Very late").waitFor();
      await page.goto(`${server.web}/notes/statistics`);
      await heading(page, "Statistics").waitFor();
      const due = await rowsOf(page, "Notes due per day");
      assert.deepEqual(due, [
        [dayIn(zone, -1), "1"],
        [today, "1"],
        [tomorrow, "2"],
      ]);
      await keepShot(page, `zone-${zone.replace("/", "-")}`);

      // Pages of a book, too.
      await page.goto(`${server.web}/books/new`);
      await page.getByLabel("Title").fill("Around the World");
      await page.getByLabel("Pages", { exact: true }).fill("300");
      await button(page, "Add book").click();
      await heading(page, "Around the World").waitFor();
      await page.getByLabel("I am on page").fill("80");
      await page.keyboard.press("Enter");
      await toast(page, "page 80").waitFor();
      await page.goto(`${server.web}/books/statistics`);
      await heading(page, "Statistics").waitFor();
      await page.getByText("Longest streak").waitFor();
      assert.deepEqual(await rowsOf(page, "A year of reading"), [[today, "80"]]);

      // And what was lent for a week.
      const attic = await api(who, "POST", `${library}/libraries`, { libraryName: "Attic" });
      const books = `${library}/libraries/${attic.id}/books`;
      const lamp = await api(who, "POST", books, { title: "Lamp" });
      await page.goto(`${server.web}/library/in/${attic.id}/item/${lamp.id}`);
      await button(page, "A week").click();
      await becomes(() => page.getByLabel("Until").first().inputValue(), dayIn(zone, 7));
    });
  });
}

const library = "/api/library/v1";
const longWord = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";
const rightToLeft = "كتاب الأغاني: 3 أجزاء";

test("long words, other scripts and large type break no page", async () => {
  const who = somebody();
  for (const width of [360, 640]) {
    await withPage({ width }, async (page) => {
      if (width === 360) {
        await page.goto(`${server.web}/notes`);
        await signUp(page, who, `${longWord.slice(0, 60)}`);
        await page.getByText("Nothing to remember yet").waitFor();
        for (const title of [longWord, rightToLeft])
          await api(who, "POST", "/notes", {
            title,
            content: `${longWord}${longWord}\n\n${rightToLeft}`,
            tags: [longWord.slice(0, 40)],
            deadline: dayIn("UTC"),
          });
        for (const title of [longWord, rightToLeft]) {
          const authors = [longWord, rightToLeft];
          await api(who, "POST", "/api/books/v1/books", { title, authors });
          await api(who, "POST", `${library}/libraries`, { libraryName: title.slice(0, 20) });
        }
        const { items: shelves } = await api(who, "GET", `${library}/libraries`);
        const shelf = `${library}/libraries/${shelves[0].id}`;
        const fields = { title: longWord, authors: [longWord] };
        const thing = await api(who, "POST", `${shelf}/books`, fields);
        await api(who, "POST", `${shelf}/items/${thing.id}/lend`, {
          borrower: longWord.slice(0, 50),
        });
      } else await signIn(page, who);
      const { items } = await api(who, "GET", "/notes");
      const { items: books } = await api(who, "GET", "/api/books/v1/books");
      const [thing] = (await api(who, "GET", `${library}/items`)).items;
      const book = books.find((it) => it.title === longWord);
      for (const [name, address] of [
        ["shelf", "/books"],
        ["book", `/books/book/${book.id}`],
        ["book-edit", `/books/book/${book.id}/edit`],
        ["libraries", "/library"],
        ["contents", `/library/in/${thing.libraryId}`],
        ["thing", `/library/in/${thing.libraryId}/item/${thing.id}`],
        ["loans", "/library/loans"],
        ["library-statistics", "/library/statistics"],
        ["list", "/notes"],
        ["calendar", "/notes/calendar"],
        ["week", "/notes/calendar?view=week"],
        ["timeline", "/notes/timeline"],
        ["note", `/notes/note/${items.find((it) => it.title === longWord).id}`],
        ["arabic", `/notes/note/${items.find((it) => it.title === rightToLeft).id}`],
        ["edit", `/notes/note/${items.find((it) => it.title === longWord).id}/edit`],
        ["account", "/notes/account"],
        ["own", "/account"],
      ]) {
        await page.goto(server.web + address);
        await page.locator("h1").waitFor();
        await page.locator(".loading").waitFor({ state: "detached" });
        await inspect(page, `long-${name}-${width}`);
      }
    });
  }
});

test("nothing moves for who wants it so", async () => {
  for (const [motion, expected] of [
    ["reduce", "none"],
    ["no-preference", "rise"],
  ]) {
    await withPage({ motion }, async (page) => {
      const { id } = await api(bob, "POST", "/notes", { title: `Moves: ${motion}` });
      await signIn(page, bob, `/notes/note/${id}`);
      await button(page, "Delete").click();
      const message = page.locator(".toast").first();
      assert.equal(await message.evaluate((it) => getComputedStyle(it).animationName), expected);
    });
  }
});
