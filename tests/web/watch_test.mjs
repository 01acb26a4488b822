// WorthWatch in a real browser: its flows clicked through, and every screen looked at.

import assert from "node:assert/strict";
import fs from "node:fs";
import { describe, test } from "node:test";
import { becomes, inspect, touchDrag } from "./harness.mjs";
import { ann, bob, eve, heading, payloads, payloadTexts, toast, undo, visit } from "./visit.mjs";

const payload = '<img src=x onerror="alert(1)"><script>alert(2)</script>';
// The lists of the samples by their titles.
let lists;

const { server, api, withPage, signIn, signUp, until } = visit("watch", {
  title: "Watch",
  async ready() {
    await until(async () => {
      const popular = await api(null, "GET", "/watchlists?sort=popular");
      const { comments } = await commentsOf(popular.items[0]);
      const { items } = await api(null, "GET", "/movies/arrival/watchlists");
      return (
        popular.total === 5 &&
        popular.items.every((list) => list.saveCount === 2) &&
        comments.length > 0 &&
        items.length === 1
      );
    });
    const { items } = await api(null, "GET", "/watchlists");
    lists = Object.fromEntries(items.map((list) => [list.title, list]));
  },
});

async function commentsOf(list) {
  return { comments: (await api(null, "GET", `/watchlists/${list.watchlistId}/comments`)).items };
}
const slow = () => lists["Science fiction that thinks slowly"];
const thriller = () => lists["One evening, one thriller"];
const orderOf = async (who, id) =>
  (await api(who, "GET", `/watchlists/${id}/items?limit=100`)).items.map((it) => it.contentId);
const grip = (page, name) => page.getByRole("button", { name: new RegExp(`^Move ${name}, place`) });
// As a link does it, without loading the page anew.
const go = (page, address) =>
  page.evaluate((href) => {
    history.pushState(null, "", href);
    dispatchEvent(new PopStateEvent("popstate"));
  }, address);
const button = (page, name) => page.getByRole("button", { name, exact: true });

async function newList(who, fields, contents = []) {
  const list = await api(who, "POST", "/watchlists", { isPublic: false, ...fields });
  for (const name of contents) {
    const [contentType, contentId] = name.split("/");
    await api(who, "POST", `/watchlists/${list.watchlistId}/items`, { contentType, contentId });
  }
  return list;
}

test("visitors read what is public", async () => {
  await withPage({}, async (page) => {
    await page.goto(`${server.web}/watch`);
    await heading(page, "Discover").waitFor();
    await page.getByText("People love these").waitFor();
    await becomes(() => page.locator(".list-card").count(), 5);
    await inspect(page, "watch-visitor");
    await page.getByRole("link", { name: "One evening, one thriller" }).click();
    await heading(page, "One evening, one thriller").waitFor();
    await page.getByText("Lights off.", { exact: true }).waitFor();
    await page.getByText("Alien with the lights off was a mistake. Thank you.").waitFor();
    await page.getByText("How much have you seen?").waitFor();
    await becomes(() => page.getByLabel("What do you think?").count(), 0);
    await inspect(page, "watch-visitor-list");
    await page.getByRole("link", { name: "Parasite" }).click();
    await heading(page, "Parasite").waitFor();
    await page.getByText("3 ratings, 9.3 on average").waitFor();
    await page.goto(`${server.web}/watch/saved`);
    await heading(page, "Lists to come back to").waitFor();
    await inspect(page, "watch-visitor-saved");
    // What needs an account leads there and back.
    await page.goto(`${server.web}/watch/list/${slow().watchlistId}`);
    await button(page, "Save").click();
    await page.waitForURL(/\/signin\?next=/);
    assert.match(decodeURIComponent(page.url()), new RegExp(slow().watchlistId));
  });
});

test("from signing up to the last plot", async () => {
  const cleo = { email: "cleo.watches@example.org", password: "a long enough secret" };
  await withPage({}, async (page) => {
    await page.goto(`${server.web}/watch`);
    await heading(page, "Discover").waitFor();
    await signUp(page, cleo, "Cleo");
    await page.getByRole("link", { name: "Your lists" }).click();
    await heading(page, "Become a curator").waitFor();
    await button(page, "Apply").click();
    await page.locator("[name=statement][aria-invalid=true]").waitFor();
    await inspect(page, "watch-apply-refused");
    await page.getByLabel("What would you like to share?").fill("Films with trains in them.");
    await button(page, "Apply").click();
    await page.getByText("Your application is with the administrators").waitFor();
    await inspect(page, "watch-apply-waiting");

    // An administrator decides; this page follows by itself.
    await withPage({}, async (desk) => {
      await signIn(desk, eve, "/watch/admin");
      await desk.getByText("Films with trains in them.").waitFor();
      await inspect(desk, "watch-admin-queue");
      await button(desk, "Approve: Cleo").click();
      await toast(desk, "Cleo is a curator now").waitFor();
      await desk.getByText("Films with trains in them.").waitFor({ state: "hidden" });
    });
    await page.getByText("What would you recommend to a friend tonight?").waitFor();
    assert.equal((await api(cleo, "GET", "/me")).curatorStatus, "approved");

    // A list.
    await page.keyboard.press("n");
    await heading(page, "New list").waitFor();
    await button(page, "Make the list").click();
    await page.locator("[name=title][aria-invalid=true]").waitFor();
    await inspect(page, "watch-new-refused");
    await page.getByLabel("Title", { exact: true }).fill("Trains at night");
    await page.getByLabel("What it is about").fill("Nobody sleeps, *everybody* arrives.");
    await page.getByLabel("Tags").fill("Trains, night,trains");
    await button(page, "Make the list").click();
    await heading(page, "Edit Trains at night").waitFor();
    const { items: own } = await api(cleo, "GET", `/watchlists?q=trains`);
    const id = own[0].watchlistId;
    assert.deepEqual(own[0].tags, ["trains", "night"]);

    // Titles: found by words, or added to the catalogue first.
    const finder = page.getByLabel("Add a film or series");
    for (const [words, name] of [
      ["the general", "The General"],
      ["spirited", "Spirited Away"],
      ["the wire", "The Wire"],
    ]) {
      await heading(page, "Edit Trains at night").click();
      await page.keyboard.press("a");
      await page.keyboard.type(words);
      await page.getByRole("option").filter({ hasText: name }).first().waitFor();
      if (words === "spirited") await inspect(page, "watch-finder");
      await finder.press("Enter");
      await grip(page, name).waitFor();
    }
    await finder.fill("Night train to nowhere");
    await page.getByRole("link", { name: "Add it to the catalogue" }).click();
    await heading(page, "Add a title").waitFor();
    await becomes(
      () => page.getByLabel("Title", { exact: true }).inputValue(),
      "Night train to nowhere",
    );
    await page.getByLabel("Year", { exact: true }).fill("soon");
    await page.getByLabel("Minutes").fill("90");
    await page.getByLabel("Genres").fill("Drama, Thriller");
    await button(page, "Add title").click();
    await page.locator("[name=releaseYear][aria-invalid=true]").waitFor();
    await inspect(page, "watch-add-refused");
    await page.getByLabel("Year", { exact: true }).fill("1959");
    await button(page, "Add title").click();
    await heading(page, "Edit Trains at night").waitFor();
    await grip(page, "Night train to nowhere").waitFor();

    // A note on one of them.
    await button(page, "Add a note on The General").click();
    await page.getByLabel("Why The General?").fill("The **engine** is real.");
    await button(page, "Save note").click();
    await page.locator(".entry-note strong", { hasText: "engine" }).waitFor();

    // Their order, by keyboard and by hand.
    const before = await orderOf(cleo, id);
    assert.deepEqual(before.slice(0, 3), ["the-general", "spirited-away", "the-wire"]);
    const night = before[3];
    await grip(page, "The General").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.getByText("The General, place 3 of 4").waitFor({ state: "attached" });
    await toast(page, "The General is at place 3 now").waitFor();
    await until(async () => (await orderOf(cleo, id))[2] === "the-general");
    await becomes(() => page.evaluate(() => document.activeElement?.ariaLabel), /The General/);
    await button(page, "Undo").last().click();
    await until(async () => (await orderOf(cleo, id))[0] === "the-general");
    await page.getByRole("button", { name: "Move The General, place 1" }).waitFor();
    await page.getByRole("button", { name: "Move The Wire, place 3" }).waitFor();
    const from = await grip(page, "Night train to nowhere").boundingBox();
    const to = await grip(page, "The General").boundingBox();
    await page.mouse.move(from.x + 10, from.y + 10);
    await page.mouse.down();
    await page.mouse.move(to.x + 10, to.y + 60, { steps: 4 });
    await page.mouse.move(to.x + 10, to.y - 8, { steps: 4 });
    await page.locator(".edit-row.drop-before").waitFor();
    await inspect(page, "watch-dragging");
    await page.mouse.up();
    await page.getByRole("button", { name: "Move Night train to nowhere, place 1" }).waitFor();
    await until(async () => (await orderOf(cleo, id))[0] === night);
    assert.deepEqual(await orderOf(cleo, id), [night, ...before.slice(0, 3)]);

    // The list as others see it, and how far its curator is with it.
    await page.getByRole("link", { name: "See the list" }).click();
    await heading(page, "Trains at night").waitFor();
    await page.getByText("0 of 4 seen").waitFor();
    await page.getByText("Runtime left: 4 h 54 min").waitFor();
    await button(page, "Seen: The General").click();
    await page.getByText("1 of 4 seen").waitFor();
    await page.getByText("Runtime left: 3 h 35 min").waitFor();
    assert.deepEqual(await api(cleo, "GET", `/watchlists/${id}/progress`), {
      seen: 1,
      total: 4,
      runtimeLeft: 215,
    });
    await inspect(page, "watch-list-new");
    await page.getByLabel("Only what is left").check();
    await page.waitForURL(/show=unseen/);
    await page.locator(".entry", { hasText: "The General" }).waitFor({ state: "hidden" });

    // A title: rated, reviewed, and what that does to its figures.
    await page.getByRole("link", { name: "Spirited Away", exact: true }).click();
    await heading(page, "Spirited Away").waitFor();
    await page.getByText("3 ratings, 9.3 on average").waitFor();
    await page.locator(".half").nth(7).click();
    await toast(page, "You gave Spirited Away 8 of 10").waitFor();
    await page.getByText("4 ratings, 9 on average").waitFor();
    await button(page, "Write a review").click();
    await page.getByLabel("Review").fill("The train **over the water**.");
    await button(page, "Save review").click();
    await page.locator(".own-review strong", { hasText: "over the water" }).waitFor();
    await page.locator(".review strong", { hasText: "over the water" }).waitFor();
    await button(page, "Table").click();
    const table = page.getByRole("region", { name: /on average, as a table/ });
    const eight = table.getByRole("row").filter({ has: page.getByText("8", { exact: true }) });
    await becomes(() => eight.locator("td").nth(1).innerText(), "1");
    await inspect(page, "watch-title-new");
    const stored = await api(cleo, "GET", "/me/ratings");
    assert.equal(stored.items[0].rating, 8);
    assert.equal(stored.items[0].review, "The train **over the water**.");
    // Other stars keep the words.
    await page.locator(".half").nth(8).click();
    await toast(page, "You gave Spirited Away 9 of 10").waitFor();
    const again = await api(cleo, "GET", "/me/ratings");
    assert.equal(again.items[0].review, "The train **over the water**.");

    // What a curator has done.
    await page.getByRole("link", { name: "Profile" }).click();
    await page.getByLabel("Name").fill("C");
    await button(page, "Save").click();
    await page.locator("[name=username][aria-invalid=true]").waitFor();
    await inspect(page, "watch-profile-refused");
    await page.getByLabel("Name").fill("Cleo of the trains");
    await button(page, "Save").click();
    await toast(page, "Your profile is saved").waitFor();
    await page.getByRole("link", { name: "As others see it" }).click();
    await heading(page, "Cleo of the trains").waitFor();
    await page.getByRole("img", { name: /^Per month/ }).waitFor();
    await button(page, "Table").last().click();
    const months = page.getByRole("region", { name: "Per month, as a table" });
    const last = months.getByRole("row").last();
    assert.deepEqual((await last.locator("td").allInnerTexts()).slice(1), ["4", "1"]);
    await inspect(page, "watch-curator-new");
    await api(cleo, "DELETE", `/watchlists/${id}`);
    await api(eve, "DELETE", `/movies/${night}?force=true`);
  });
});

test("a finger puts titles in order on a phone", async () => {
  const list = await newList(ann, { title: "By finger" }, [
    "MOVIE/arrival",
    "SHOW/the-wire",
    "MOVIE/12-angry-men",
  ]);
  const before = await orderOf(ann, list.watchlistId);
  await withPage({ width: 360, hasTouch: true }, async (page) => {
    await signIn(page, ann, `/watch/list/${list.watchlistId}/edit`);
    const row = (place) => page.locator(".edit-row").nth(place - 1);
    await row(3).waitFor();
    await row(2).scrollIntoViewIfNeeded();
    await touchDrag(page, row(1).locator(".grip"), row(3).locator(".edit-tools"), {
      held: page.locator(".edit-row.is-dragged"),
      over: page.locator(".edit-row.drop-after"),
    });
    await toast(page, "Arrival is at place 3 now").waitFor();
    await until(async () => (await orderOf(ann, list.watchlistId))[2] === "arrival");
    await inspect(page, "watch-touch-order");
    await undo(page, "Arrival is at place 3 now").tap();
    await until(async () => (await orderOf(ann, list.watchlistId))[0] === "arrival");
    assert.deepEqual(await orderOf(ann, list.watchlistId), before);

    // Who cannot drag presses the dots.
    await page.getByRole("button", { name: "Move Arrival, place 1" }).tap();
    await page.getByRole("group", { name: "Where to move Arrival" }).waitFor();
    await inspect(page, "watch-touch-menu");
    assert.ok(await button(page, "Up").isDisabled());
    await button(page, "Down").tap();
    await page.getByRole("button", { name: "Move Arrival, place 2" }).waitFor();
    await button(page, "To the end").tap();
    await toast(page, "Arrival is at place 3 now").waitFor();
    await until(async () => (await orderOf(ann, list.watchlistId))[2] === "arrival");
    await page.getByRole("button", { name: "Move Arrival, place 3" }).tap();
    await page.getByRole("group", { name: "Where to move Arrival" }).waitFor({ state: "detached" });
  });
  await api(ann, "DELETE", `/watchlists/${list.watchlistId}`);
});

test("a list that was changed elsewhere is not overwritten unseen", async () => {
  const list = await newList(ann, { title: "Two at once", tags: ["old"] }, [
    "MOVIE/alien",
    "MOVIE/moon",
    "MOVIE/arrival",
  ]);
  const id = list.watchlistId;
  await withPage({}, async (page) => {
    await signIn(page, ann, `/watch/list/${id}/edit`);
    await page.getByLabel("Title", { exact: true }).fill("Mine");
    await api(ann, "PATCH", `/watchlists/${id}`, { title: "Theirs", description: "Their words" });
    await button(page, "Save").click();
    await page.getByRole("heading", { name: "This list was changed elsewhere" }).waitFor();
    await inspect(page, "watch-conflict");
    assert.equal((await api(ann, "GET", `/watchlists/${id}`)).title, "Theirs");
    await page
      .getByRole("region", { name: "Differences" })
      .getByRole("row")
      .filter({ hasText: "Theirs" })
      .waitFor();
    await button(page, "Save my changes").click();
    await toast(page, "Mine is saved").waitFor();
    const saved = await api(ann, "GET", `/watchlists/${id}`);
    assert.deepEqual([saved.title, saved.description], ["Mine", "Their words"]);

    // The order: moved here while it was moved there.
    await heading(page, "Edit Mine").waitFor();
    await grip(page, "Alien").focus();
    await page.keyboard.press("ArrowDown");
    await api(ann, "PUT", `/watchlists/${id}/order`, {
      order: ["MOVIE/arrival", "MOVIE/alien", "MOVIE/moon"],
    });
    await page.getByRole("heading", { name: "The order was changed elsewhere" }).waitFor();
    await inspect(page, "watch-order-conflict");
    assert.deepEqual(await orderOf(ann, id), ["arrival", "alien", "moon"]);
    await button(page, "Save mine").click();
    await toast(page, "Your order is saved").waitFor();
    assert.deepEqual(await orderOf(ann, id), ["moon", "alien", "arrival"]);
    await page.getByRole("button", { name: "Move Moon, place 1" }).waitFor();
  });
  await api(ann, "DELETE", `/watchlists/${id}`);
});

test("what is deleted comes back, or goes when the page is left", async () => {
  const list = await newList(ann, { title: "Short lived" }, ["MOVIE/alien", "MOVIE/moon"]);
  const id = list.watchlistId;
  await api(ann, "POST", `/watchlists/${id}/comments`, { commentText: "A word to myself" });
  await withPage({}, async (page) => {
    await signIn(page, ann, `/watch/list/${id}`);
    const undo = button(page, "Undo").last();
    const comment = page.getByText("A word to myself");
    await button(page, "Delete comment").click();
    await comment.waitFor({ state: "hidden" });
    await undo.click();
    await comment.waitFor();
    await button(page, "Edit comment").click();
    await page.getByLabel("Your comment").fill("A better word");
    await button(page, "Save comment").click();
    await page.getByText("A better word").waitFor();

    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await button(page, "Remove Alien from the list").click();
    await grip(page, "Alien").waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Move Moon, place 1" }).waitFor();
    await undo.click();
    await grip(page, "Alien").waitFor();
    assert.deepEqual(await orderOf(ann, id), ["alien", "moon"]);

    await button(page, "Delete").click();
    await heading(page, "Your lists").waitFor();
    await page
      .getByRole("link", { name: /Maybe next month/ })
      .first()
      .waitFor();
    const there = page.getByRole("link", { name: "Private: Short lived" });
    await becomes(() => there.count(), 0);
    // The message waits for who has the pointer on it.
    await undo.hover();
    await inspect(page, "watch-deleted");
    await undo.click();
    await there.waitFor();
    await page.getByRole("link", { name: "Edit Short lived" }).click();
    await button(page, "Delete").click();
    await heading(page, "Your lists").waitFor();
    await page.goto(`${server.web}/watch/profile`);
    await heading(page, "Profile").waitFor();
    await page.goto(`${server.web}/watch/list/${id}`);
    await page.getByText("This list is not here").waitFor();

    // A rating that is taken back.
    await page.goto(`${server.web}/watch/movie/moon`);
    await button(page, "Take it back").click();
    await page.locator(".picker-words", { hasText: "Not rated" }).waitFor();
    await undo.click();
    await page.locator(".picker-words", { hasText: "7" }).waitFor();
    assert.equal((await api(ann, "GET", "/movies/moon")).me.rating, 7);
    // Who gives another one instead has given that one.
    await button(page, "Take it back").click();
    await page.locator(".picker-words", { hasText: "Not rated" }).waitFor();
    await page.locator(".half").nth(7).click();
    await toast(page, "You gave Moon 8 of 10").waitFor();
    await toast(page, "Your rating is taken back").waitFor({ state: "hidden" });
    await page.locator(".picker-words", { hasText: "8" }).waitFor();
    assert.equal((await api(ann, "GET", "/movies/moon")).me.rating, 8);
    await button(page, "Take it back").click();
    await toast(page, "Your rating is taken back").waitFor({ state: "hidden" });
    await until(async () => (await api(ann, "GET", "/movies/moon")).me?.rating === undefined);
    await page.locator(".half").nth(6).click();
    await page.locator(".picker-words", { hasText: "7" }).waitFor();
    assert.equal((await api(ann, "GET", "/movies/moon")).me.rating, 7);
  });
});

test("an open page follows what happens elsewhere", async () => {
  const id = thriller().watchlistId;
  // Bob has saved no list of Eve's with thrillers yet.
  await api(bob, "PUT", `/me/saved/${id}`);
  await withPage({}, async (page) => {
    await signIn(page, bob, `/watch/list/${id}`);
    await page.getByText("5 titles").first().waitFor();
    await api(eve, "POST", `/watchlists/${id}/items`, {
      contentType: "MOVIE",
      contentId: "12-angry-men",
      curatorNote: "Very hot.",
    });
    await page.getByText("Very hot.").waitFor();
    await page.getByText("6 titles").first().waitFor();
    await page.getByRole("link", { name: "Saved (1)" }).click();
    await page.locator(".feed .is-new", { hasText: "One evening, one thriller" }).waitFor();
    await page.getByText("1 change to its titles").waitFor();
    await inspect(page, "watch-feed-new");
    await button(page, "Mark as read").click();
    await page.getByRole("link", { name: "Saved", exact: true }).waitFor();
    assert.equal((await api(bob, "GET", "/me/feed")).items[0].seen, true);

    // A list that is private for a while.
    await api(eve, "PATCH", `/watchlists/${id}`, { isPublic: false });
    await page.getByText("A list that is not available").waitFor();
    await page.getByText("is no longer public").waitFor();
    await inspect(page, "watch-saved-away");
    await api(eve, "PATCH", `/watchlists/${id}`, { isPublic: true });
    await page.locator(".list-card", { hasText: "one thriller" }).waitFor();
    await page.getByText("changed since you looked").waitFor();

    // A list that is forgotten, by hand and back.
    await button(page, "Forget One evening, one thriller").click();
    await page.getByText("One evening, one thriller is no longer saved").waitFor();
    await becomes(() => page.locator(".list-card", { hasText: "one thriller" }).count(), 0);
    await button(page, "Undo").last().click();
    await page.locator(".list-card", { hasText: "one thriller" }).waitFor();
  });
  // The curator's own page hears of a comment.
  await withPage({}, async (page) => {
    await signIn(page, eve, `/watch/list/${id}`);
    await page.getByText("Alien with the lights off was a mistake.").waitFor();
    await api(bob, "POST", `/watchlists/${id}/comments`, { commentText: "Twelve is enough." });
    await page.getByText("Twelve is enough.").waitFor();
    await page.getByLabel("What do you think?").fill("  ");
    await button(page, "Comment").click();
    await page.locator("[name=commentText][aria-invalid=true]").waitFor();
    await page.getByLabel("What do you think?").fill("Eleven were *sure*.");
    await button(page, "Comment").click();
    await page.locator(".comment em", { hasText: "sure" }).waitFor();
  });
  await api(eve, "DELETE", `/watchlists/${id}/items/MOVIE/12-angry-men`);
});

test("a suspension hides lists, and ends", async () => {
  await withPage({}, async (page) => {
    await signIn(page, eve, "/watch/admin?status=approved");
    await button(page, "Suspend: Ann").click();
    await page.getByText("All public lists are hidden").waitFor();
    await inspect(page, "watch-suspend");
    await button(page, "Suspend").click();
    await toast(page, /Ann is suspended/).waitFor();
    await until(async () => (await api(null, "GET", "/watchlists")).items.length === 2);
    await button(page, "Undo").click();
    await toast(page, "Ann is a curator now").waitFor();
    await until(async () => (await api(null, "GET", "/watchlists")).items.length === 5);
  });
});

test("administrators read who did what, and nobody else does", async () => {
  const { userId } = await api(ann, "GET", "/me");
  const list = await newList(ann, { title: "Audited" }, ["MOVIE/arrival"]);
  await until(async () => {
    const { items } = await api(eve, "GET", `/admin/audit?user=${userId}`);
    return items.some((it) => it.entityKey.includes(list.watchlistId));
  });
  await withPage({}, async (page) => {
    await signIn(page, eve, "/watch/admin");
    await page.getByRole("link", { name: "Who did what" }).click();
    await heading(page, "Who did what").waitFor();
    await page.getByLabel("E-mail").fill("nobody@example.org");
    await button(page, "Look").click();
    await page.getByText("Nobody here has this address").waitFor();
    await page.getByLabel("E-mail").fill(ann.email);
    await button(page, "Look").click();
    await page.getByRole("heading", { name: "Ann" }).waitFor();
    const row = page.locator("tr", { hasText: `${list.watchlistId} METADATA` });
    await row.getByText("Created list").waitFor();
    await row.getByText("curatorId, title").waitFor();
    await inspect(page, "watch-audit");
    // Until the year before last there was nothing; the address says which time it is.
    await page.getByLabel("To", { exact: true }).fill("2001-01-01");
    await page.getByText("Nothing in this time").waitFor();
    assert.match(page.url(), /to=2001-01-01/);
    await page.getByLabel("To", { exact: true }).fill("");
    await row.getByRole("link", { name: "list" }).click();
    await heading(page, "Audited").waitFor();

    await go(page, "/watch/admin?status=approved");
    await page.getByRole("link", { name: "What they did: Ann" }).click();
    await page.locator("tr", { hasText: "METADATA" }).first().waitFor();
  });
  await withPage({}, async (page) => {
    const asked = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await signIn(page, bob);
    for (const address of ["/watch/admin", `/watch/admin/audit?user=${userId}`]) {
      await go(page, address);
      await page.getByText("For administrators").waitFor();
    }
    assert.ok(!asked.some((path) => path.includes("/admin/")), asked.join());
  });
  await api(ann, "DELETE", `/watchlists/${list.watchlistId}`);
});

test("what somebody typed is never more than text", async () => {
  const upTo = (most) => payloads.filter((text) => text.length <= most);
  const part = (all, i, size) => all.slice((i * size) % all.length).slice(0, size);
  const profile = await api(ann, "GET", "/me");
  const name = "<script>alert(1)</script>";
  await api(ann, "PATCH", "/me", { username: name });
  const texts = payloadTexts(200);
  const notes = payloadTexts(1000);
  const synopses = payloadTexts(2000);
  const films = [];
  for (const [i, title] of texts.entries()) {
    const film = await api(ann, "POST", "/movies", {
      title,
      synopsis: synopses[i % synopses.length],
      genres: part(upTo(50), i, 20),
      cast: part(upTo(100), i, 40),
      directors: part(upTo(100), i + 1, 40),
      releaseYear: 1999,
      runtime: 1,
    });
    films.push(film.movieId);
  }
  const made = [];
  for (const title of texts) made.push((await newList(ann, { title })).watchlistId);
  const id = made[0];
  for (const [i, contentId] of films.entries()) {
    await api(ann, "POST", `/watchlists/${id}/items`, {
      contentType: "MOVIE",
      contentId,
      curatorNote: notes[i % notes.length],
    });
  }
  for (const commentText of payloadTexts(2000))
    await api(ann, "POST", `/watchlists/${id}/comments`, { commentText });
  const review = payloadTexts(5000);
  for (const [i, film] of films.slice(0, review.length).entries())
    await api(ann, "PUT", `/me/ratings/MOVIE/${film}`, { rating: 1, review: review[i] });
  const nothing = async (page) => {
    assert.equal(await page.locator("main img, main script, main iframe").count(), 0);
    assert.equal(await page.locator("main a[href^=javascript], main a[href^=data]").count(), 0);
  };
  await withPage({}, async (page) => {
    await signIn(page, ann, `/watch/list/${id}`);
    await heading(page, texts[0]).waitFor();
    await page.locator(".comment").last().waitFor();
    await page
      .locator(".entry")
      .nth(films.length - 1)
      .waitFor();
    await nothing(page);
    await inspect(page, "watch-payload-list");
    // The words of a list, while it is open.
    for (const [i, description] of notes.entries()) {
      const title = texts[i + 1];
      const tags = part(upTo(50), i, 20);
      await api(ann, "PATCH", `/watchlists/${id}`, { title, description, tags });
      await heading(page, title).waitFor();
      await nothing(page);
    }
    await api(ann, "PATCH", `/watchlists/${id}`, { title: texts[0] });
    await go(page, `/watch/list/${id}/edit`);
    await page
      .locator(".edit-row")
      .nth(films.length - 1)
      .waitFor();
    await becomes(() => page.getByLabel("Title", { exact: true }).inputValue(), texts[0]);
    await nothing(page);
    await inspect(page, "watch-payload-edit");
    await go(page, `/watch/curator/${profile.userId}`);
    await heading(page, name).waitFor();
    for (const bio of payloadTexts(500)) {
      const read = page.waitForResponse((it) => it.url().includes(`/users/${profile.userId}`));
      await api(ann, "PATCH", "/me", { bio });
      await read;
      await nothing(page);
    }
    for (const address of [
      "/watch/titles",
      `/watch/titles?q=${encodeURIComponent(payload)}`,
      `/watch?tag=${encodeURIComponent(payload)}`,
      "/watch/mine",
      "/watch/ratings",
      "/watch/profile",
      ...films.slice(0, 5).map((film) => `/watch/movie/${film}`),
      `/watch/movie/${films[0]}/edit`,
    ]) {
      await go(page, address);
      await page.locator(".list-card, .poster, .problem, .own-ratings, form").first().waitFor();
      await nothing(page);
    }
    await page.goto(`${server.web}/watch/add?title=${encodeURIComponent(payload)}`);
    await becomes(() => page.getByLabel("Title", { exact: true }).inputValue(), payload);
    await heading(page, "Add a title").click();
    await page.keyboard.press("/");
    await page.keyboard.type("onerror");
    await page.getByRole("option").first().waitFor();
    await nothing(page);
  });
  // Applications are read by administrators.
  const applicants = [];
  for (const [i, statement] of payloadTexts(2000).entries()) {
    const who = { email: `mallory.${i}@example.org`, password: "a long enough secret" };
    const answer = await fetch(`${server.web}/auth/v1/signup`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...who, name: payloads.filter((text) => text.length <= 30)[i] }),
    });
    assert.ok(answer.ok, await answer.text());
    applicants.push((await api(who, "POST", "/me/curator-application", { statement })).userId);
  }
  await withPage({}, async (page) => {
    await signIn(page, eve, "/watch/admin");
    await page.locator(".queue-row").nth(applicants.length).waitFor();
    await nothing(page);
    await inspect(page, "watch-payload-admin");
  });
  for (const userId of applicants)
    await api(eve, "POST", `/admin/users/${userId}/curator`, { status: "refused" });
  for (const list of made) await api(ann, "DELETE", `/watchlists/${list}`);
  for (const film of films) await api(eve, "DELETE", `/movies/${film}?force=true`);
  await api(ann, "PATCH", "/me", { username: profile.username, bio: profile.bio });
});

test("lists and titles are found, and the address says how", async () => {
  await withPage({}, async (page) => {
    await signIn(page, bob);
    // Who is no curator yet is told how to become one.
    await page.locator(".list-card").first().waitFor();
    await page.keyboard.press("n");
    await heading(page, "Become a curator").waitFor();
    await page.goBack();
    await page.getByRole("navigation", { name: "Tags" }).getByText("classics").click();
    await page.waitForURL(/tag=classics/);
    await page.getByText("2 lists found").waitFor();
    await inspect(page, "watch-tag");
    await page.getByLabel("Find lists", { exact: true }).fill("black");
    await page.getByText("1 list found").waitFor();
    await page.waitForURL(/q=black/);
    await page.reload();
    await page.getByText("1 list found").waitFor();
    await page.getByLabel("Find lists", { exact: true }).fill("zzzzzz");
    await page.getByText("No list fits").waitFor();
    await page.getByRole("link", { name: "Show all lists" }).click();
    await page.locator(".list-card").nth(4).waitFor();

    await page.keyboard.press("g");
    await page.keyboard.press("t");
    await heading(page, "Titles").waitFor();
    await page.getByText("22 films").waitFor();
    await page.getByLabel("Genre").selectOption("Animation");
    await page.getByText("4 films found").waitFor();
    await page.getByLabel("Year", { exact: true }).fill("2001");
    await page.getByText("1 film found").waitFor();
    await page.waitForURL(/genre=Animation&year=2001/);
    await button(page, "Series").click();
    await page.getByText("0 series found").waitFor();
    await button(page, "Show all").click();
    await page.getByText("7 series").waitFor();
    await page.getByLabel("Order").selectOption("rating");
    await page.locator(".poster").first().waitFor();

    await page.keyboard.press("Escape");
    await heading(page, "Titles").click();
    await page.keyboard.press("/");
    await page.keyboard.type("kurosawa");
    await page.getByRole("option").filter({ hasText: "Seven Samurai" }).waitFor();
    await inspect(page, "watch-typeahead");
    await page.keyboard.press("Enter");
    await page.getByText("Akira Kurosawa").waitFor();
    await page.keyboard.press("?");
    await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor();
    await page.getByText("Rate it").waitFor();
    await inspect(page, "watch-keys");
  });
});

test("the plots are the server's figures, as pictures and as tables", async () => {
  const id = slow().watchlistId;
  const { items } = await api(eve, "GET", `/watchlists/${id}/items?limit=100`);
  const progress = await api(eve, "GET", `/watchlists/${id}/progress`);
  const activity = await api(eve, "GET", `/curators/${slow().curatorId}/activity`);
  await withPage({}, async (page) => {
    await signIn(page, eve, `/watch/list/${id}`);
    await page.getByText(`${progress.seen} of ${progress.total} seen`).waitFor();
    const open = async () => {
      const buttons = button(page, "Table");
      while ((await buttons.count()) > 0) await buttons.first().click();
    };
    const column = async (name, n) =>
      page
        .getByRole("region", { name: new RegExp(`^${name}.*, as a table$`) })
        .locator(`tbody td:nth-child(${n})`)
        .allInnerTexts();
    const sum = (texts) => texts.reduce((all, text) => all + Number(text), 0);
    const plot = page.getByRole("img", { name: /^Runtime left/ });
    await plot.hover();
    await page.locator(".plot-tip").waitFor();
    await open();
    await inspect(page, "watch-list-tables");
    assert.equal(
      (await column("Progress", 3)).filter((text) => text !== "no").length,
      progress.seen,
    );
    assert.equal(sum(await column("Runtime left", 3)), progress.runtimeLeft);
    assert.equal(
      sum(await column("Genres", 2)),
      items.reduce((all, it) => all + it.content.genres.length, 0),
    );
    assert.equal(sum(await column("Years", 2)), items.length);

    await page.goto(`${server.web}/watch/curator/${slow().curatorId}`);
    await page.getByText("A year of lists").waitFor();
    await open();
    const days = activity.items.map((day) => day.lists + day.items);
    assert.deepEqual((await column("A year of lists", 2)).map(Number), days);
    assert.equal(sum(await column("Per month", 2)) + sum(await column("Per month", 3)), sum(days));

    await page.goto(`${server.web}/watch/ratings`);
    await page.getByText("How you rate").waitFor();
    await open();
    const own = await api(eve, "GET", "/me/ratings?limit=100");
    assert.equal(sum(await column("How you rate", 2)), own.items.length);
    const tens = own.items.filter((it) => it.rating === 10).length;
    assert.equal((await column("How you rate", 2))[9], String(tens));

    await page.goto(`${server.web}/watch/movie/parasite`);
    await page.getByText("3 ratings, 9.3 on average").waitFor();
    await open();
    const { distribution } = await api(null, "GET", "/movies/parasite/ratings");
    assert.deepEqual((await column("3 ratings", 2)).map(Number), distribution);
  });
});

test("lists can be taken along, and come from files", async () => {
  await withPage({}, async (page) => {
    await signIn(page, ann, `/watch/list/${slow().watchlistId}`);
    const started = page.waitForEvent("download");
    await button(page, "CSV").click();
    const file = await started;
    assert.equal(file.suggestedFilename(), "Science-fiction-that-thinks-slowly.csv");
    const text = fs.readFileSync(await file.path(), "utf8");
    assert.match(text, /Where all of it comes from/);
    await page.goto(`${server.web}/watch/mine`);
    await page.getByText("Make a list from a file").click();
    await button(page, "Import").click();
    await page.getByText("Choose a file first").waitFor();
    await page.getByLabel("Title of the new list").fill("From a file");
    await page.getByLabel("File", { exact: true }).setInputFiles({
      name: "list.csv",
      mimeType: "text/csv",
      buffer: Buffer.from("title,year,id\nA film from a file,1999,from-file-1\n,2000,\n"),
    });
    await button(page, "Import").click();
    await page.getByText("1 title added").waitFor();
    await inspect(page, "watch-import");
    await page.getByText("Row 2: title is required").waitFor();
    await page.getByRole("link", { name: "Private: From a file" }).waitFor();
    await page.getByRole("link", { name: "Open the list, private so far" }).click();
    await heading(page, "Edit From a file").waitFor();
    await grip(page, "A film from a file").waitFor();
    const whole = page.waitForEvent("download");
    await page.goto(`${server.web}/watch/profile`);
    await button(page, "Export as JSON").click();
    const all = JSON.parse(fs.readFileSync(await (await whole).path(), "utf8"));
    const list = all.entities.Watchlist.find((it) => it.title === "From a file");
    await api(ann, "DELETE", `/watchlists/${list.watchlistId}`);
    await api(eve, "DELETE", "/movies/from-file-1?force=true");
  });
});

test("without a connection what was open can be read", async () => {
  await withPage({}, async (page) => {
    await signIn(page, bob);
    await page.getByRole("link", { name: "For the whole sofa" }).click();
    await page.getByText("Marmalade.").waitFor();
    await page.getByText("Paddington 2 is the best prison film.").waitFor();
    await page.goBack();
    await page.locator(".list-card").first().waitFor();
    await page.context().setOffline(true);
    await page.getByRole("link", { name: "For the whole sofa" }).click();
    await page.getByText("The server cannot be reached. What you see was read earlier.").waitFor();
    await page.getByText("Marmalade.").waitFor();
    await page.getByText("Paddington 2 is the best prison film.").waitFor();
    await inspect(page, "watch-offline");
    await page.getByLabel("What do you think?").fill("Into the void");
    await button(page, "Comment").click();
    await page.getByText("The server cannot be reached", { exact: true }).waitFor();
    await page.context().setOffline(false);
  });
});

describe("every screen", { concurrency: 2 }, () => {
  for (const theme of ["light", "dark"]) {
    for (const width of [1280, 360]) {
      test(`every screen of watch, ${theme}, ${width} pixels wide`, async () => {
        const { watchlistId: id, title } = thriller();
        const { userId } = await api(ann, "GET", "/me");
        const screens = [
          ["discover", "/watch", "Discover", ".list-card"],
          ["titles", "/watch/titles", "Titles", ".poster"],
          ["list", `/watch/list/${id}`, title, ".comment"],
          ["list-of-another", `/watch/list/${slow().watchlistId}`, slow().title, ".comment"],
          ["editor", `/watch/list/${id}/edit`, `Edit ${title}`, ".edit-row"],
          ["new", "/watch/new", "New list", "form"],
          ["title", "/watch/movie/arrival", "Arrival", ".review"],
          ["add-title", "/watch/add", "Add a title", "form"],
          ["edit-title", "/watch/show/the-wire/edit", "Edit The Wire", "form"],
          ["saved", "/watch/saved", "Saved", ".how-far strong"],
          ["ratings", "/watch/ratings", "Your ratings", ".own-ratings li"],
          ["mine", "/watch/mine", "Your lists", ".list-card"],
          ["curator", `/watch/curator/${userId}`, "Ann", ".list-card"],
          ["profile", "/watch/profile", "Profile", "form"],
          ["admin", "/watch/admin", "Curators", ".queue-row"],
          ["audit", `/watch/admin/audit?user=${userId}`, "Who did what", ".data-table"],
        ];
        await withPage({ width, theme }, async (page) => {
          await signIn(page, eve);
          for (const [name, address, wanted, piece] of screens) {
            await go(page, address);
            await heading(page, wanted).waitFor();
            await page.locator(piece).first().waitFor();
            await inspect(page, `watch-${name}-${theme}-${width}`);
          }
          await go(page, "/watch/no/such/page");
          await page.getByText("There is nothing here").waitFor();
          await inspect(page, `watch-nothing-${theme}-${width}`);
        });
      });
    }
  }
});
