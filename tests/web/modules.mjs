// Modules of the pages for tests without a browser.

import { createRequire } from "node:module";
import path from "node:path";
import { root } from "./harness.mjs";

const { build } = createRequire(path.join(root, "web/package.json"))("esbuild");

export async function load(file) {
  const result = await build({
    absWorkingDir: path.join(root, "web"),
    entryPoints: [file],
    bundle: true,
    format: "esm",
    write: false,
    jsx: "automatic",
    jsxImportSource: "preact",
  });
  return import(
    `data:text/javascript;base64,${Buffer.from(result.outputFiles[0].contents).toString("base64")}`
  );
}
