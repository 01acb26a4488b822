// Pictures in a real browser: chosen, shown and removed, wherever something may have one.

import assert from "node:assert/strict";
import { test } from "node:test";
import zlib from "node:zlib";
import { becomes, inspect } from "./harness.mjs";
import { ann, heading, toast, visit } from "./visit.mjs";

let item;

const { server, api, withPage, signIn, until } = visit("library", {
  title: "Library",
  async ready() {
    await until(async () => (await api(ann, "GET", "/search?q=holmes")).items.length === 5);
    const { items } = await api(ann, "GET", "/items?limit=100");
    item = items.find((it) => it.title === "Emma");
  },
});

/** Node 18 has none. */
function crc32(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let i = 0; i < 8; i += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

/** A PNG of one colour; `noise` makes it as large as its pixels are many. */
function png({ width = 120, height = 180, noise = false } = {}) {
  const chunk = (name, bytes) => {
    const body = Buffer.concat([Buffer.from(name), bytes]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(bytes.length, 0);
    ends.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const rows = Buffer.alloc(height * (1 + width * 3));
  let state = 1;
  for (let i = 0; i < rows.length; i += 1) {
    state = (state * 48271) % 2147483647;
    rows[i] = i % (1 + width * 3) === 0 ? 0 : noise ? state & 255 : [196, 80, 64][i % 3];
  }
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]),
    chunk("IHDR", head),
    chunk("IDAT", zlib.deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

const file = (buffer, name = "a.png", mimeType = "image/png") => ({ name, mimeType, buffer });
const chooser = (page) => page.locator("input[type=file]");
const button = (page, name) => page.getByRole("button", { name, exact: true });
const widthOf = (image) => image.evaluate((it) => it.naturalWidth);
const hrefOf = (it) => `/library/in/${it.libraryId}/item/${it.id}`;
const pathOf = (it) => `/libraries/${it.libraryId}/items/${it.id}`;

test("an item gets a picture, another one, and none", async () => {
  await withPage({}, async (page) => {
    await signIn(page, ann, hrefOf(item));
    await page.getByText("Add a picture").waitFor();
    await chooser(page).setInputFiles(file(Buffer.from("<svg/>"), "a.png"));
    await page.getByText("The picture must be a PNG, JPEG or WebP").waitFor();
    await chooser(page).setInputFiles(file(png()));
    await toast(page, "Emma has a new picture").waitFor();
    const shown = page.getByRole("img", { name: "Picture of Emma" });
    await becomes(() => widthOf(shown), 120);
    await inspect(page, "library-picture");
    const first = (await api(ann, "GET", pathOf(item))).pictureUrl;
    assert.match(first, /^\/files\/[0-9a-f]{64}$/);

    // Larger than the server takes: the page makes it smaller.
    await chooser(page).setInputFiles(file(png({ width: 1000, height: 1900, noise: true })));
    await becomes(() => widthOf(shown), 842);
    await until(async () => (await fetch(server.web + first)).status === 404);

    await button(page, "Remove picture").click();
    await toast(page, "The picture of Emma is removed").waitFor();
    await page.getByText("Add a picture").waitFor();
    assert.equal((await api(ann, "GET", pathOf(item))).pictureUrl, undefined);
    await button(page, "Undo").click();
    await becomes(() => widthOf(shown), 842);
  });
});

test("lists show it, on phones and in the dark too", async () => {
  for (const [width, theme] of [
    [1280, "dark"],
    [360, "light"],
    [360, "dark"],
  ]) {
    await withPage({ width, theme }, async (page) => {
      await signIn(page, ann, hrefOf(item));
      await becomes(() => widthOf(page.getByRole("img", { name: "Picture of Emma" })), 842);
      await inspect(page, `library-picture-${width}-${theme}`);
      await page.goto(`${server.web}/library/in/${item.libraryId}`);
      await page.locator("img.piece").first().waitFor();
      await inspect(page, `library-pictures-${width}-${theme}`);
    });
  }
});

test("the form changes the picture at once, and the rest when it is saved", async () => {
  await withPage({}, async (page) => {
    await signIn(page, ann, `${hrefOf(item)}/edit`);
    await page.getByLabel("Title", { exact: true }).fill("Emma, again");
    await becomes(() => widthOf(page.getByRole("img", { name: "Picture of Emma" })), 842);
    await chooser(page).setInputFiles(file(png({ width: 200 })));
    await becomes(() => widthOf(page.getByRole("img", { name: "Picture of Emma" })), 200);
    await inspect(page, "library-picture-edit");
    await button(page, "Save").click();
    await heading(page, "Emma, again").waitFor();
    const after = await api(ann, "GET", pathOf(item));
    assert.match(after.pictureUrl, /^\/files\//);
    await api(ann, "PATCH", pathOf(item), { title: "Emma" });
  });
});

test("a new book is looked up by its number, and added with a picture", async () => {
  await withPage({}, async (page) => {
    await signIn(page, ann, `/library/in/${item.libraryId}/add`);
    const words = page.getByLabel("Look it up");
    await words.fill("978-0-14-143951-9");
    await button(page, "Look up").click();
    await page.getByText("must be an ISBN of 10 or 13 digits").waitFor();
    await words.fill("pride prejudise");
    await button(page, "Look up").click();
    await page.getByRole("button", { name: "Pride and Prejudice Jane Austen" }).waitFor();
    await inspect(page, "library-look-up");
    await words.fill("978-0-14-143951-8");
    await button(page, "Look up").click();
    await page.getByRole("button", { name: "Pride and Prejudice Jane Austen" }).click();
    await becomes(() => page.getByLabel("ISBN", { exact: true }).inputValue(), "9780141439518");
    await becomes(() => page.getByLabel("Authors", { exact: true }).inputValue(), "Jane Austen");
    await page.getByLabel("Picture", { exact: true }).setInputFiles(file(png({ width: 90 })));
    await button(page, "Add book").click();
    await heading(page, "Pride and Prejudice").waitFor();
    const shown = page.getByRole("img", { name: "Picture of Pride and Prejudice" });
    await becomes(() => widthOf(shown), 90);
  });
  await withPage({ width: 360, theme: "dark" }, async (page) => {
    await signIn(page, ann, `/library/in/${item.libraryId}/add`);
    await page.getByLabel("Look it up").fill("xylophone quartet");
    await button(page, "Look up").click();
    await page.getByText("The catalogue does not know it").waitFor();
    await inspect(page, "library-look-up-360-dark");
  });
});

const others = [
  ["/watch/profile", "Ann", "watch-profile"],
  ["/stories/profile", "Ann", "stories-profile"],
];
test("people have pictures in the other applications", async () => {
  for (const [address, name, shot] of others) {
    await withPage({}, async (page) => {
      await signIn(page, ann, "/library");
      await page.goto(server.web + address);
      await page.getByText("Add a picture").waitFor();
      await chooser(page).setInputFiles(file(png()));
      await toast(page, "has a new picture").waitFor();
      await becomes(() => widthOf(page.getByRole("main").locator("img").first()), 120);
      await inspect(page, `${shot}-picture`);
      await button(page, "Remove picture").click();
      await page.getByText("Add a picture").waitFor();
      assert.ok(name);
    });
  }
});

test("a story has a cover", async () => {
  const ask = async (method, path) => {
    const login = await fetch(`${server.web}/auth/v1/login`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(ann),
    });
    const { accessToken } = await login.json();
    const headers = { Authorization: `Bearer ${accessToken}` };
    return (await fetch(server.web + path, { method, headers })).json();
  };
  const { sub } = await ask("GET", "/auth/v1/me");
  let story;
  await until(async () => {
    [story] = (await ask("GET", `/api/stories/v1/users/${sub}/stories`)).items;
    return story !== undefined;
  });
  await withPage({}, async (page) => {
    await signIn(page, ann, "/library");
    await page.goto(`${server.web}/stories/story/${story.storyId}`);
    await page.getByText("Add a picture").waitFor();
    await chooser(page).setInputFiles(file(png({ width: 300, height: 400 })));
    const cover = page.getByRole("img", { name: `Cover of ${story.title}` });
    await becomes(() => widthOf(cover), 300);
    await inspect(page, "stories-cover");
  });
});
