// The folders of the page and what each may import: data flows from the model to what shows it.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

const page = fileURLToPath(new URL("../page", import.meta.url));

const MAY_IMPORT = {
  model: ["model", "carom:scenes"],
  "dom.js": [],
  view: ["view", "model", "dom.js", "three"],
  plots: ["plots", "model", "dom.js"],
  panels: ["panels", "model", "dom.js"],
  shell: ["shell", "model", "dom.js"],
  "page.js": ["model", "dom.js", "view", "plots", "panels", "shell"],
  "main.js": ["page.js", "model", "style", "carom:engine"],
};

// A file belongs to its folder, or to itself if it is in none; a package to its name.
const layerOf = (path) => path.split("/")[0];

function importsOf(text) {
  const lines = /^(?:import\b[^"';]*?|export\b[^"'=;]*?\bfrom\s*)"([^"]+)"|\bimport\(\s*"([^"]+)"/gm;
  return [...text.matchAll(lines)].map(([, top, inside]) => top ?? inside);
}

/** The imports of a module that its layer may not have, as "file -> module". */
function wrongImports(file, text) {
  const allowed = MAY_IMPORT[layerOf(file)];
  assert.ok(allowed, `${file}: ${layerOf(file)} is not listed in MAY_IMPORT`);
  return importsOf(text)
    .map((name) => (name.startsWith(".") ? normalize(join(dirname(file), name)) : name))
    .filter((name) => !allowed.includes(layerOf(name)))
    .map((name) => `${file} -> ${name}`);
}

test("no module imports against the direction model, view, page", (t) => {
  const files = readdirSync(page, { recursive: true }).filter((name) => name.endsWith(".js"));
  const texts = files.map((file) => [file, readFileSync(join(page, file), "utf8")]);
  const edges = texts.reduce((sum, [, text]) => sum + importsOf(text).length, 0);
  t.diagnostic(`${files.length} modules, ${edges} imports`); // measured: 46, 133
  assert.ok(edges > 2 * files.length); // the imports have been found
  assert.deepEqual(texts.flatMap(([file, text]) => wrongImports(file, text)), []);
});

test("an import against the direction is found, in every form", () => {
  for (const [file, text, wrong] of [
    ["model/run.js", 'import { a } from "../view/cast.js";', "view/cast.js"],
    ["model/run.js", 'import {\n  a,\n  b,\n} from "../shell/picker.js";', "shell/picker.js"],
    ["model/run.js", 'export { a } from "../dom.js";', "dom.js"],
    ["model/run.js", 'const a = await import("../page.js");', "page.js"],
    ["plots/chart.js", 'import "../panels/tabs.js";', "panels/tabs.js"],
    ["panels/tabs.js", 'import * as THREE from "three";', "three"],
  ]) {
    assert.deepEqual(wrongImports(file, text), [`${file} -> ${wrong}`]);
  }
  assert.throws(() => wrongImports("new.js", ""), /not listed/);
});
