// Shared by the tests of the engine. Environment: CAROM_WASM, the engine; CAROM_PROGRAM, the program;
// CAROM_SAME_MATH, the program with the engine's mathematical functions.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

import { createEngine } from "../engine/engine.js";

const root = new URL("../../", import.meta.url).pathname;

export async function startEngine() {
  return createEngine(readFileSync(process.env.CAROM_WASM));
}

function jsonFiles(directory) {
  const names = readdirSync(join(root, directory)).filter((name) => name.endsWith(".json"));
  return names.sort().map((name) => join(root, directory, name));
}

/** All scenes of scenes/, as [{ name, text }]. */
export function sceneFiles() {
  return jsonFiles("scenes").map((path) => ({
    name: basename(path, ".json"),
    text: readFileSync(path, "utf8"),
  }));
}

/** The scenes for `carom simulate`, in the same form. */
export function simulateFiles() {
  return jsonFiles("scenes/simulate").map((path) => ({
    name: basename(path, ".json"),
    text: readFileSync(path, "utf8"),
  }));
}

/** The line of `carom simulate --json`, parsed. */
export function simulated(text, ...options) {
  return inDirectory((directory) => {
    const file = join(directory, "scene.json");
    writeFileSync(file, text);
    const ended = spawnSync(process.env.CAROM_PROGRAM, ["simulate", "--json", ...options, file], {
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
    return JSON.parse(ended.stdout);
  });
}

/** The page of `carom solve --report` for a scene. */
export function reportOf(text, name) {
  return inDirectory((directory) => {
    writeFileSync(join(directory, name), text);
    const settings = { encoding: "utf8", maxBuffer: 1 << 28 };
    const options = ["solve", "--report", directory, join(directory, name)];
    const ended = spawnSync(process.env.CAROM_PROGRAM, options, settings);
    if (ended.error) {
      throw ended.error;
    }
    return readFileSync(join(directory, name.replace(".json", ".html")), "utf8");
  });
}

/** The result of work(directory), with some figures of `carom figures` in the directory. */
export async function withGallery(figures, work) {
  const directory = mkdtempSync(join(tmpdir(), "carom-lab-"));
  try {
    const options = ["figures", "--out", directory, ...figures.flatMap((id) => ["--only", id])];
    const ended = spawnSync(process.env.CAROM_PROGRAM, options, { encoding: "utf8" });
    if (ended.status !== 0) {
      throw ended.error ?? new Error(ended.stderr);
    }
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** All problems of test/reference/, in the same form; other files there are skipped. */
export function referenceProblems() {
  return jsonFiles("test/reference").flatMap((path) => {
    const content = JSON.parse(readFileSync(path, "utf8"));
    const problems = Array.isArray(content) ? content.filter(({ scene }) => scene) : [];
    return problems.map(({ scene }, i) => ({
      name: `${basename(path, ".json")} ${i}`,
      text: JSON.stringify(scene),
    }));
  });
}

/** Run the program on scenes: lines of output, standard error, and exit status. */
export function runProgram(problems, ...options) {
  return run(process.env.CAROM_PROGRAM, problems, options);
}

/** As runProgram(), with the program that has the engine's mathematical functions. */
export function runSameMath(problems, ...options) {
  return run(process.env.CAROM_SAME_MATH, problems, options);
}

/** The process of a scene as the program writes it, as text. */
export function programTrace(problem, rows) {
  return inDirectory((directory) => {
    const file = join(directory, "trace.csv");
    runProgram([problem], "--trace", file, "--samples", String(rows));
    return readFileSync(file, "utf8");
  });
}

// The result of work(), which gets a temporary directory.
function inDirectory(work) {
  const directory = mkdtempSync(join(tmpdir(), "carom-lab-"));
  try {
    return work(directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function run(program, problems, options) {
  return inDirectory((directory) => {
    const files = problems.map(({ text }, i) => {
      const file = join(directory, `${i}.json`);
      writeFileSync(file, text);
      return file;
    });
    const settings = { encoding: "utf8", maxBuffer: 1 << 28 };
    const ended = spawnSync(program, ["solve", ...options, ...files], settings);
    if (ended.error) {
      throw ended.error;
    }
    return { ...ended, lines: ended.stdout.split("\n").filter((line) => line !== "") };
  });
}

/** The largest number in a nested value, by size. */
export function largest(value) {
  if (typeof value === "number") {
    return Math.abs(value);
  }
  return value && typeof value === "object" ? Math.max(0, ...Object.values(value).map(largest)) : 0;
}

/** Distance of two answers: the largest difference of two numbers, each divided by scale(path), or by the
 * larger of the two if that is 0; Infinity if anything else differs. path: the keys, without indices. */
export function difference(a, b, scale = () => 0, path = []) {
  if (typeof a === "number" && typeof b === "number") {
    const unit = scale(path) || Math.max(Math.abs(a), Math.abs(b));
    return Object.is(a, b) ? 0 : Math.abs(a - b) / unit;
  }
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object") {
    return a === b ? 0 : Infinity;
  }
  const keys = Object.keys(a);
  if (keys.join() !== Object.keys(b).join()) {
    return Infinity;
  }
  const inner = (key) => (Array.isArray(a) ? path : [...path, key]);
  return Math.max(0, ...keys.map((key) => difference(a[key], b[key], scale, inner(key))));
}
