// The Story Hub in a real browser: its flows clicked through, and every screen looked at.

import assert from "node:assert/strict";
import fs from "node:fs";
import { after, before, test } from "node:test";
import { inspect, keepShot } from "./harness.mjs";
import { ann, bob, eve, heading, payloads, payloadTexts, toast, visit } from "./visit.mjs";

const prose =
  "The road went on behind the mill, and nobody had told her that it would. ".repeat(8) +
  "\n\nThen it **stopped**.";
const synopsis = "A road that nobody has drawn on any map, and the girl who follows it to its end.";
let server;
let api;
let withPage;
let signIn;
let signUp;
let until;
let close;

before(async () => {
  ({ server, api, withPage, signIn, signUp, until, close } = await visit("stories", {
    title: "Stories",
  }));
  await until(async () => {
    const { unreadCount } = await api(ann, "GET", "/me/notifications");
    const { items } = await api(undefined, "GET", "/stories?sort=popular");
    return unreadCount >= 10 && items.length === 4;
  });
});

after(() => close?.());

const button = (page, name) => page.getByRole("button", { name, exact: true });
const link = (page, name) => page.getByRole("main").getByRole("link", { name, exact: true });
const readAddress = (story, node) => `/stories/story/${story}/read/${node}`;

async function beginStory(who, fields = {}) {
  return api(who, "POST", "/stories", {
    title: "The Road Behind the Mill",
    synopsis,
    genre: "Adventure",
    ageRating: "G",
    firstChapter: { title: "The Mill", content: prose },
    ...fields,
  });
}

const publish = (who, story) => api(who, "POST", `/stories/${story.storyId}/publish`);
const branchOff = (who, story, node, fields = {}) =>
  api(who, "POST", `/stories/${story}/chapters/${node}/branches`, {
    title: "A Fork in the Road",
    content: prose,
    ...fields,
  });

test("from signing up to the last plot", async () => {
  const cleo = { email: "cleo.writes@example.org", password: "a long enough secret" };
  await withPage({}, async (page) => {
    // A guest reads, and is told what signing in is for.
    await page.goto(`${server.web}/stories`);
    await link(page, "The Keeper of Gannet Rock").click();
    await link(page, "Begin to read").click();
    await heading(page, "The Lamp Goes Out").waitFor();
    await page.getByText("Sign in to vote, comment").waitFor();
    await page.keyboard.press("2");
    await heading(page, "The Print of a Hand").waitFor();
    await page.getByText("Branch 2 of 2").waitFor();
    await page.goto(`${server.web}/stories/new`);
    await heading(page, "A story of your own").waitFor();
    await signUp(page, cleo, "Cleo");
    await heading(page, "Begin a story").waitFor();

    // What the server refuses is said beside the field.
    await button(page, "Save as a draft").click();
    for (const name of ["title", "synopsis", "chapterTitle", "content"])
      await page.locator(`[name=${name}][aria-invalid=true]`).waitFor();
    await page.getByText("must have 500 to 60000 characters").waitFor();
    await inspect(page, "stories-new-refused");
    await page.getByLabel("Title", { exact: true }).fill("The Road Behind the Mill");
    await page.getByLabel("What it is about").fill(synopsis);
    await page.getByLabel("Genre", { exact: true }).selectOption("Fairy Tale");
    await button(page, "Folklore").click();
    await button(page, "Death").click();
    await page.getByLabel("Warnings of your own").fill("Geese, a, b, c");
    await page.getByLabel("Title of the chapter").fill("The Mill");
    await page.getByLabel("Text", { exact: true }).fill(prose);
    await page.locator(".editor-preview strong", { hasText: "stopped" }).waitFor();
    await button(page, "Save as a draft").click();
    await page.getByText("or one of at most 3 others").first().waitFor();
    await page.getByLabel("Warnings of your own").fill("Geese");
    await page.getByText(/^Kept on this device, /).waitFor();

    // Nothing is lost when the page is left.
    await page.reload();
    await page.getByText("Here is what you had written").waitFor();
    assert.equal(await page.getByLabel("Text", { exact: true }).inputValue(), prose);
    assert.equal(await page.getByLabel("Warnings of your own").inputValue(), "Geese");
    await inspect(page, "stories-new-found");
    await button(page, "Save as a draft").click();
    await heading(page, "The Road Behind the Mill").waitFor();
    await page.getByText("Draft", { exact: true }).waitFor();
    const { items: own } = await api(cleo, "GET", "/me").then((me) =>
      api(cleo, "GET", `/users/${me.userId}/stories`),
    );
    const { storyId } = own[0];
    assert.deepEqual(own[0].contentWarnings, ["Death", "Geese"]);
    assert.deepEqual([own[0].genre, own[0].genres], ["Fairy Tale", ["Folklore"]]);
    const asGuest = await fetch(`${server.web}/api/stories/v1/stories/${storyId}`);
    assert.equal(asGuest.status, 404, "a draft is its author's");
    await inspect(page, "stories-story-draft");
    await button(page, "Publish").click();
    await toast(page, "is published").waitFor();
    const { rootNodeId } = await api(bob, "GET", `/stories/${storyId}`);

    // Reading: the end in sight makes it read, the bookmark follows it.
    await link(page, "Begin to read").click();
    await heading(page, "The Mill").waitFor();
    await page.getByRole("heading", { name: "Here the story stops" }).waitFor();
    await page.keyboard.press("b");
    await toast(page, "The bookmark is here").waitFor();
    await page.locator(".chapter-end").scrollIntoViewIfNeeded();
    await until(async () => {
      const { me } = await api(cleo, "GET", `/stories/${storyId}/chapters/${rootNodeId}`);
      return me.read;
    });

    // Somebody goes on, and the open page shows it.
    const branch = await branchOff(bob, storyId, rootNodeId, {
      branchDescription: "She takes the left way, which is the longer one, because of the geese.",
    });
    await page.getByRole("link", { name: /A Fork in the Road/ }).waitFor();
    await page.getByText("Unread", { exact: true }).waitFor();
    const bell = page.getByRole("link", { name: "Notifications (1)" });
    await bell.waitFor();
    await inspect(page, "stories-reader-branch");
    await bell.click();
    await page.getByRole("link", { name: /Bob continued/ }).click();
    await heading(page, "A Fork in the Road").waitFor();
    await page.getByRole("link", { name: "Notifications", exact: true }).waitFor();

    // A vote, a comment, an answer.
    await page.keyboard.press("u");
    await toast(page, "Voted up").waitFor();
    await page.getByRole("button", { name: "Vote up", exact: true, pressed: true }).waitFor();
    const counts = await api(bob, "GET", `/stories/${storyId}/chapters/${branch.nodeId}`);
    assert.equal(counts.stats.upvotes, 1);
    await page.keyboard.press("c");
    await page.keyboard.type("I would have gone *right*.");
    await button(page, "Comment").click();
    await page.locator(".remark em", { hasText: "right" }).waitFor();
    const comments = `/stories/${storyId}/chapters/${branch.nodeId}/comments`;
    const { items: remarks } = await api(bob, "GET", comments);
    await api(bob, "POST", comments, {
      text: "So would I, now.",
      parentCommentId: remarks[0].commentId,
    });
    await page.reload();
    await page.locator(".remarks .remarks").getByText("So would I, now.").waitFor();
    await until(async () => {
      const { me } = await api(cleo, "GET", `/stories/${storyId}`);
      return me.bookmark.currentNodeId === branch.nodeId;
    });

    // A branch of one's own, by the keyboard.
    await page.keyboard.press("w");
    await heading(page, "Write what happens next").waitFor();
    await page.getByLabel("Title", { exact: true }).fill("Geese");
    await page.getByLabel("What it promises").fill("too short");
    await page.getByText("41 more characters to go").waitFor();
    await page.getByLabel("Text", { exact: true }).fill(prose);
    await page.keyboard.press("Control+Enter");
    await page.locator("[name=branchDescription][aria-invalid=true]").waitFor();
    await page.getByLabel("What it promises").fill("");
    await button(page, "Post this branch").click();
    await heading(page, "Geese").waitFor();
    await page.getByText(/for \d+ more minutes/).waitFor();
    await page.keyboard.press("ArrowLeft");
    await heading(page, "A Fork in the Road").waitFor();

    // The desk: a word on what others wrote, and the figures.
    await page.getByRole("link", { name: "Desk" }).click();
    await heading(page, "Desk").waitFor();
    await button(page, "Approve A Fork in the Road").click();
    await toast(page, "A Fork in the Road is approved").waitFor();
    await page.getByText("Nothing waits for you").waitFor();
    await button(page, "Undo").click();
    await button(page, "Approve A Fork in the Road").waitFor();
    await button(page, "Read here: A Fork in the Road").click();
    const sheet = page.getByRole("dialog", { name: "A Fork in the Road" });
    await sheet.getByText("stopped").waitFor();
    await sheet.getByRole("button", { name: "Mark A Fork in the Road as my vision" }).click();
    await sheet.getByRole("button", { name: "My vision: A Fork in the Road" }).waitFor();
    await sheet.getByRole("button", { name: "Close" }).click();
    const marked = await api(cleo, "GET", `/stories/${storyId}/chapters/${branch.nodeId}`);
    assert.deepEqual([marked.matchesVision, marked.authorApproved], [true, false]);
    await page.getByText("Where readers leave").waitFor();
    await page.getByText("A year of branches").waitFor();
    const stats = await api(cleo, "GET", `/stories/${storyId}/stats`);
    const tables = page.getByRole("button", { name: "Table", exact: true });
    while ((await tables.count()) > 0) await tables.first().click();
    const sumOf = async (name, column) => {
      const region = page.getByRole("region", { name: `${name}, as a table` });
      const cells = await region.locator(`tbody td:nth-child(${column})`).allInnerTexts();
      return cells.reduce((sum, text) => sum + Number(text), 0);
    };
    assert.ok(stats.totals.totalReads >= 2);
    assert.equal(await sumOf("Reads and votes over time", 2), stats.totals.totalReads);
    assert.equal(await sumOf("Reads and votes over time", 3), stats.totals.totalUpvotes);
    assert.equal(await sumOf("Where readers leave", 2), stats.totals.totalReads);
    assert.equal(await sumOf("A year of branches", 2), 2);
    await inspect(page, "stories-desk-tables");

    // The writer's page with a year of writing.
    await page.getByRole("link", { name: "Profile" }).click();
    await heading(page, "Cleo").waitFor();
    await page.getByRole("img", { name: /^A year of writing/ }).waitFor();
    await tables.first().click();
    const year = page.getByRole("region", { name: "A year of writing, as a table" });
    assert.equal(await year.locator("tbody td:nth-child(2)").first().innerText(), "2");
    await inspect(page, "stories-profile-new");

    // The end of the story, and back.
    await link(page, "The Road Behind the Mill").first().click();
    await button(page, "Mark as complete").click();
    await toast(page, "is complete").waitFor();
    await button(page, "Undo").last().click();
    await button(page, "Mark as complete").waitFor();
    assert.equal((await api(cleo, "GET", `/stories/${storyId}`)).status, "PUBLISHED");
  });
});
