// Notes in a real browser: its flows clicked through, and every screen looked at.

import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { becomes, dynamodb, inspect, touchDrag } from "./harness.mjs";
import { load } from "./modules.mjs";
import { ann, bob, heading, payloads, payloadTexts, toast, undo, visit } from "./visit.mjs";

const dayMs = 86_400_000;
const inDays = (days) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);

const { server, api, withPage, signIn, signUp, until } = visit("notes", {
  title: "Notes",
  async ready() {
    // Asked of the table: who asks the application too early is made a user without samples.
    await until(async () => {
      const { Count } = await dynamodb(server, "Query", {
        TableName: "NotesApp",
        KeyConditionExpression: "PK = :pk",
        ExpressionAttributeValues: { ":pk": { S: "USER#eve@example.org" } },
      });
      return Count === 5;
    });
  },
});

// The day of a note, where Ann is.
const dayThere = (time) =>
  time.length === 10
    ? time
    : new Date(time).toLocaleDateString("sv-SE", { timeZone: "Europe/Vienna" });
const todayThere = (days = 0) => dayThere(new Date(Date.now() + days * dayMs).toISOString());

const group = (page, name) => page.getByRole("list", { name: new RegExp(`^${name}`) });
const rowOf = (page, title) => page.locator(".note-row").filter({ hasText: title });
const quick = (page) => page.getByLabel("New note in one line");
const save = (page) => page.getByRole("button", { name: "Save", exact: true });
const dayCell = (page, date) =>
  page.locator("td.day").filter({ has: page.locator(`[href*="date=${date}"]`) });

test("from signing up to the last plot", async () => {
  const cleo = { email: "cleo.notes@example.org", password: "a long enough secret" };
  await withPage({}, async (page) => {
    await page.goto(`${server.web}/notes`);
    await heading(page, "What is due, and when").waitFor();
    await inspect(page, "notes-welcome");
    await signUp(page, cleo, "Cleo");
    await page.getByText("Nothing to remember yet").waitFor();
    await inspect(page, "notes-empty");

    // One line says what, when and about what.
    await page.keyboard.press("a");
    await page.keyboard.type("Call the dentist tomorrow at 9:30 #health");
    await page.locator(".quick-read").getByText("Tomorrow, 09:30").waitFor();
    await page.locator(".quick-read .tag", { hasText: "health" }).waitFor();
    await inspect(page, "notes-quick");
    await page.keyboard.press("Enter");
    await group(page, "Tomorrow").getByText("Call the dentist").waitFor();
    await quick(page).fill("Learn to whistle");
    await page.keyboard.press("Enter");
    await group(page, "Without a day").getByText("Learn to whistle").waitFor();
    await quick(page).fill("Read Sunday by Sunday");
    await page.getByRole("button", { name: "Take it word for word" }).click();
    await page.keyboard.press("Enter");
    await group(page, "Without a day").getByText("Read Sunday by Sunday").waitFor();
    await page.keyboard.type("x".repeat(201));
    await page.keyboard.press("Enter");
    await page.getByText("must have 1 to 200 characters").waitFor();
    await inspect(page, "notes-quick-refused");
    const { items } = await api(cleo, "GET", "/notes");
    assert.deepEqual(
      items.map((note) => [note.title, note.deadline?.slice(0, 16), note.tags]),
      [
        ["Call the dentist", `${inDays(1)}T09:30`, ["health"]],
        ["Learn to whistle", undefined, []],
        ["Read Sunday by Sunday", undefined, []],
      ],
    );

    // The editor: what the server refuses is said beside the field.
    await page.getByRole("link", { name: "Write a note" }).click();
    await heading(page, "Write a note").waitFor();
    await page.getByLabel("A day", { exact: true }).check();
    await page.getByLabel("Tags").fill("trip, trip");
    await page.getByRole("button", { name: "Save note" }).click();
    await page.locator("[name=title][aria-invalid=true]").waitFor();
    await page.locator("[name=deadline][aria-invalid=true]").waitFor();
    await inspect(page, "notes-new-refused");
    await page.getByLabel("Title").fill("Pack for Graz");
    await page.getByLabel("Day", { exact: true }).fill(inDays(3));
    await page.getByRole("button", { name: "Save note" }).click();
    await page.locator("[name=tags][aria-invalid=true]").waitFor();
    await page.getByText("stands twice").waitFor();
    await page.getByLabel("Tags").fill("trip");
    const area = page.getByLabel("Text", { exact: true });
    await area.click();
    await page.getByRole("button", { name: "Things to tick off" }).click();
    await page.keyboard.type("boots\nmap\n\nDo **not** forget:");
    await page.keyboard.press("Enter");
    await page.keyboard.type("| what | where |\n|---|---|\n| keys | door |");
    const preview = page.getByRole("region", { name: "Preview" });
    await preview.getByRole("checkbox", { name: "map" }).waitFor();
    await preview.locator("strong", { hasText: "not" }).waitFor();
    await preview.getByRole("cell", { name: "keys" }).waitFor();
    await becomes(() => area.inputValue(), /^- \[ \] boots\n- \[ \] map\n\nDo/);
    await inspect(page, "notes-new");
    await page.keyboard.press("Control+Enter");
    await heading(page, "Pack for Graz").waitFor();

    // Ticked off, moved, reminded of, done, and back.
    await page.getByText("0 of 2 done").waitFor();
    await page.getByRole("checkbox", { name: "map" }).check();
    await page.getByText("1 of 2 done").waitFor();
    const one = async () =>
      (await api(cleo, "GET", "/notes")).items.find((note) => note.title === "Pack for Graz");
    await page.getByText("in 3 days").waitFor();
    await page.getByRole("button", { name: "Tomorrow", exact: true }).click();
    await toast(page, "Pack for Graz: Tomorrow").waitFor();
    assert.equal((await one()).deadline, inDays(1));
    assert.match((await one()).content, /- \[ \] boots\n- \[x\] map/);
    await page.getByRole("button", { name: "Undo" }).last().click();
    await page.getByText("in 3 days").waitFor();
    assert.equal((await one()).deadline, inDays(3));
    await page.getByRole("button", { name: "Tomorrow at 8" }).click();
    await page.getByText("Tomorrow, 08:00").first().waitFor();
    assert.equal((await one()).remindAt, `${inDays(1)}T08:00:00.000Z`);
    await inspect(page, "notes-note-new");
    await heading(page, "Pack for Graz").click();
    await page.keyboard.press("x");
    await toast(page, "Pack for Graz is done").waitFor();
    await page.locator(".note-head.is-done").waitFor();
    assert.equal((await one()).done, true);
    await page.getByRole("button", { name: "Undo" }).last().click();
    await page.locator(".note-head:not(.is-done)").waitFor();
    await page.getByRole("button", { name: "No deadline" }).click();
    await page.getByText("Without a day.").waitFor();
    await page.getByLabel("Another day").fill(inDays(8));
    await page.getByText("in 8 days").waitFor();

    // The other screens have it too, up to the last plot.
    await page.getByRole("link", { name: "Timeline" }).click();
    await page.getByRole("img", { name: /^Deadlines, and the load per week/ }).waitFor();
    await page.getByRole("link", { name: "Pack for Graz" }).waitFor();
    await page.getByRole("link", { name: "Statistics" }).click();
    await page.getByRole("img", { name: /^Overdue at the end of each day/ }).waitFor();
    await page.getByRole("img", { name: /^Notes due per day/ }).waitFor();
    await inspect(page, "notes-statistics-new");
    await page.getByRole("link", { name: "Account" }).click();
    await page.getByLabel("Time zone").fill("Nowhere/Land");
    await page.getByRole("button", { name: "Save profile" }).click();
    await page.getByText("must be a zone of the IANA database").waitFor();
    await page.getByLabel("Time zone").fill("Asia/Tokyo");
    await page.getByRole("button", { name: "Save profile" }).click();
    await toast(page, "Your profile is saved").waitFor();
    await page.getByRole("link", { name: "Notes", exact: true }).first().click();
    // Half past nine here is another time there.
    await page.getByText(/18:30/).waitFor();
  });
});

test("a line is understood as it was meant", async () => {
  globalThis.document ??= { documentElement: { dataset: {} } };
  globalThis.matchMedia ??= () => ({ matches: false, addEventListener() {} });
  const { parseEntry } = await load("notes/quick_entry.ts");
  // A Sunday.
  const read = (line) => parseEntry(line, "2026-11-15", "12:00");
  const told = [
    ["Tax form friday", "Tax form", "2026-11-20", undefined, []],
    ["Rent on 1 Dec", "Rent", "2026-12-01", undefined, []],
    ["Rent 1 Nov", "Rent", "2027-11-01", undefined, []],
    ["Tea with Ann 5pm #family #tea", "Tea with Ann", "2026-11-15", "17:00", ["family", "tea"]],
    ["Wake up at 7", "Wake up", "2026-11-16", "07:00", []],
    ["Renew in 2 weeks", "Renew", "2026-11-29", undefined, []],
    ["Plan next week, early", "Plan , early", "2026-11-16", undefined, []],
    ["Sunday dinner", "dinner", "2026-11-22", undefined, []],
    ["Launch 2027-02-28 9:05", "Launch", "2027-02-28", "09:05", []],
    ["30 Feb nonsense", "30 Feb nonsense", undefined, undefined, []],
    ["tomorrow", "tomorrow", undefined, undefined, []],
    ["Version 2.5 of issue #12x", "Version 2.5 of issue", undefined, undefined, ["12x"]],
    ["Score 10:75", "Score 10:75", undefined, undefined, []],
  ];
  for (const [line, title, date, time, tags] of told) {
    const entry = read(line);
    assert.deepEqual([entry.title, entry.date, entry.time, entry.tags], [title, date, time, tags]);
  }
});

test("the list is grouped by how near things are", async () => {
  await withPage({}, async (page) => {
    await signIn(page, ann);
    await group(page, "Overdue").waitFor();
    const names = await page.locator(".group h2").allInnerTexts();
    assert.deepEqual(
      names.map((name) => name.replace(/\s*\d+\+?$/, "")),
      ["Overdue", "Today", "Tomorrow", "This week", "Later", "Without a day"].filter((name) =>
        names.some((shown) => shown.startsWith(name)),
      ),
    );
    const { items: late } = await api(ann, "GET", "/notes/overdue");
    await becomes(() => group(page, "Overdue").locator("li.note-row").count(), late.length);
    await group(page, "Without a day").getByText("Gift ideas").waitFor();
    const { items: week } = await api(ann, "GET", "/notes/week?done=false");
    const titlesOf = (from, to) =>
      week
        .filter((note) => !note.overdue)
        .filter(({ deadline }) => dayThere(deadline) >= from && dayThere(deadline) <= to)
        .map((note) => note.title)
        .sort();
    const shown = async (name) =>
      (await group(page, name).locator(".note-name").allInnerTexts()).sort();
    await becomes(() => shown("Today"), titlesOf(todayThere(), todayThere()));
    await becomes(() => shown("Tomorrow"), titlesOf(todayThere(1), todayThere(1)));
    await becomes(() => shown("This week"), titlesOf(todayThere(2), todayThere(6)));

    // Row by row with the keyboard.
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    const first = await page.evaluate(() => document.activeElement.textContent);
    assert.equal(first, late[0].title);
    await page.keyboard.press("x");
    await toast(page, `${late[0].title} is done`).waitFor();
    await group(page, "Overdue").getByText(late[0].title).waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Undo" }).last().click();
    await group(page, "Overdue").getByText(late[0].title).waitFor();

    // All that is late to today, and back.
    await page.getByRole("button", { name: "Move all to today" }).click();
    const before = late.filter((note) => dayThere(note.deadline) < todayThere());
    await toast(page, `${before.length} notes: Today`).waitFor();
    const { items: moved } = await api(ann, "GET", "/notes/today");
    for (const { id } of before) assert.ok(moved.some((note) => note.id === id));
    const timed = before.find((note) => note.deadlineKind === "INSTANT");
    const after = moved.find((note) => note.id === timed.id);
    assert.equal(after.deadlineKind, "INSTANT");
    await page.getByRole("button", { name: "Undo" }).last().click();
    await group(page, "Overdue").getByText("Renew passport").waitFor();
    const { items: again } = await api(ann, "GET", "/notes/overdue");
    assert.deepEqual(
      again.map((note) => note.deadline),
      late.map((note) => note.deadline),
    );

    // Filters are in the address.
    await page.getByLabel("Tag").selectOption("family");
    await page.waitForURL(/tag=family/);
    await page.getByText("Birthday dinner").waitFor();
    await page.getByText("Tax form").waitFor({ state: "hidden" });
    await page.reload();
    await page.getByText("Birthday dinner").waitFor();
    await becomes(() => page.locator(".note-row").count(), 3);
    await page.getByLabel("Tag").selectOption("");
    await page.getByRole("button", { name: "Done", exact: true }).click();
    await page.waitForURL(/show=done/);
    await page.getByText("Order firewood").waitFor();
    await becomes(() => page.locator(".note-row").count(), 12);
    await page.getByRole("button", { name: "All", exact: true }).click();
    await page.getByLabel("Filter by words").fill("photographs");
    await page.getByText("2 notes found").waitFor();
    await inspect(page, "notes-filter");
    await page.getByLabel("Filter by words").fill("zzzzzz");
    await page.getByText("No note fits").waitFor();
    await page.getByRole("button", { name: "Show all open notes" }).click();
    await group(page, "Overdue").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("pumkin");
    await page.getByRole("option").filter({ hasText: "Recipe: pumpkin soup" }).waitFor();
    await inspect(page, "notes-typeahead");
    await page.keyboard.press("Enter");
    await heading(page, "Recipe: pumpkin soup").waitFor();
    await page.keyboard.press("?");
    await page.getByText("Go to calendar").waitFor();
  });
});

test("the calendar moves notes by hand and by keyboard", async () => {
  const day = await api(ann, "POST", "/notes", { title: "Movable day", deadline: inDays(1) });
  const timed = await api(ann, "POST", "/notes", {
    title: "Movable time",
    deadline: `${inDays(1)}T10:00:00Z`,
  });
  const undated = await api(ann, "POST", "/notes", { title: "Movable whenever" });
  await withPage({}, async (page) => {
    const at = inDays(1);
    await signIn(page, ann, `/notes/calendar?view=week&date=${at}`);
    const monday = new Date(Date.parse(at) - ((new Date(at).getUTCDay() + 6) % 7) * dayMs);
    const date = (i) => new Date(monday.getTime() + i * dayMs).toISOString().slice(0, 10);
    const own = (new Date(at).getUTCDay() + 6) % 7;
    const other = own === 3 ? 4 : 3;
    const column = (i) => page.locator(`.hour-whole[data-day="${date(i)}"]`);
    await column(own).getByText("Movable day").dragTo(column(other));
    await column(other).getByText("Movable day").waitFor();
    await toast(page, /^Movable day:/).waitFor();
    assert.equal((await api(ann, "GET", `/notes/${day.id}`)).deadline, date(other));
    await undo(page, "Movable day:").click();
    await column(own).getByText("Movable day").waitFor();
    await becomes(async () => (await api(ann, "GET", `/notes/${day.id}`)).deadline, at);

    // A time of day stays what it is; with the keyboard.
    await page.getByRole("button", { name: "Month", exact: true }).click();
    const cell = (i) => dayCell(page, date(i));
    const chip = page.locator(`.month [data-event="${timed.id}"]`);
    await chip.focus();
    await page.keyboard.press("Space");
    await page.getByText(/Movable time is taken up/).waitFor({ state: "attached" });
    await inspect(page, "notes-calendar-picked");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Escape");
    await page.getByText("Movable time stays where it was.").waitFor({ state: "attached" });
    await page.keyboard.press("Space");
    const step = own < 6 ? 1 : -1;
    await page.keyboard.press(step > 0 ? "ArrowRight" : "ArrowLeft");
    await page.locator("td.is-target").waitFor();
    await page.keyboard.press("Enter");
    await cell(own + step)
      .locator(`[data-event="${timed.id}"]`)
      .waitFor();
    await toast(page, /^Movable time:/).waitFor();
    const moved = await api(ann, "GET", `/notes/${timed.id}`);
    assert.equal(moved.deadline, `${date(own + step)}T10:00:00.000Z`);
    await becomes(() => page.evaluate(() => document.activeElement.dataset.event), timed.id);

    // What has no day gets one, and loses it again.
    await page.locator(".undated").getByText("Movable whenever").dragTo(cell(other));
    await cell(other).locator(`[data-event="${undated.id}"]`).waitFor();
    await toast(page, /^Movable whenever:/).waitFor();
    assert.equal((await api(ann, "GET", `/notes/${undated.id}`)).deadline, date(other));
    await page.getByRole("button", { name: "Undo" }).last().click();
    await page.locator(".undated").getByText("Movable whenever").waitFor();
    assert.equal((await api(ann, "GET", `/notes/${undated.id}`)).deadline, undefined);

    // From month to month.
    const title = await page.locator("h1").innerText();
    await page.keyboard.press(".");
    await page.waitForFunction(
      (before) => document.querySelector("h1").innerText !== before,
      title,
    );
    await page.keyboard.press("d");
    await page.keyboard.press("w");
    await page.waitForURL(/view=week/);
  });
  for (const { id } of [day, timed, undated]) await api(ann, "DELETE", `/notes/${id}`);
});

// Ann is in Vienna.
const clockThere = (time) =>
  new Date(time).toLocaleTimeString("sv-SE", { timeZone: "Europe/Vienna", timeStyle: "short" });

test("a week by the hour: notes stand at their time, and are moved to another", async () => {
  const at = todayThere(7);
  const monday = new Date(Date.parse(at) - ((new Date(at).getUTCDay() + 6) % 7) * dayMs);
  const date = (i) => new Date(monday.getTime() + i * dayMs).toISOString().slice(0, 10);
  const add = (title, deadline) => api(ann, "POST", "/notes", { title, deadline });
  const first = await add("At its hour", `${date(1)}T10:00:00Z`);
  const beside = await add("Beside it", `${date(1)}T10:10:00Z`);
  const whole = await add("All of the day", date(1));
  const deadlineOf = async ({ id }) => (await api(ann, "GET", `/notes/${id}`)).deadline;
  await withPage({}, async (page) => {
    await signIn(page, ann, `/notes/calendar?view=week&date=${date(1)}`);
    const column = (i) => page.locator(`.hour-column[data-day="${date(i)}"]`);
    const above = (i) => page.locator(`.hour-whole[data-day="${date(i)}"]`);
    const chip = ({ id }) => page.locator(`[data-event="${id}"]`);
    await column(1).locator(chip(first)).waitFor();
    await above(1).locator(chip(whole)).waitFor();
    // Its top is at its hour, and two that are close stand side by side.
    const boxes = await Promise.all(
      [chip(first), chip(beside), column(1)].map((it) => it.boundingBox()),
    );
    const hour = boxes[2].height / 24;
    const start = Number(clockThere(first.deadline).slice(0, 2));
    assert.ok(Math.abs(boxes[0].y - boxes[2].y - start * hour) < 4, JSON.stringify(boxes));
    assert.ok(boxes[1].x >= boxes[0].x + boxes[0].width, JSON.stringify(boxes));
    await inspect(page, "notes-week-hours");

    // Two hours later, a day later.
    const target = { x: 60, y: (start + 2) * hour + 3 };
    await chip(first).dragTo(column(2), { targetPosition: target });
    await toast(page, /^At its hour:/).waitFor();
    await column(2).locator(chip(first)).waitFor();
    await becomes(() => deadlineOf(first), `${date(2)}T12:00:00.000Z`);
    await undo(page, "At its hour:").click();
    await becomes(() => deadlineOf(first), `${date(1)}T10:00:00.000Z`);
    await column(1).locator(chip(first)).waitFor();

    // What is due on a day gets a time, and loses it.
    await chip(whole).dragTo(column(3), { targetPosition: target });
    await becomes(() => deadlineOf(whole), `${date(3)}T12:00:00.000Z`);
    await column(3).locator(chip(whole)).dragTo(above(4));
    await becomes(() => deadlineOf(whole), date(4));
    await above(4).locator(chip(whole)).waitFor();

    // With the keyboard.
    await chip(first).focus();
    await page.keyboard.press("Space");
    await page.getByText(/At its hour is taken up.*\d\d:00/).waitFor({ state: "attached" });
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("PageDown");
    await page.keyboard.press("ArrowRight");
    await column(2).locator(".hour-target").waitFor();
    await inspect(page, "notes-week-picked");
    await page.keyboard.press("Enter");
    await becomes(() => deadlineOf(first), `${date(2)}T11:15:00.000Z`);
    await becomes(() => page.evaluate(() => document.activeElement.dataset.event), first.id);
    await column(2).locator(chip(first)).waitFor();
    await page.keyboard.press("Space");
    await page.keyboard.press("Home");
    await above(2).and(page.locator(".is-target")).waitFor();
    await page.keyboard.press("Enter");
    await becomes(() => deadlineOf(first), date(2));
    await above(2).locator(chip(first)).waitFor();
    await becomes(() => page.evaluate(() => document.activeElement.dataset.event), first.id);
    // Nothing before the whole day; from there to the morning.
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowDown");
    await page.getByText(/, 09:00$/).waitFor({ state: "attached" });
    await page.keyboard.press("Escape");
    assert.equal(await deadlineOf(first), date(2));
  });
  for (const { id } of [first, beside, whole]) await api(ann, "DELETE", `/notes/${id}`);
});

test("a finger moves notes on a phone, and scrolls when it does not hold", async () => {
  // Where the samples have nothing.
  const at = inDays(80);
  const monday = new Date(Date.parse(at) - ((new Date(at).getUTCDay() + 6) % 7) * dayMs);
  const date = (i) => new Date(monday.getTime() + i * dayMs).toISOString().slice(0, 10);
  const note = await api(ann, "POST", "/notes", {
    title: "By finger",
    deadline: `${date(1)}T10:00:00Z`,
  });
  const deadlineOf = async () => (await api(ann, "GET", `/notes/${note.id}`)).deadline;
  await withPage({ width: 360, hasTouch: true }, async (page) => {
    // Days are a list here.
    await signIn(page, ann, `/notes/calendar?view=week&date=${date(1)}`);
    const day = (i) => page.locator(`.week-day[data-day="${date(i)}"]`);
    const chip = page.locator(`[data-event="${note.id}"]`);
    await day(1).locator(chip).waitFor();
    await inspect(page, "notes-week-list");
    await touchDrag(page, chip, day(3), {
      held: page.locator(".week .is-picked"),
      over: day(3).and(page.locator(".is-target")),
    });
    await toast(page, /^By finger:/).waitFor();
    await day(3).locator(chip).waitFor();
    assert.equal(await deadlineOf(), `${date(3)}T10:00:00.000Z`);
    assert.match(page.url(), /calendar/);
    // Without holding it, the page scrolls, and nothing moves.
    const top = await page.evaluate(() => scrollY);
    await touchDrag(page, chip, day(0));
    await becomes(
      async () => ((await page.evaluate(() => scrollY)) > top ? "lower" : "same"),
      "lower",
    );
    assert.equal(await deadlineOf(), `${date(3)}T10:00:00.000Z`);

    // In a month there is no room for names: the list of the day has what can be dragged.
    await page.goto(`${server.web}/notes/calendar?date=${date(3)}`);
    const grip = page.getByRole("button", { name: "Move By finger" });
    await grip.waitFor();
    await inspect(page, "notes-month-grip");
    const cell = dayCell(page, date(1));
    await touchDrag(page, grip, cell, { over: cell.and(page.locator(".is-target")) });
    await toast(page, /^By finger:/).waitFor();
    await becomes(deadlineOf, `${date(1)}T10:00:00.000Z`);
  });
  await api(ann, "DELETE", `/notes/${note.id}`);
});

test("the plots say what the server says", async () => {
  const sums = await api(ann, "GET", "/notes/stats");
  await withPage({}, async (page) => {
    await signIn(page, ann, "/notes/statistics");
    await page.getByText("Notes due per day").first().waitFor();
    const fact = (name) => page.locator(".fact").filter({ hasText: name }).locator("dd");
    await becomes(() => fact("Overdue").innerText(), String(sums.overdue));
    await becomes(() => fact("Open").innerText(), String(sums.open));
    await page.getByRole("img", { name: /^Done and due/ }).hover();
    await page.locator(".plot-tip").waitFor();
    const months = await page.locator(".heat-month").allInnerTexts();
    assert.ok(months.length >= 12, months.join());
    await page.locator(".heat-mark").hover();
    await page.locator(".tip", { hasText: /^\d+ \w+ 20\d\d: \d+ due$/ }).waitFor();
    const buttons = page.getByRole("button", { name: "Table", exact: true });
    await becomes(() => buttons.count(), 3);
    while ((await buttons.count()) > 0) await buttons.first().click();
    await inspect(page, "notes-statistics-tables");
    const cells = (name, column) =>
      page
        .getByRole("region", { name: `${name}, as a table` })
        .locator(`tbody td:nth-child(${column})`)
        .allInnerTexts();
    const weeks = await cells("Done and due per week", 2);
    assert.deepEqual(
      weeks.map(Number),
      sums.perWeek.map((week) => week.due),
    );
    const trend = await cells("Overdue at the end of each day", 2);
    assert.equal(Number(trend.at(-1)), sums.overdue);
    const heat = await cells("Notes due per day, half a year back and ahead", 2);
    const dated = sums.open + sums.done - sums.undated;
    assert.equal(
      heat.reduce((sum, text) => sum + Number(text), 0),
      dated,
    );

    await page.goto(`${server.web}/notes/timeline`);
    await page.getByRole("button", { name: "Table", exact: true }).click();
    const due = await cells("Deadlines, and the load per week", 2);
    assert.deepEqual(
      due.slice(0, 13).map(Number),
      sums.perWeek.slice(8, 21).map((week) => week.due),
    );
    await page.getByRole("button", { name: "Later" }).click();
    await page.waitForURL(/from=/);
    await page.getByRole("button", { name: "Today", exact: true }).click();
    await page.getByRole("heading", { name: /^This week/ }).waitFor();
  });
});

test("a note that was changed elsewhere is not overwritten unseen", async () => {
  await withPage({}, async (page) => {
    const note = await api(ann, "POST", "/notes", { title: "Two at once", tags: ["one"] });
    await signIn(page, ann, `/notes/note/${note.id}/edit`);
    await page.getByLabel("Title").fill("Mine");
    await api(ann, "PATCH", `/notes/${note.id}`, { title: "Their title", content: "Theirs" });
    await save(page).click();
    await page.getByRole("heading", { name: "This note was changed elsewhere" }).waitFor();
    await inspect(page, "notes-conflict");
    assert.equal((await api(ann, "GET", `/notes/${note.id}`)).title, "Their title");
    const table = page.getByRole("region", { name: "Differences" });
    await table.getByRole("row").filter({ hasText: "Their title" }).waitFor();
    await page.getByRole("button", { name: "Back to the form" }).click();
    await becomes(() => page.getByLabel("Title").inputValue(), "Mine");
    await becomes(() => page.getByLabel("Text", { exact: true }).inputValue(), "Theirs");
    await api(ann, "PATCH", `/notes/${note.id}`, { tags: ["two"] });
    await save(page).click();
    await page.getByRole("button", { name: "Save my changes" }).click();
    await heading(page, "Mine").waitFor();
    const saved = await api(ann, "GET", `/notes/${note.id}`);
    assert.deepEqual([saved.title, saved.content, saved.tags], ["Mine", "Theirs", ["two"]]);

    // What somebody does at once in one page is no conflict with themselves.
    await api(ann, "PATCH", `/notes/${note.id}`, { content: "- [ ] one\n- [ ] two\n- [ ] three" });
    await page.getByRole("checkbox", { name: "one", exact: true }).waitFor();
    await page.locator("main").evaluate((main) => {
      for (const box of main.querySelectorAll(".tasks input")) box.click();
      main.querySelector(".tick-large").click();
    });
    await page.getByText("3 of 3 done").waitFor();
    await toast(page, "Mine is done").waitFor();
    const ticked = await api(ann, "GET", `/notes/${note.id}`);
    assert.equal(ticked.content, "- [x] one\n- [x] two\n- [x] three");
    assert.equal(ticked.done, true);
    await api(ann, "DELETE", `/notes/${note.id}`);
    await page.getByText("This note is not here").waitFor();
  });
});

test("what was typed and not saved is there when one comes back", async () => {
  await withPage({}, async (page) => {
    await signIn(page, bob, "/notes/new");
    await page.getByLabel("Title").fill("Half a thought");
    await page.getByLabel("Text", { exact: true }).fill("and some *words*");
    await page.getByRole("link", { name: "Calendar" }).click();
    await page.locator(".month").waitFor();
    await page.goto(`${server.web}/notes/new`);
    await page.getByText("What you had typed and not saved is here again.").waitFor();
    await becomes(() => page.getByLabel("Title").inputValue(), "Half a thought");
    await page.locator(".writer-preview em", { hasText: "words" }).waitFor();
    await inspect(page, "notes-draft");
    await page.getByRole("button", { name: "Start over" }).click();
    await page.waitForFunction(() => document.querySelector("[name=title]").value === "");
    await page.getByLabel("Title").fill("Half a thought");
    await page.getByRole("link", { name: "Cancel" }).click();
    await page.goto(`${server.web}/notes/new`);
    await heading(page, "Write a note").waitFor();
    await becomes(() => page.getByLabel("Title").inputValue(), "");

    // In a note that was changed meanwhile, only what was typed is new.
    const { items } = await api(bob, "GET", "/search?q=squeezer");
    const { id } = items[0].item;
    await page.goto(`${server.web}/notes/note/${id}/edit`);
    await page.getByLabel("Title").fill("Buy two lemon squeezers");
    await api(bob, "PATCH", `/notes/${id}`, { content: "At the market" });
    await page.goto(`${server.web}/notes/note/${id}/edit`);
    await page.getByText("here again").waitFor();
    await becomes(() => page.getByLabel("Title").inputValue(), "Buy two lemon squeezers");
    await becomes(() => page.getByLabel("Text", { exact: true }).inputValue(), "At the market");
    await save(page).click();
    await heading(page, "Buy two lemon squeezers").waitFor();
    await page.getByText("At the market").waitFor();
  });
});

test("an open page follows what is changed elsewhere", async () => {
  await withPage({}, async (page) => {
    await signIn(page, bob);
    await group(page, "Without a day").waitFor();
    const note = await api(bob, "POST", "/notes", { title: "From the telephone" });
    await rowOf(page, "From the telephone").waitFor();
    await api(bob, "PATCH", `/notes/${note.id}`, { deadline: inDays(-9) });
    await group(page, "Overdue").getByText("From the telephone").waitFor();
    await api(bob, "POST", `/notes/${note.id}/done`);
    await rowOf(page, "From the telephone").waitFor({ state: "hidden" });
    await api(bob, "DELETE", `/notes/${note.id}`);
  });
});

test("a deleted note comes back, or goes when the page is left", async () => {
  await withPage({}, async (page) => {
    const note = await api(ann, "POST", "/notes", { title: "Short lived", content: "kept" });
    await signIn(page, ann, `/notes/note/${note.id}`);
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await heading(page, "Notes").waitFor();
    await group(page, "Without a day").waitFor();
    await becomes(() => rowOf(page, "Short lived").count(), 0);
    await page.getByRole("button", { name: "Undo" }).click();
    await rowOf(page, "Short lived").waitFor();
    assert.equal((await api(ann, "GET", `/notes/${note.id}`)).content, "kept");
    await page.getByRole("link", { name: "Short lived" }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await heading(page, "Notes").waitFor();
    await page.goto("about:blank");
    await until(async () => {
      await assert.rejects(api(ann, "GET", `/notes/${note.id}`), /404/);
      return true;
    });
    await page.goto(`${server.web}/notes/note/${note.id}`);
    await page.getByText("This note is not here").waitFor();
    await inspect(page, "notes-deleted");
  });
});

test("what somebody typed is never more than text", async () => {
  const eve = { email: "mallory.notes@example.org", password: "a long enough secret" };
  await withPage({}, async (page) => {
    await page.goto(`${server.web}/notes`);
    await signUp(page, eve, payloads[1]);
    await page.getByText("Nothing to remember yet").waitFor();
    const all = payloads.map(
      (payload) => `${payload}\n\n- [ ] ${payload}\n\n| ${payload} |\n|---|`,
    );
    const texts = payloadTexts(200);
    for (const [i, title] of texts.entries()) {
      await api(eve, "POST", "/notes", {
        title,
        content: all.slice(i * 3, i * 3 + 3).join("\n\n"),
        deadline: inDays(i % 9),
        remindAt: new Date(Date.now() - 1000).toISOString(),
        tags: payloads.slice(i * 5, i * 5 + 5).map((text) => text.slice(0, 50)),
      });
    }
    const whole = await api(eve, "POST", "/notes", {
      title: payloads[0],
      content: all.join("\n\n"),
    });
    const clean = async (name) => {
      assert.equal(
        await page.locator("main :is(img, script, iframe, math, form[action])").count(),
        0,
      );
      const links = page.locator("main :is(a[href^=javascript], a[href^=data])");
      assert.equal(await links.count(), 0, name);
    };
    await page.goto(`${server.web}/notes/note/${whole.id}`);
    await page.getByText("0 of 100 done").waitFor();
    await clean("note");
    await inspect(page, "notes-payload-note");
    await page.goto(`${server.web}/notes/note/${whole.id}/edit`);
    await becomes(() => page.locator("[name=title]").inputValue(), payloads[0]);
    await page.getByRole("region", { name: "Preview" }).getByRole("checkbox").first().waitFor();
    await clean("edit");
    for (const place of [
      "",
      "/calendar",
      "/calendar?view=week",
      "/timeline",
      "/statistics",
      "/account",
    ]) {
      await page.goto(`${server.web}/notes${place}`);
      await page.locator("h1").waitFor();
      await page.locator(":is(.note-row, .event, .plot, main form):visible").first().waitFor();
      await clean(place);
      await inspect(page, `notes-payload${place.replaceAll(/\W/g, "-")}`);
    }
    // Typed into every field, too.
    await page.goto(`${server.web}/notes?q=${encodeURIComponent(payloads[5])}`);
    await page.getByText(/found/).waitFor();
    await page.goto(`${server.web}/notes?tag=${encodeURIComponent(payloads[6])}`);
    await page.locator(".note-row, .empty").first().waitFor();
    for (const payload of [payloads[0], payloads[5], payloads[35], payloads[50]]) {
      await quick(page).fill(payload);
      await page.locator(".quick-read").waitFor();
      await page.keyboard.press("Enter");
      await toast(page, payload).first().waitFor();
    }
    await page.goto(`${server.web}/notes/new?title=${encodeURIComponent(payloads[20])}`);
    await page.getByLabel("Text", { exact: true }).fill(payloads.join("\n\n"));
    await page.getByLabel("Tags").fill(payloads.slice(0, 3).join(", ").slice(0, 90));
    await clean("new");
    await page.keyboard.press("Control+Enter");
    await page.locator("main .paper, main [aria-invalid=true]").first().waitFor();
    await clean("saved");
  });
});

test("without a connection what was open can be read", async () => {
  await withPage({}, async (page) => {
    await signIn(page, bob);
    await page.getByRole("link", { name: "Physics exam" }).click();
    await page.getByText("Chapters 1 to 7").waitFor();
    const due = await page.locator(".due-large").innerText();
    await page.getByRole("link", { name: "Calendar" }).click();
    await page.locator(".month").waitFor();
    await page.getByRole("link", { name: "Notes", exact: true }).last().click();
    await rowOf(page, "Physics exam").waitFor();
    await page.context().setOffline(true);
    await page.getByRole("link", { name: "Physics exam" }).click();
    await page.getByText("The server cannot be reached. What you see was read earlier.").waitFor();
    await heading(page, "Physics exam").waitFor();
    await page.getByText("Chapters 1 to 7").waitFor();
    await inspect(page, "notes-offline");
    await page.getByRole("button", { name: "Tomorrow", exact: true }).click();
    await page.getByText("The server cannot be reached", { exact: true }).waitFor();
    await becomes(() => page.locator(".due-large").innerText(), due);
    await page.context().setOffline(false);
  });
});

test("notes come in and go out as files, and into calendars", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "notes-"));
  const file = path.join(folder, "soup.md");
  fs.writeFileSync(file, `---\ndeadline: ${inDays(2)}\ntags: [kitchen]\n---\n# Soup\n\nStir.\n`);
  const bad = path.join(folder, "bad.json");
  fs.writeFileSync(bad, JSON.stringify({ notes: [{ title: "Good one" }, { title: "" }] }));
  try {
    await withPage({}, async (page) => {
      await signIn(page, bob, "/notes/account");
      await page.getByLabel("Bring notes in").setInputFiles([file, bad]);
      await toast(page, "2 notes came in").waitFor();
      await page.getByText(/bad\.json, note 2: /).waitFor();
      await inspect(page, "notes-import");
      const { items } = await api(bob, "GET", "/notes?tag=kitchen");
      assert.ok(items.some((note) => note.title === "Soup" && note.deadline === inDays(2)));
      for (const format of ["CSV", "JSON"]) {
        const started = page.waitForEvent("download");
        await page.getByRole("button", { name: `Export as ${format}` }).click();
        const got = await started;
        assert.equal(got.suggestedFilename(), `notes.${format.toLowerCase()}`);
        assert.match(fs.readFileSync(await got.path(), "utf8"), /Physics exam/);
      }
      await page.getByRole("button", { name: "Make an address" }).click();
      const url = await page.getByLabel("Subscribe to this address").inputValue();
      assert.match(await (await fetch(url)).text(), /BEGIN:VCALENDAR[\s\S]*Physics exam/);
      await inspect(page, "notes-feed");
      await page.getByRole("button", { name: "End the address" }).click();
      await toast(page, "The address has ended").waitFor();
      await page.getByRole("button", { name: "Make an address" }).waitFor();
      assert.equal((await fetch(url)).status, 410);
    });
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
});

const somethingShown = ".note-row, .plot, main form, .month, .week, .paper";

for (const theme of ["light", "dark"]) {
  for (const width of [1280, 360]) {
    test(`every screen of notes, ${theme}, ${width} pixels wide`, async () => {
      const { items } = await api(ann, "GET", "/search?q=tax");
      const { id, title } = items[0].item;
      const screens = [
        ["list", "/notes", "Notes"],
        ["done", "/notes?show=done", "Notes"],
        ["note", `/notes/note/${id}`, title],
        ["edit", `/notes/note/${id}/edit`, `Edit ${title}`],
        ["write", `/notes/new?date=${inDays(1)}`, "Write a note"],
        ["month", "/notes/calendar", /20\d\d/],
        ["week", `/notes/calendar?view=week&date=${inDays(1)}`, /20\d\d/],
        ["timeline", "/notes/timeline", "Timeline"],
        ["statistics", "/notes/statistics", "Statistics"],
        ["account", "/notes/account", "Account"],
      ];
      await withPage({ width, theme }, async (page) => {
        await signIn(page, ann);
        for (const [name, address, shown] of screens) {
          await page.goto(server.web + address);
          await heading(page, shown).waitFor();
          await page.locator(`:is(${somethingShown}):visible`).first().waitFor();
          await inspect(page, `notes-${name}-${theme}-${width}`);
        }
        await page.goto(`${server.web}/notes/no/such/page`);
        await page.getByText("There is nothing here").waitFor();
        await inspect(page, `notes-nothing-${theme}-${width}`);
      });
    });
  }
}
