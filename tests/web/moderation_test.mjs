// What readers report, and who decides about it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { becomes, inspect } from "./harness.mjs";
import { ann, bob, eve, heading, payloads, toast, undo, visit } from "./visit.mjs";

const mo = { email: "mo@example.org", password: "a long enough secret" };
const story = "sample-1";
const chapter = "sample-1-hand";
const { server, api, withPage, signIn, until } = visit("stories", {
  title: "Stories",
  async ready() {
    await until(async () => {
      const { unreadCount } = await api(ann, "GET", "/me/notifications");
      return unreadCount >= 10;
    });
    // A moderator is no administrator.
    await api(null, "POST", "/auth/v1/signup", { name: "Mo", ...mo });
    const { items } = await api(eve, "GET", `/auth/v1/users?email=${mo.email}`);
    await api(eve, "POST", `/auth/v1/users/${items[0].sub}/groups`, { groups: ["moderator"] });
  },
});

const button = (page, name) => page.getByRole("button", { name, exact: true });
const report = (who, fields) => api(who, "POST", "/reports", { reason: "OTHER", ...fields });
const ofState = async (state) =>
  (await api(mo, "GET", `/admin/reports?state=${state}`)).items.map((it) => it.targetId);

test("a moderator reads what was reported, hides it, and takes it back", async () => {
  await report(ann, { targetType: "CHAPTER", targetId: chapter, storyId: story, reason: "SPAM" });
  await report(bob, {
    targetType: "CHAPTER",
    targetId: chapter,
    storyId: story,
    text: payloads[0],
  });
  await withPage({}, async (page) => {
    await signIn(page, mo);
    await page.getByRole("link", { name: "Reports" }).click();
    await heading(page, "Reports").waitFor();
    // Two reports about one thing are one decision.
    const row = page.locator(".report");
    await row.getByRole("link", { name: "The Print of a Hand" }).waitFor();
    await row.getByText("Advertising or spam").waitFor();
    await row.getByText(payloads[0]).waitFor();
    assert.equal(await row.count(), 1);
    await row.getByRole("link", { name: "Ann" }).first().waitFor();
    await inspect(page, "stories-reports");

    await button(page, "Uphold: chapter The Print of a Hand").click();
    await page.getByText("2 reports about it will be upheld").waitFor();
    await page.getByLabel("Note, for moderators").fill(`Copied from ${payloads[1]}`);
    await inspect(page, "stories-reports-uphold");
    await button(page, "Uphold").click();
    await toast(page, "Upheld, and hidden").waitFor();
    await page.getByText("Nothing waits for a decision").waitFor();
    assert.deepEqual(await ofState("UPHELD"), [chapter, chapter]);
    const hidden = await fetch(`${server.web}/api/stories/v1/stories/${story}/chapters/${chapter}`);
    assert.equal(hidden.status, 403);

    await page.getByRole("link", { name: "Upheld", exact: true }).click();
    await row.getByText("hidden", { exact: true }).waitFor();
    // Who decided, when and why: once for both.
    await row.getByText("Upheld by Mo, just now").waitFor();
    await row.getByText(`Copied from ${payloads[1]}`).waitFor();
    assert.equal(await row.getByText("Upheld by").count(), 1);
    await inspect(page, "stories-reports-decided");
    await button(page, "Show it again: chapter The Print of a Hand").click();
    await toast(page, "Everybody can see it again").waitFor();
    await api(null, "GET", `/stories/${story}/chapters/${chapter}`);
    await button(page, "Open again: chapter The Print of a Hand").click();
    await page.getByText("No report was upheld").waitFor();
    await becomes(() => ofState("OPEN"), [chapter, chapter]);

    // What is dismissed by mistake comes back.
    await page.getByRole("link", { name: "Open", exact: true }).click();
    assert.equal(await row.getByText("Upheld by").count(), 0);
    await button(page, "Dismiss: chapter The Print of a Hand").click();
    await button(page.getByRole("dialog"), "Dismiss").click();
    await toast(page, "Dismissed").waitFor();
    await page.getByText("Nothing waits for a decision").waitFor();
    await undo(page, "Dismissed").click();
    await row.waitFor();
    await button(page, "Dismiss: chapter The Print of a Hand").click();
    await page.getByText("2 reports about it will be dismissed").waitFor();
    await page.getByLabel("Note, for moderators").fill("It is Defoe's");
    await button(page.getByRole("dialog"), "Dismiss").click();
    await page.getByText("Nothing waits for a decision").waitFor();
    await becomes(() => ofState("DISMISSED"), [chapter, chapter]);
    await page.getByRole("link", { name: "Dismissed", exact: true }).click();
    await row.getByText("Dismissed by Mo").waitFor();
    await row.getByText("It is Defoe's").waitFor();
  });
});

test("an author reads why a story is hidden; comments and people are reported too", async () => {
  const comment = await api(bob, "POST", `/stories/${story}/chapters/${chapter}/comments`, {
    text: "Buy my **soup**",
  });
  const { userId } = await api(bob, "GET", "/me");
  await report(bob, { targetType: "STORY", targetId: "sample-2" });
  await report(ann, {
    targetType: "COMMENT",
    targetId: comment.commentId,
    storyId: story,
    nodeId: chapter,
  });
  await report(ann, { targetType: "USER", targetId: userId });
  const { title, authorName } = await api(null, "GET", "/stories/sample-2");
  await withPage({ width: 360 }, async (page) => {
    await signIn(page, mo, "/stories/reports");
    await page.getByRole("link", { name: "by Bob" }).waitFor();
    await page.getByText("Buy my **soup**").waitFor();
    await button(page, `Uphold: story ${title}`).click();
    await page.getByLabel("Why, for its author").fill("It is not yours");
    await button(page, "Uphold").click();
    await toast(page, "Upheld, and hidden").waitFor();
    await button(page, "Uphold: comment by Bob").click();
    await button(page, "Uphold").click();
    await becomes(() => page.locator(".report").count(), 1);
    // People are not hidden, and a report about them is upheld all the same.
    await button(page, "Uphold: writer Bob").click();
    assert.equal(await page.getByRole("checkbox").count(), 0);
    await button(page, "Uphold").click();
    await page.getByText("Nothing waits for a decision").waitFor();
    await inspect(page, "stories-reports-none");
  });
  const author = { Ann: ann, Bob: bob, Eve: eve }[authorName];
  await withPage({}, async (page) => {
    await signIn(page, author, "/stories/story/sample-2");
    await page.getByText("Moderators have hidden this story: It is not yours").waitFor();
    await page.goto(`${server.web}/stories/story/${story}/read/${chapter}`);
    await heading(page, "The Print of a Hand").waitFor();
    await page.getByRole("heading", { name: "What readers say" }).waitFor();
    await becomes(() => page.getByText("Buy my").count(), author === bob ? 1 : 0);
  });
  await api(mo, "POST", "/admin/stories/sample-2/hide", { hidden: false });
});

test("who is no moderator has no reports to read", async () => {
  await withPage({}, async (page) => {
    const asked = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await signIn(page, bob);
    assert.equal(await page.getByRole("link", { name: "Reports" }).count(), 0);
    await page.goto(`${server.web}/stories/reports`);
    await page.getByText("For moderators").waitFor();
    await inspect(page, "stories-reports-closed");
    assert.ok(!asked.some((path) => path.includes("/admin/")), asked.join());
  });
  await withPage({}, async (page) => {
    await page.goto(`${server.web}/stories/reports`);
    await page.getByRole("main").getByRole("link", { name: "Sign in" }).waitFor();
  });
});

for (const theme of ["light", "dark"]) {
  for (const width of [1280, 360]) {
    test(`reports, ${theme}, ${width} pixels wide`, async () => {
      await withPage({ width, theme }, async (page) => {
        await signIn(page, mo, "/stories/reports?state=UPHELD");
        await becomes(() => page.locator(".report").count(), 3);
        await page.getByRole("link", { name: "by Bob" }).waitFor();
        await inspect(page, `stories-reports-${theme}-${width}`);
      });
    });
  }
}
