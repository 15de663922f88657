// Put the npm package together: a folder for `npm pack`, which the laboratory is made from, too.
//
//   node lab/npm/package.mjs --wasm carom.wasm --output FOLDER [--licence FILE]...
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");
const { values: settings } = parseArgs({
  options: {
    wasm: { type: "string" },
    output: { type: "string" },
    licence: { type: "string", multiple: true, default: [] },
  },
});
if (!settings.wasm || !settings.output) {
  console.error("usage: node lab/npm/package.mjs --wasm carom.wasm --output FOLDER");
  process.exit(2);
}

const header = readFileSync(join(root, "include/carom/status.h"), "utf8");
const manifest = {
  name: "carom",
  version: header.match(/define CAROM_VERSION "([0-9.]+)"/)[1],
  description: "Impacts of rigid bodies with friction, solved exactly: the engine as WebAssembly",
  license: "MIT",
  type: "module",
  main: "index.js",
  types: "index.d.ts",
  exports: {
    ".": { types: "./index.d.ts", default: "./index.js" },
    "./carom.wasm": "./carom.wasm",
    "./package.json": "./package.json",
  },
  files: ["*.js", "*.d.ts", "carom.wasm", "LICENSES"],
  sideEffects: false,
};
const licences = [join(root, "LICENSE"), ...settings.licence].filter((path) => {
  if (!existsSync(path)) {
    console.error(`npm package: ${path}: not there, so the package lacks this licence`);
  }
  return existsSync(path);
});

rmSync(settings.output, { recursive: true, force: true });
mkdirSync(settings.output, { recursive: true });
const put = (from, name) => copyFileSync(from, join(settings.output, name));
put(settings.wasm, "carom.wasm");
put(join(here, "../engine/engine.js"), "engine.js");
put(join(here, "index.js"), "index.js");
put(join(here, "index.d.ts"), "index.d.ts");
put(join(here, "README.md"), "README.md");
put(join(root, "LICENSE"), "LICENSE");
const texts = licences.map((path) => readFileSync(path, "utf8").trim());
writeFileSync(join(settings.output, "LICENSES"), texts.join("\n\n") + "\n");
writeFileSync(join(settings.output, "package.json"), JSON.stringify(manifest, null, 2) + "\n");
