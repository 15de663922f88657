// Time of the engine's work for one movement of a slider.
//
//   node lab/time.mjs build/lab/engine/carom.wasm
//
// For every scene the medians, in milliseconds, of: reading and describing it, solving it, sampling the
// process, and the three together.
import { readdirSync, readFileSync } from "node:fs";

import { createEngine } from "./engine/engine.js";
import { rowsFor } from "./page/model/run.js";

const WARM_UP = 50;
const ROUNDS = 101;
const scenes = new URL("../scenes/", import.meta.url);

function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
}

// Times of the parts of one movement of a slider.
function slide(engine, scene) {
  const begin = performance.now();
  engine.describe(scene);
  const read = performance.now();
  engine.solve(scene, { brief: true });
  const solved = performance.now();
  engine.trace(scene, rowsFor(scene.contacts.length));
  const end = performance.now();
  return [read - begin, solved - read, end - solved, end - begin];
}

if (process.argv.length !== 3) {
  console.error("usage: node lab/time.mjs carom.wasm");
  process.exit(2);
}
const engine = await createEngine(readFileSync(process.argv[2]));
console.log(`${"".padEnd(28)}    read   solve   trace     all`);
for (const file of readdirSync(scenes).filter((name) => name.endsWith(".json")).sort()) {
  const scene = JSON.parse(readFileSync(new URL(file, scenes), "utf8"));
  const times = [];
  for (let i = 0; i < WARM_UP + ROUNDS; i++) {
    scene.name = `${file} ${i}`; // a new text, so that the scene is read again
    times.push(slide(engine, scene));
  }
  const medians = [0, 1, 2, 3].map((part) => median(times.slice(WARM_UP).map((row) => row[part])));
  console.log(file.replace(".json", "").padEnd(28) + medians.map((x) => x.toFixed(2).padStart(8)).join(""));
}
