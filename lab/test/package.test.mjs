// The npm package: packed, installed without a network, used by Node and by TypeScript.
// Environment: CAROM_NPM, the folder of the package.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";

import { runProgram, sceneFiles, startEngine } from "./support.mjs";

const compiler = new URL("../node_modules/typescript/bin/tsc", import.meta.url).pathname;
const directory = mkdtempSync(join(tmpdir(), "carom-npm-"));
after(() => rmSync(directory, { recursive: true }));

function run(command, ...options) {
  const ended = spawnSync(command, options, { cwd: directory, encoding: "utf8" });
  assert.equal(ended.status, 0, `${command} ${options.join(" ")}\n${ended.stdout}${ended.stderr}`);
  return ended.stdout;
}

writeFileSync(join(directory, "package.json"), '{"type": "module", "private": true}');
const [packed] = JSON.parse(run("npm", "pack", "--json", process.env.CAROM_NPM));
run("npm", "install", "--offline", "--no-audit", "--no-fund", `./${packed.filename}`);

test("the package has what it needs and no more", () => {
  const names = packed.files.map(({ path }) => path).sort();
  assert.deepEqual(names, [
    "LICENSE",
    "LICENSES",
    "README.md",
    "carom.wasm",
    "engine.js",
    "index.d.ts",
    "index.js",
    "package.json",
  ]);
});

test("Node solves scenes as the laboratory's engine does", async () => {
  const engine = await startEngine();
  const scenes = sceneFiles();
  writeFileSync(join(directory, "scenes.json"), JSON.stringify(scenes));
  writeFileSync(
    join(directory, "use.mjs"),
    `import { readFileSync } from "node:fs";
     import { loadEngine } from "carom";
     const engine = await loadEngine();
     const scenes = JSON.parse(readFileSync("scenes.json", "utf8"));
     console.log(JSON.stringify([engine.version, ...scenes.map(({ text }) => engine.solve(text).json)]));`,
  );
  const [version, ...answers] = JSON.parse(run(process.execPath, "use.mjs"));
  assert.deepEqual(answers, scenes.map(({ text }) => engine.solve(text).json));
  assert.equal(version, packed.version);
  assert.equal(runProgram(scenes, "--json").lines.length, answers.length);
});

test("TypeScript accepts correct calls and refuses others", () => {
  const use = (line) => `import { loadEngine } from "carom";
    const engine = await loadEngine();
    const answer = engine.solve({ carom: 1 }, { model: "rigid" });
    const impulse: number[] = answer.result?.impulse ?? [];
    const rows: Float64Array | undefined = engine.trace("{}", 10).column("p");
    ${line}
    console.log(impulse, rows);\n`;
  const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022"];
  writeFileSync(join(directory, "good.ts"), use(""));
  run(process.execPath, compiler, ...options, "good.ts");
  writeFileSync(join(directory, "bad.ts"), use('engine.solve({}, { model: "soft" });'));
  const ended = spawnSync(process.execPath, [compiler, ...options, "bad.ts"], {
    cwd: directory,
    encoding: "utf8",
  });
  assert.match(ended.stdout, /bad\.ts.*"soft"/);
});

test("the types name every call of the engine", async () => {
  const engine = await startEngine();
  const types = readFileSync(join(process.env.CAROM_NPM, "index.d.ts"), "utf8");
  const body = types.slice(types.indexOf("export interface Engine"), types.indexOf("/** Start an engine"));
  const calls = Object.getOwnPropertyNames(Object.getPrototypeOf(engine));
  for (const name of calls.filter((name) => name !== "constructor" && name !== "memory")) {
    assert.match(body, new RegExp(`\\n  ${name}\\(`));
  }
});
