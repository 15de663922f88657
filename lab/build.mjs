// Make the laboratory: one HTML file with everything in it.
//
//   node lab/build.mjs --engine FOLDER --output lab.html [--page DIRECTORY] [--licence FILE]...
//
// esbuild bundles the page's modules and styles; this script provides two modules: carom:engine (the engine,
// compressed, from its npm package) and carom:scenes (scenes/*.json). The licences of all included code become a comment.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { deflateSync } from "node:zlib";

import { build } from "esbuild";

const BYTES_MAX = 2e6;
const here = dirname(fileURLToPath(import.meta.url));

const { values: settings } = parseArgs({
  options: {
    engine: { type: "string" },
    output: { type: "string" },
    page: { type: "string", default: join(here, "page") },
    licence: { type: "string", multiple: true, default: [] },
  },
});
if (!settings.engine || !settings.output) {
  fail("usage: node lab/build.mjs --engine FOLDER --output lab.html");
}

function fail(message) {
  console.error(`lab: ${message}`);
  process.exit(1);
}

// The engine as a module: base64 of the compressed bytes, and a function to start it.
function engineModule() {
  const packed = deflateSync(readFileSync(join(settings.engine, "carom.wasm")), { level: 9 }).toString("base64");
  return `
    import { createEngine } from ${JSON.stringify(join(settings.engine, "engine.js"))};
    const packed = "${packed}";
    export async function loadEngine() {
      const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
      return createEngine(await new Response(stream).arrayBuffer());
    }`;
}

function scenesModule() {
  const directory = join(here, "../scenes");
  const files = readdirSync(directory).filter((name) => name.endsWith(".json")).sort();
  const scenes = files.map((name) => ({
    file: basename(name, ".json"),
    text: readFileSync(join(directory, name), "utf8"),
  }));
  return `
    const files = ${JSON.stringify(scenes)};
    export default files.map(({ file, text }) => ({ file, text, scene: JSON.parse(text) }));`;
}

const madeHere = {
  name: "carom",
  setup({ onResolve, onLoad }) {
    const modules = { "carom:engine": engineModule, "carom:scenes": scenesModule };
    onResolve({ filter: /^carom:/ }, ({ path }) => ({ path, namespace: "carom" }));
    onLoad({ filter: /./, namespace: "carom" }, ({ path }) =>
      modules[path]
        ? { contents: modules[path](), resolveDir: here }
        : { errors: [{ text: `there is no module ${path}` }] },
    );
  },
};

async function bundle() {
  const { outputFiles } = await build({
    entryPoints: [join(settings.page, "main.js")],
    outdir: "out",
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: "es2022",
    charset: "utf8",
    legalComments: "none", // licences are in a comment of the page
    nodePaths: [join(here, "node_modules")],
    loader: { ".svg": "dataurl", ".png": "dataurl", ".woff2": "dataurl" },
    plugins: [madeHere],
    logLevel: "warning",
  });
  const part = (ending) => outputFiles.find(({ path }) => path.endsWith(ending))?.text.trim() ?? "";
  return { script: part(".js"), style: part(".css") };
}

// "--" would end the comment.
function licences() {
  const npm = ["three"].map((name) => join(here, "node_modules", name, "LICENSE"));
  const texts = [];
  for (const path of [...npm, ...settings.licence]) {
    if (existsSync(path)) {
      texts.push(readFileSync(path, "utf8").trim());
    } else {
      console.error(`lab: ${path}: not there, so the page lacks this licence`);
    }
  }
  return `<!--\nThis page contains carom, and:\n\n${texts.join("\n\n").replaceAll("--", "- -")}\n-->\n`;
}

// Replace the mark by a part.
function place(page, mark, part) {
  if (page.split(mark).length !== 2) {
    fail(`${join(settings.page, "index.html")}: must have the line "${mark}" once`);
  }
  return page.replace(mark, () => part);
}

const { script, style } = await bundle().catch(() => process.exit(1)); // esbuild has printed the reason
if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style)) {
  fail("the bundle has a text that would end it early (</script, <!-- or </style)");
}
let page = readFileSync(join(settings.page, "index.html"), "utf8");
page = place(page, "<!-- carom:style -->", `<style>${style}</style>`);
page = place(page, "<!-- carom:script -->", `<script type="module">${script}</script>`);
page = `${page.trimEnd()}\n${licences()}`;
const bytes = Buffer.byteLength(page);
if (bytes > BYTES_MAX) {
  fail(`the page has ${bytes} bytes, more than ${BYTES_MAX}`);
}
writeFileSync(settings.output, page);
console.log(`lab: ${settings.output}, ${(bytes / 1e6).toFixed(2)} MB`);
