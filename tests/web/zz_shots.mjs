import { visit, ann, bob } from "/tmp/wt/web-stories/main/tests/web/visit.mjs";
import { keepShot, inspect } from "/tmp/wt/web-stories/main/tests/web/harness.mjs";
const v = await visit("stories", { title: "Stories" });
await v.until(async () => (await v.api(ann, "GET", "/me/notifications")).items.length >= 9);
const only = process.argv[2]?.split(",");
const combos = (process.argv[3] ?? "light-1280").split(",");
const me = await v.api(ann, "GET", "/me");
const screens = [
  ["discover", "/stories"], ["story", "/stories/story/sample-1"], ["reader", "/stories/story/sample-1/read/sample-1-lamp"],
  ["reader-deep", "/stories/story/sample-1/read/sample-1-soup"],
  ["tree", "/stories/story/sample-1/tree"], ["write", "/stories/story/sample-1/write/sample-1-soup"], ["new", "/stories/new"],
  ["notifications", "/stories/notifications"], ["profile", "/stories/profile"], ["person", `/stories/people/${me.userId}`], ["desk", "/stories/desk"], ["edit", "/stories/story/sample-1/edit"],
];
for (const combo of combos) {
  const [theme, width] = combo.split("-");
  await v.withPage({ width: Number(width), theme }, async (page) => {
    await v.signIn(page, ann);
    for (const [name, address] of screens) {
      if (only && only[0] !== "all" && !only.includes(name)) continue;
      await page.goto(v.server.web + address);
      await page.locator("h1").waitFor();
      await page.waitForTimeout(500);
      await page.screenshot({ path: `/tmp/shots/${name}-${theme}-${width}.png`, fullPage: true });
      try { await inspect(page, `tmp-${name}`); } catch (e) { console.log(name, combo, e.message.slice(0, 900)); }
    }
  });
}
await v.close();
