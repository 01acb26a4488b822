// The account, which all applications share, and what becomes of notes when its address changes.

import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { inspect } from "./harness.mjs";
import { codeSentTo, heading, payloads, toast, visit } from "./visit.mjs";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "account-"));
const { server, api, withPage } = visit("notes", {
  title: "Notes",
  flags: ["--data", folder, "--durability", "relaxed"],
});

after(() => fs.rmSync(folder, { recursive: true, force: true }));

const codeFor = (address) => codeSentTo(folder, address);

async function signUpAt(page, who, name, next) {
  await page.goto(`${server.web}/signup?next=${encodeURIComponent(next)}`);
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("E-mail").fill(who.email);
  await page.getByLabel("Password").fill(who.password);
  await page.getByRole("button", { name: "Make account" }).click();
  await page.waitForURL(server.web + next);
}

async function signInAt(page, who, next) {
  await page.goto(`${server.web}/signin?next=${encodeURIComponent(next)}`);
  await page.getByLabel("E-mail").fill(who.email);
  await page.getByLabel("Password").fill(who.password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

test("name, password and address are changed, and the account is deleted", async () => {
  const dora = { email: "dora@example.org", password: "the first long secret" };
  await withPage({}, async (page) => {
    await page.goto(`${server.web}/account`);
    await page.getByRole("main").getByRole("link", { name: "Sign in" }).waitFor();
    await inspect(page, "account-welcome");
    await signUpAt(page, dora, "Dora", "/notes");
    await page.getByLabel("Account of Dora").click();
    await page.getByRole("link", { name: "Your account" }).click();
    await heading(page, "Your account").waitFor();

    await page.getByLabel("What others see").fill("");
    await page.getByRole("button", { name: "Save name" }).click();
    await page.locator("[name=name][aria-invalid=true]").waitFor();
    await page.getByLabel("What others see").fill(payloads[5]);
    await page.getByRole("button", { name: "Save name" }).click();
    await toast(page, "Your name is saved").waitFor();
    await page.getByLabel(`Account of ${payloads[5]}`).waitFor();
    await page.getByLabel("What others see").fill("Dora D.");
    await page.getByRole("button", { name: "Save name" }).click();
    await page.getByLabel("Account of Dora D.").waitFor();

    await page.getByLabel("Password now").fill("not the secret at all");
    await page.getByLabel("New password").fill("the second long secret");
    await page.getByRole("button", { name: "Change password" }).click();
    await page
      .locator(".form-problem")
      .getByText(/password/i)
      .waitFor();
    await inspect(page, "account-refused");
    await page.getByLabel("Password now").fill(dora.password);
    await page.getByLabel("New password").fill("short");
    await page.getByRole("button", { name: "Change password" }).click();
    await page.locator("[name=newPassword][aria-invalid=true]").waitFor();
    await page.getByLabel("Password now").fill(dora.password);
    await page.getByLabel("New password").fill("the second long secret");
    await page.getByRole("button", { name: "Change password" }).click();
    await toast(page, /^Your password is changed/).waitFor();
    dora.password = "the second long secret";

    await page.getByLabel("New address").fill("nobody");
    await page.getByLabel("Your password").fill(dora.password);
    await page.getByRole("button", { name: "Send a code" }).click();
    await page.locator("[name=newEmail][aria-invalid=true]").waitFor();
    await page.getByLabel("New address").fill("dora.new@example.org");
    await page.getByRole("button", { name: "Send a code" }).click();
    await page.getByText(/A code is on its way/).waitFor();
    await inspect(page, "account-code");
    await page.getByLabel("Code").fill("12");
    await page.getByRole("button", { name: "Change address" }).click();
    await page.locator("[name=code][aria-invalid=true]").waitFor();
    await page.getByLabel("Code").fill(codeFor("dora.new@example.org"));
    await page.getByRole("button", { name: "Change address" }).click();
    await toast(page, "Your address is dora.new@example.org").waitFor();
    dora.email = "dora.new@example.org";

    await signInAt(page, dora, "/account");
    await heading(page, "Your account").waitFor();
    await page.getByRole("button", { name: "Delete account" }).click();
    await page.getByLabel("Type the address of the account").fill("dora");
    await page.getByRole("button", { name: "Delete for good" }).click();
    await page.getByText("This is not the address of the account").waitFor();
    await inspect(page, "account-delete");
    await page.getByLabel("Type the address of the account").fill(dora.email);
    await page.getByRole("button", { name: "Delete for good" }).click();
    await heading(page, "The frame that carries your tables.").waitFor();
    await page.getByRole("link", { name: "Sign in" }).first().waitFor();
    await signInAt(page, dora, "/account");
    await page.locator(".form-problem:not(:empty)").waitFor();
  });
});

test("notes move to another address, few at once and many as a job", async () => {
  for (const count of [2, 60]) {
    const who = { email: `mover${count}@example.org`, password: "a long enough secret" };
    const next = `moved${count}@example.org`;
    await withPage({}, async (page) => {
      await signUpAt(page, who, "Mo", "/notes/account");
      await heading(page, "Account").waitFor();
      const notes = Array.from({ length: count }, (_, i) => ({ title: `Note ${i + 1}` }));
      await api(who, "POST", "/import", { notes }, { Prefer: "wait=20" });
      await page.getByLabel("New address").fill(next);
      await page.getByLabel("Your password").fill("wrong, as it happens");
      await page.getByRole("button", { name: "Send a code" }).click();
      await page
        .locator(".form-problem")
        .getByText(/password/i)
        .waitFor();
      await page.getByLabel("Your password").fill(who.password);
      await page.getByRole("button", { name: "Send a code" }).click();
      await page.getByText(/A code is on its way/).waitFor();
      await page.getByLabel("Code").fill(codeFor(next));
      await page.getByRole("button", { name: "Change address" }).click();
      await toast(page, `Your address is ${next}`).waitFor();
      await page.getByLabel("Account of Mo").click();
      await page.locator(".menu-text").getByText(next).waitFor();
      await page.getByRole("link", { name: "Notes", exact: true }).last().click();
      await page.getByText(`${count} open, 0 done`).waitFor();
      await page.getByRole("link", { name: "Note 2", exact: true }).waitFor();

      // And then they all go.
      await page.goto(`${server.web}/notes/account`);
      await page.getByRole("button", { name: "Delete all notes" }).click();
      await page.getByLabel("Type the word delete").fill("no");
      await page.getByRole("button", { name: "Delete for good" }).click();
      await page.getByText("Type the word: delete").waitFor();
      if (count === 2) await inspect(page, "notes-erase");
      await page.getByLabel("Type the word delete").fill("delete");
      await page.getByRole("button", { name: "Delete for good" }).click();
      await page.getByText("Nothing to remember yet").waitFor();
    });
  }
});

for (const theme of ["light", "dark"]) {
  for (const width of [1280, 360]) {
    test(`the account, ${theme}, ${width} pixels wide`, async () => {
      const who = { email: `${theme}${width}@example.org`, password: "a long enough secret" };
      await withPage({ width, theme }, async (page) => {
        await signUpAt(page, who, "Dee", "/account");
        await heading(page, "Your account").waitFor();
        await inspect(page, `account-${theme}-${width}`);
      });
    });
  }
}
