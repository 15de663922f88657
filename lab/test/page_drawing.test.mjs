// The picture, the sliders and the texts beside them: no noise, no lost handle, numbers with units, plain words.
import assert from "node:assert/strict";
import test, { after } from "node:test";

import {
  choose,
  downloaded,
  openPage,
  openScene,
  scrub,
  settle,
  slide,
  startBrowser,
} from "./page_support.mjs";
import { runProgram, sceneFiles } from "./support.mjs";

const browser = startBrowser();
after(() => browser.close());
const texts = new Map(sceneFiles().map(({ name, text }) => [name, text]));
const program = (scene) =>
  JSON.parse(runProgram([{ text: JSON.stringify(scene) }], "--json").lines[0]);

const exported = async (page) => JSON.parse((await downloaded(page, "Scene (JSON)")).bytes);

test("friction is dragged to 0 and back in one go", async () => {
  const page = await openPage(browser);
  for (const file of ["thrown_ball", "superball", "cradle_5", "billiard_break", "ball_ball_table"]) {
    await choose(page, file);
    const range = await page.box('[data-control="mu"]');
    const at = (share) => range.left + 8 + (range.width - 16) * share;
    await page.evaluate(() => (window.held = document.querySelector('[data-control="mu"]')));
    const start = await page.one('[data-control="mu"]', (one) => one.value / one.max);
    await page.mouse.move(at(start), range.y);
    await page.mouse.down();
    const seen = [];
    for (const share of [0.5, 0.2, 0, 0.1, 0.4]) {
      await page.mouse.move(at(share), range.y);
      await settle(page);
      seen.push(Number(await page.value('[data-field="mu"]')));
    }
    await page.mouse.up();
    assert.equal(seen[2], 0, file);
    assert.ok(seen[0] > seen[1] && seen[3] > 0 && seen[4] > seen[3], `${file}: ${seen}`);
    assert.ok(await page.evaluate(() => window.held.isConnected), `${file}: the slider was replaced`);
  }
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("the legend of the picture has what is drawn, and no more", async () => {
  const page = await openPage(browser, { fragment: "#scene=thrown_ball" });
  const key = async (file) => {
    await choose(page, file);
    return page.all("#key li", (all) => all.map((one) => one.className));
  };
  assert.deepEqual(await key("thrown_ball"), ["velocity", "before", "spin", "impulse", "cone"]);
  assert.deepEqual(await key("ball_ball_table"), ["velocity", "before", "impulse"]);
  assert.deepEqual(await key("cradle_5"), ["velocity", "before", "impulse", "string"]);
  assert.deepEqual(await key("billiard_break"), ["velocity", "before"]); // its spins are rounding errors
  assert.match(await page.text("#key"), /^velocity/);
  await choose(page, "pin_ball");
  assert.match(await page.text("#key"), /of the ball/);
  assert.match(await page.text("#hint"), /Seen from the pin/);
  await choose(page, "rod_newton");
  assert.match(await page.text("#hint"), /flight after ends where rod and floor would touch again/);
  await page.close();
});

test("the camera stays above the floor", async () => {
  const page = await openPage(browser, { fragment: "#scene=thrown_ball" });
  const tip = () =>
    page.one("#labels .handle.velocity", (one) => one.getBoundingClientRect().top.toFixed(1));
  await page.focus("#canvas");
  const seen = [await tip()];
  for (let i = 0; i < 12; i++) {
    await page.keyboard.press("ArrowDown");
    await settle(page);
    seen.push(await tip());
  }
  assert.notEqual(seen[1], seen[0]);
  // 20 degrees above the floor at the start, 6 degrees a step: it stops after a few
  assert.equal(seen[8], seen[12], `${seen}`);
  const { left, top, width, height } = await page.box("#canvas");
  await page.mouse.move(left + 20, top + height / 2);
  await page.mouse.down();
  await page.mouse.move(left + 20, top + height / 2 - 150, { steps: 5 });
  await page.mouse.up();
  await settle(page);
  assert.equal(await tip(), seen[12], `${width}`);
  await page.close();
});

test("a dragged arrow shows its number, and keeps to an axis if wanted", async () => {
  const page = await openPage(browser, { fragment: "#scene=thrown_ball" });
  const vector = async () => (await exported(page)).bodies[0].velocity;
  const handle = () =>
    page.one("#labels .handle.velocity", (one) => {
      const box = one.getBoundingClientRect();
      return [box.left + box.width / 2, box.top + box.height / 2];
    });
  const drag = async (dx, dy) => {
    const [x, y] = await handle();
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + dx, y + dy, { steps: 4 });
    await settle(page);
    const value = await page.text("#labels .value:not([hidden])");
    await page.mouse.up();
    await settle(page);
    return value;
  };
  const start = await vector();
  await page.keyboard.down("Shift");
  const shown = await drag(40, 6);
  await page.keyboard.up("Shift");
  const along = await vector();
  assert.ok(along[0] > start[0] + 1, `${along}`);
  assert.deepEqual(along.slice(1), start.slice(1));
  assert.match(shown, /^\([\d.]+, 0, −7\), size [\d.]+\u00a0m\u2060\/\u2060s$/);
  await page.choose("#axis", "2");
  await drag(25, -30);
  const up = await vector();
  assert.deepEqual(up.slice(0, 2), along.slice(0, 2));
  assert.ok(up[2] > along[2]);
  assert.equal(await page.count("#labels .value:not([hidden])"), 0);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("mass, inertia, normal and stiffness can be changed, and the answer is the program's", async () => {
  const page = await openPage(browser, { fragment: "#scene=box_corner" });
  await page.click("#tab-numbers");
  await page.one(".more", (details) => (details.open = true));
  await page.fill('[data-field="mass"]', "2.5");
  await settle(page);
  await slide(page, "inertia-1", 0.55);
  await page.fill('[data-field="normal-0"]', "0.1");
  await settle(page);
  const scene = await exported(page);
  const old = JSON.parse(texts.get("box_corner"));
  assert.equal(scene.bodies[0].mass, 2.5);
  assert.ok(scene.bodies[0].inertia[1] > old.bodies[0].inertia[1]);
  assert.equal(scene.contacts[0].normal[0], 0.1);
  const impulse = await page.one("#panel-numbers tr:has(td) th", () =>
    [...document.querySelectorAll("#panel-numbers tr")]
      .find((row) => row.cells[0].textContent.startsWith("impulse"))
      .lastChild.textContent.replace("−", "-"),
  );
  const wanted = program(scene).impulse[2];
  assert.ok(Math.abs(Number(impulse) - wanted) < 6e-7 * wanted, `${impulse}, program ${wanted}`);
  assert.ok(await page.one(".more", (details) => details.open));
  await choose(page, "ball_ball_table");
  await slide(page, "stiffness-1", 0.75);
  assert.equal((await exported(page)).contacts[1].stiffness, 10);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("units are shown where the scene says them, and only there", async () => {
  const page = await openPage(browser, { fragment: "#scene=thrown_ball" });
  const seen = () =>
    page.evaluate(() =>
      ["#controls", "#summary", "#panel-events", "#plots", "#phase"].map(
        (name) => document.querySelector(name).textContent,
      ),
    );
  const [controls, summary, events, plots, phase] = await seen();
  assert.match(controls, /Velocity x m\/s/);
  assert.match(controls, /Spin z rad\/s/);
  assert.match(controls, /Mass kg/);
  assert.match(summary, /at 7\sm\u2060\/\u2060s/);
  assert.match(events, /energy 1\.41365 J stored/);
  assert.match(plots, /sliding velocity along t1 \(m\/s\)/);
  assert.match(plots, /energy \(J\)/);
  assert.match(phase, /N s$/);
  await page.click("#tab-numbers");
  assert.match(await page.text("#panel-numbers"), /Velocity \(m\/s\)/);
  await page.click("#tab-events");
  const own = { ...JSON.parse(texts.get("thrown_ball")), units: { length: "mm", mass: "g", time: "ms" } };
  await openScene(page, "own.json", JSON.stringify(own));
  assert.match((await seen())[3], /energy \(g mm²\/ms²\)/);
  await choose(page, "pencil");
  assert.doesNotMatch((await seen()).join(" "), /m\/s|rad|\(J\)/);
  await page.close();
});

test("plain words: no field names, no letters without their meaning", async () => {
  const page = await openPage(browser, { fragment: "#scene=thrown_ball" });
  assert.match(await page.text(".sequence"), /^In short: straight slip, compression ends, slip stops/);
  await slide(page, "velocity-2", 0.9);
  assert.match(await page.text("#alert"), /^The bodies do not approach each other/);
  assert.doesNotMatch(await page.text("#alert"), /contact_velocity|v_n/);
  for (const file of ["rod_planar", "rod_reversal"]) {
    await openScene(page, `${file}.json`, texts.get(file));
    assert.match(await page.text("#panel-events"), /slip stops and reverses/, file);
  }
  await choose(page, "ball_ball_table");
  assert.match(await page.text(".sequence"), /both contacts act, only lower ball – table/);
  for (const [name, text] of texts) {
    const { description } = JSON.parse(text);
    assert.doesNotMatch(description, /^(Section|Jia|Figure|Table)|Written by|\.c\b|--/, name);
  }
  await page.close();
});

test("the timeline of several contacts has the colours of their phases", async () => {
  const page = await openPage(browser, { fragment: "#scene=ball_ball_table" });
  const bars = () =>
    page.all("#parts i", (all) =>
      all.map((one) => [one.className, one.style.top, getComputedStyle(one).backgroundColor]),
    );
  const two = await bars();
  assert.equal(new Set(two.map(([, top]) => top)).size, 2);
  assert.deepEqual([...new Set(two.map(([kind]) => kind))].toSorted(), ["compression", "restitution"]);
  assert.equal(new Set(two.map(([, , color]) => color)).size, 2);
  await choose(page, "billiard_break");
  assert.ok((await bars()).length >= 2);
  await choose(page, "cradle_5");
  assert.equal(new Set((await bars()).map(([, top]) => top)).size, 4);
  await page.close();
});

test("scenes without bodies: a dot on the surface, or the body that the mechanics gives", async () => {
  const page = await openPage(browser);
  for (const [file, note] of [
    ["rocking_block", /drawn from its mass/],
    ["rod_planar", /drawn from its mass/],
    ["rail_striker", /no bodies/],
    ["heel_toe", /no bodies/],
  ]) {
    await openScene(page, `${file}.json`, texts.get(file));
    await scrub(page, 2.5);
    assert.match(await page.text("#hint"), note, file);
  }
  assert.deepEqual(page.problems, []);
  await page.close();
});
