// The memory of the engine does not grow with the number of solves.
import assert from "node:assert/strict";
import test from "node:test";

import { sceneFiles, startEngine } from "./support.mjs";

const ROUNDS = 100000;

const engine = await startEngine();
const scenes = sceneFiles().map(({ text }) => JSON.parse(text));
const single = scenes.filter(({ contacts }) => contacts.length === 1);
const several = scenes.filter(({ contacts }) => contacts.length === 2);
const bad = { ...single[0], contacts: [{ ...single[0].contacts[0], mu: -1 }] };

// The work for one movement of a slider, with a new scene each time, so that it is read.
function slide(i) {
  const scene = i % 20 === 0 ? several[(i / 20) % several.length] : single[i % single.length];
  scene.contacts[0].e = 0.5 + 0.5 * ((i * 0.618034) % 1);
  engine.solve(scene, i % 3 === 1 ? { model: "rigid" } : {});
  if (i % 10 === 0) {
    engine.trace(scene, 50);
    engine.describe(scene);
    engine.solve(bad);
  }
}

test(`${ROUNDS} solves: the memory is that of the first ones`, (t) => {
  for (let i = 0; i < 1000; i++) {
    slide(i);
  }
  const { memory } = engine;
  for (let i = 0; i < ROUNDS; i++) {
    slide(i);
  }
  t.diagnostic(`${memory} bytes`); // measured: 2228224, of which 2 MB are the stack
  assert.equal(engine.memory, memory);
});
