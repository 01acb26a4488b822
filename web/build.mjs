// Builds the pages:  node build.mjs [FOLDER] [--watch]
//
// Every folder here that has a main.tsx is a page of its own at /<folder>; home/ is the page at /.
// Into FOLDER (../build/web) go the files with their contents' hash in their names, each also
// compressed, `manifest.json`, which says what each page loads, and `bundle`, all of it in one file
// as src/web/bundle.h reads it.

import * as esbuild from "esbuild";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import zlib from "node:zlib";

const source = path.dirname(fileURLToPath(import.meta.url));
const words = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const folder = path.resolve(words[0] ?? path.join(source, "../build/web"));

const titles = {
  home: "Trestle",
  books: "Books · Trestle",
  library: "Library · Trestle",
  watch: "Watch · Trestle",
  stories: "Stories · Trestle",
  notes: "Notes · Trestle",
  studio: "Studio · Trestle",
};
// What the page at / shows at other addresses.
const homeAddresses = ["/", "/signin", "/signup", "/confirm", "/forgot", "/account"];

const mediaTypes = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

const pages = fs
  .readdirSync(source, { withFileTypes: true })
  .filter(
    (entry) => entry.isDirectory() && fs.existsSync(path.join(source, entry.name, "main.tsx")),
  )
  .map((entry) => entry.name)
  .sort();

const options = {
  absWorkingDir: source,
  entryPoints: [
    ...pages.map((page) => ({ in: `${page}/main.tsx`, out: page })),
    { in: "shared/style.css", out: "style" },
    { in: "shared/early.ts", out: "early" },
  ],
  bundle: true,
  splitting: true,
  format: "esm",
  target: ["es2022"],
  jsx: "automatic",
  jsxImportSource: "preact",
  minify: true,
  define: { BUILT_PAGES: JSON.stringify(pages.join(" ")) },
  legalComments: "none",
  charset: "utf8",
  outdir: path.join(folder, "assets"),
  entryNames: "[name]-[hash]",
  chunkNames: "part-[hash]",
  metafile: true,
  write: false,
  logLevel: "warning",
};

const hashOf = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 16);

// All scripts that a page needs at once: its own and what they import, not what they load later.
function scriptsOf(outputs, entry) {
  const found = new Set();
  const visit = (file) => {
    if (found.has(file)) return;
    found.add(file);
    for (const used of outputs[file].imports) {
      if (used.kind === "import-statement" && outputs[used.path]) visit(used.path);
    }
  };
  visit(entry);
  return [...found];
}

function htmlOf(page, { styles, early, scripts }) {
  const preloads = scripts.slice(1).map((script) => `<link rel="modulepreload" href="${script}">`);
  return [
    "<!doctype html>",
    '<html lang="en">',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${titles[page] ?? page}</title>`,
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    ...styles.map((style) => `<link rel="stylesheet" href="${style}">`),
    `<script src="${early}"></script>`,
    `<script type="module" src="${scripts[0]}"></script>`,
    ...preloads,
    `<body data-page="${page}"><div id="app"></div>`,
    "<noscript><p>These pages need JavaScript. The APIs do not.</p></noscript></body></html>",
    "",
  ].join("\n");
}

function formsOf(bytes) {
  const forms = [
    {
      encoding: "br",
      bytes: zlib.brotliCompressSync(bytes, {
        params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 11 },
      }),
    },
    { encoding: "gzip", bytes: zlib.gzipSync(bytes, { level: 9 }) },
    { encoding: "-", bytes },
  ];
  return forms.filter((form) => form.encoding === "-" || form.bytes.length < bytes.length);
}

function writeBundle(files) {
  const lines = [];
  const contents = [];
  let offset = 0;
  for (const { addresses, name, bytes } of files) {
    for (const form of formsOf(bytes)) {
      const place = [hashOf(bytes), offset, form.bytes.length];
      for (const address of addresses) {
        lines.push([address, mediaTypes[path.extname(name)], form.encoding, ...place].join("\t"));
      }
      contents.push(form.bytes);
      offset += form.bytes.length;
    }
  }
  const text = lines.map((line) => `${line}\n`).join("");
  const file = path.join(folder, "bundle");
  fs.writeFileSync(`${file}.new`, Buffer.concat([Buffer.from(`${text}\n`), ...contents]));
  fs.renameSync(`${file}.new`, file);
}

function finish(result) {
  if (result.errors.length > 0) return;
  const { outputs } = result.metafile;
  const address = (file) => `/assets/${path.basename(file)}`;
  const entryOf = (input) =>
    Object.keys(outputs).find((file) => outputs[file].entryPoint === input);
  const files = result.outputFiles.map((file) => ({
    addresses: [address(file.path)],
    name: path.basename(file.path),
    bytes: Buffer.from(file.contents),
  }));
  const size = new Map(
    files.map((file) => [file.addresses[0], zlib.gzipSync(file.bytes, { level: 9 }).length]),
  );

  const manifest = { pages: {}, sizes: Object.fromEntries(size) };
  const style = address(entryOf("shared/style.css"));
  const early = address(entryOf("shared/early.ts"));
  for (const page of pages) {
    const entry = entryOf(`${page}/main.tsx`);
    const scripts = scriptsOf(outputs, entry).map(address);
    // What a page's own scripts import of style comes behind what all pages have.
    const own = outputs[entry].cssBundle;
    const styles = own ? [style, address(own)] : [style];
    const html = Buffer.from(htmlOf(page, { styles, early, scripts }));
    const loads = [...styles, early, ...scripts];
    files.push({
      addresses: page === "home" ? homeAddresses : [`/${page}`],
      name: `${page}.html`,
      bytes: html,
    });
    manifest.pages[page] = {
      loads,
      gzipBytes: loads.reduce(
        (sum, file) => sum + size.get(file),
        zlib.gzipSync(html, { level: 9 }).length,
      ),
    };
  }
  files.push({
    addresses: ["/favicon.svg"],
    name: "favicon.svg",
    bytes: fs.readFileSync(path.join(source, "shared/favicon.svg")),
  });

  // It has no hash in its name: browsers ask for it there, and compare what they get.
  const { code } = esbuild.transformSync(
    fs.readFileSync(path.join(source, "service_worker.ts"), "utf8"),
    {
      loader: "ts",
      format: "iife",
      minify: true,
      target: options.target,
      define: { BUILD: JSON.stringify(hashOf(Buffer.concat(files.map((file) => file.bytes)))) },
    },
  );
  files.push({
    addresses: ["/service-worker.js"],
    name: "service-worker.js",
    bytes: Buffer.from(code),
  });

  fs.rmSync(path.join(folder, "assets"), { recursive: true, force: true });
  fs.mkdirSync(path.join(folder, "assets"), { recursive: true });
  for (const { addresses, name, bytes } of files) {
    const inAssets = addresses[0].startsWith("/assets/") ? "assets" : ".";
    fs.writeFileSync(path.join(folder, inAssets, name), bytes);
  }
  fs.writeFileSync(path.join(folder, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  writeBundle(files);
}

if (process.argv.includes("--watch")) {
  const context = await esbuild.context({
    ...options,
    plugins: [{ name: "pages", setup: (build) => void build.onEnd(finish) }],
  });
  await context.watch();
} else {
  finish(await esbuild.build(options));
}
