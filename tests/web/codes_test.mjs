// Codes that come by e-mail: an address is confirmed, and a forgotten password replaced.

import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { inspect } from "./harness.mjs";
import { codeSentTo, heading, toast, visit } from "./visit.mjs";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "codes-"));
const { server, withPage } = visit("notes", {
  title: "Notes",
  flags: ["--data", folder, "--durability", "relaxed", "--sign-up", "code"],
});
after(() => fs.rmSync(folder, { recursive: true, force: true }));

const codeFor = (address) => codeSentTo(folder, address);

const button = (page, name) => page.getByRole("button", { name, exact: true });
const link = (page, name) => page.getByRole("link", { name, exact: true });

async function signUpAs(page, who) {
  await page.goto(`${server.web}/signup?next=%2Fnotes`);
  await page.getByLabel("Name").fill("Kit");
  await page.getByLabel("E-mail").fill(who.email);
  await page.getByLabel("Password").fill(who.password);
  await button(page, "Make account").click();
  await heading(page, "Confirm your address").waitFor();
}

for (const [theme, width] of [
  ["light", 1280],
  ["dark", 360],
]) {
  test(`an address is confirmed, ${theme}, ${width} pixels wide`, async () => {
    const kit = { email: `kit.${theme}@example.org`, password: "a long enough secret" };
    await withPage({ theme, width }, async (page) => {
      await signUpAs(page, kit);
      await page.getByText(kit.email).waitFor();
      await page.getByLabel("Code").fill("12");
      await button(page, "Confirm").click();
      await page.locator("[name=code][aria-invalid=true]").waitFor();
      await inspect(page, `confirm-${theme}-${width}`);
      await button(page, "Send another code").click();
      await toast(page, /^Another code is on its way/).waitFor();
      await page.getByLabel("Code").fill(codeFor(kit.email));
      await page.keyboard.press("Enter");
      await page.getByText("Nothing to remember yet").waitFor();
    });
  });
}

test("who has left the page of the code finds it again", async () => {
  const lou = { email: "lou@example.org", password: "a long enough secret" };
  await withPage({}, async (page) => {
    await signUpAs(page, lou);
    await page.goto(`${server.web}/signin?next=%2Fnotes`);
    await page.getByLabel("E-mail").fill(lou.email);
    await page.getByLabel("Password").fill(lou.password);
    await button(page, "Sign in").click();
    await page.getByText("Confirm the e-mail address first").waitFor();
    await inspect(page, "signin-unconfirmed");
    await link(page, "I have a code").click();
    // A page that is loaded anew knows no password.
    await page.reload();
    await page.getByLabel("Code").fill(codeFor(lou.email));
    await button(page, "Confirm").click();
    await toast(page, "Your address is confirmed").waitFor();
    await page.getByLabel("E-mail").fill(lou.email);
    await page.getByLabel("Password").fill(lou.password);
    await button(page, "Sign in").click();
    await page.getByText("Nothing to remember yet").waitFor();
  });
});

for (const [theme, width] of [
  ["dark", 1280],
  ["light", 360],
]) {
  test(`a password is replaced, ${theme}, ${width} pixels wide`, async () => {
    const mo = { email: `mo.${theme}@example.org`, password: "a long enough secret" };
    await withPage({ theme, width }, async (page) => {
      await signUpAs(page, mo);
      await page.getByLabel("Code").fill(codeFor(mo.email));
      await button(page, "Confirm").click();
      await page.getByText("Nothing to remember yet").waitFor();
      await page.context().clearCookies();

      await page.goto(`${server.web}/signin?next=%2Fnotes`);
      await inspect(page, `signin-${theme}-${width}`);
      await link(page, "Forgot your password?").click();
      await heading(page, "A new password").waitFor();
      await page.getByLabel("E-mail").fill("nobody");
      await button(page, "Send a code").click();
      await page.locator("[name=email][aria-invalid=true]").waitFor();
      await page.getByLabel("E-mail").fill(mo.email);
      await button(page, "Send a code").click();
      await page.getByText("a code is on its way there").waitFor();
      await page.getByLabel("Code").fill(codeFor(mo.email));
      await page.getByLabel("New password").fill("short");
      await button(page, "Set the password").click();
      await page.locator("[name=newPassword][aria-invalid=true]").waitFor();
      await inspect(page, `forgot-${theme}-${width}`);
      await page.getByLabel("New password").fill("another long secret");
      await button(page, "Set the password").click();
      await page.getByText("Nothing to remember yet").waitFor();

      await page.context().clearCookies();
      await page.goto(`${server.web}/signin?next=%2Fnotes`);
      await page.getByLabel("E-mail").fill(mo.email);
      await page.getByLabel("Password").fill("another long secret");
      await button(page, "Sign in").click();
      await page.getByText("Nothing to remember yet").waitFor();
    });
  });
}
