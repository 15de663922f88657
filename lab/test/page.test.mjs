// The page in a real browser, opened from disk and without a network: it shows the program's numbers and
// follows every change.
import assert from "node:assert/strict";
import test, { after } from "node:test";

import {
  TOUR,
  choose,
  downloaded,
  openPage,
  openScene,
  scrub,
  settle,
  slide,
  startBrowser,
  tableOf,
} from "./page_support.mjs";
import { programTrace, runProgram, sceneFiles } from "./support.mjs";

const SHOWN = 6e-7; // seven digits are shown

const browser = startBrowser();
after(() => browser.close());
const texts = new Map(sceneFiles().map(({ name, text }) => [name, text]));
const program = (text) => JSON.parse(runProgram([{ text }], "--json").lines[0]);

function close(shown, wanted, unit, what) {
  assert.equal(shown?.length, wanted.length, what);
  wanted.forEach((x, i) =>
    assert.ok(
      Math.abs(shown[i] - x) <= SHOWN * Math.max(Math.abs(x), 1e-6 * unit),
      `${what}[${i}]: shown ${shown[i]}, program ${x}`,
    ),
  );
}

// Compare the result that the page shows with the program's.
async function compareNumbers(page, text, name) {
  const wanted = program(text);
  const scene = JSON.parse(text);
  const size = wanted.impulse.length / scene.contacts.length;
  const unit = Math.max(...wanted.contact_velocity.map(Math.abs), 1e-300);
  if (scene.contacts.length === 1) {
    const table = await tableOf(page, "At the contact");
    close(
      table.impulse,
      wanted.impulse.slice(0, size),
      wanted.impulse[size - 1],
      `${name} impulse`,
    );
    close(
      table["velocity after"],
      wanted.contact_velocity.slice(0, size),
      unit,
      `${name} velocity`,
    );
  }
  for (const [caption, key] of [
    ["Velocity", "velocity"],
    ["Spin, angular velocity", "angular_velocity"],
  ]) {
    const table = wanted.bodies && (await tableOf(page, caption));
    for (const [i, body] of (wanted.bodies ?? []).entries()) {
      if (scene.bodies[i].mass !== "infinite") {
        // rounding errors of a spin are relative to the speeds, and shown as 0
        const speeds = (one) => [...one[key], ...one.velocity].map(Math.abs);
        const fastest = Math.max(...wanted.bodies.flatMap(speeds));
        close(table[`${body.name}, after`], body[key], fastest, `${name} ${body.name} ${key}`);
      }
    }
  }
  if (wanted.velocity) {
    const table = await tableOf(page, "Generalised speeds");
    const fastest = Math.max(...wanted.velocity.map(Math.abs));
    close(
      wanted.velocity.map((_, i) => table[`u[${i}]`][1]),
      wanted.velocity,
      fastest,
      `${name} speeds`,
    );
  }
}

test("opens from disk, paints soon, and shows the numbers of the program for every scene", async (t) => {
  const page = await openPage(browser);
  const paint = await page.evaluate(
    () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
  );
  t.diagnostic(`first paint after ${paint?.toFixed(0)} ms`);
  assert.match(await page.text("#summary"), /Ball and floor meet at 7/);
  await page.click("#tab-numbers");
  for (const file of TOUR) {
    await choose(page, file);
    await compareNumbers(page, texts.get(file), file);
  }
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("sliders, fields and the law change the scene, and the answer is the program's", async () => {
  const page = await openPage(browser, { fragment: "#scene=pencil" });
  await page.click("#tab-numbers");
  await slide(page, "mu", 0.2);
  await slide(page, "stiffness_ratio", 0.7);
  await page.fill('[data-field="e"]', "0.31");
  await page.focus('[data-control="velocity-0"]');
  await page.keyboard.press("ArrowRight");
  await settle(page);
  const scene = JSON.parse((await downloaded(page, "Scene (JSON)")).bytes);
  const old = JSON.parse(texts.get("pencil"));
  assert.equal(scene.contacts[0].mu, 0.3);
  assert.equal(scene.contacts[0].e, 0.31);
  assert.notEqual(scene.contacts[0].stiffness_ratio, old.contacts[0].stiffness_ratio);
  assert.ok(scene.bodies[0].velocity[0] > old.bodies[0].velocity[0]);
  assert.deepEqual(scene.bodies[0].position, old.bodies[0].position);
  await compareNumbers(page, JSON.stringify(scene), "changed pencil");

  await page.click('.choice [data-law="newton"]');
  await settle(page);
  const newton = { ...scene, model: "rigid", restitution: "newton" };
  await compareNumbers(page, JSON.stringify(newton), "pencil, Newton");
  await page.click("#reset");
  await settle(page);
  await compareNumbers(page, texts.get("pencil"), "pencil again");
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("one of several contacts is changed, or all", async () => {
  const page = await openPage(browser, { fragment: "#scene=ball_ball_table" });
  await page.click("#tab-numbers");
  await slide(page, "e", 0.9);
  await page.choose('.chooser select[aria-label="Contact"]', "1");
  await slide(page, "stiffness", 0.75);
  const scene = JSON.parse((await downloaded(page, "Scene (JSON)")).bytes);
  assert.deepEqual(
    scene.contacts.map(({ e }) => e),
    [0.9, 0.9],
  );
  assert.equal(scene.contacts[0].stiffness, 1);
  assert.equal(scene.contacts[1].stiffness, 10);
  await compareNumbers(page, JSON.stringify(scene), "changed ball on ball on table");
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("scrubbing and hovering: one cursor, with the values of the program's trace", async () => {
  const page = await openPage(browser, { fragment: "#scene=icosahedron_tetrahedron" });
  const trace = programTrace({ text: texts.get("icosahedron_tetrahedron") }, 241);
  const rows = trace
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split(",").map(Number));
  const outputs = (id) =>
    page.all(`#plot-${id} output`, (all) =>
      all.map((one) => one.textContent.replaceAll("−", "-")),
    );
  const shows = async (row, what) => {
    const [impulse] = [await outputs("impulse")];
    // three digits are shown, and a pixel is a step of p; measured: 4.0e-3
    [row[1], row[2]].forEach((x, k) =>
      assert.ok(
        Math.abs(Number(impulse[k]) - x) <= 6e-3 * Math.abs(x),
        `${what}: ${impulse[k]}, trace ${x}`,
      ),
    );
  };
  await scrub(page, 1.25);
  await shows(rows[60], "p = 1/4");
  const quarter = String(Number(rows[60][0].toPrecision(4)));
  assert.ok((await page.text("#phase")).startsWith(`impact: p = ${quarter} of`));
  await scrub(page, 1.75);
  await shows(rows[180], "p = 3/4");
  const here = await page.all(".events li.here", (items) =>
    items.map((item) => item.textContent),
  );
  assert.equal(here.length, 1);
  assert.match(here[0], /sticks/);

  const at = (id, x) =>
    page.one(
      `#chart-${id}`,
      (chart, share) => {
        const box = chart.getBoundingClientRect();
        return [box.left + 52 + (box.width - 66) * share, box.top + 40];
      },
      x,
    );
  await page.mouse.move(...(await at("energy", 0.25)));
  await settle(page);
  await shows(rows[60], "hovering");
  await page.mouse.move(640, 20);
  await settle(page);
  await shows(rows[180], "after hovering");
  await page.mouse.click(...(await at("energy", 0.5)));
  await page.mouse.move(640, 20);
  await settle(page);
  await shows(rows[120], "after a click");
  await scrub(page, 2.5);
  assert.match(await page.text("#phase"), /after the impact/);
  await shows(rows[240], "after");
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("plays, pauses, goes from event to event by keys", async () => {
  const page = await openPage(browser, { moving: true });
  const cursor = () => page.one("#scrub", (range) => Number(range.value));
  assert.equal(await page.attribute("#play", "aria-label"), "Pause");
  await page.waitFor(
    (first) => Number(document.getElementById("scrub").value) > first,
    await cursor(),
  );
  await page.keyboard.press(" ");
  const stopped = await cursor();
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.equal(await cursor(), stopped);
  await scrub(page, 1);
  await page.keyboard.press("]");
  const { events, impulse } = program(texts.get("thrown_ball"));
  assert.ok(Math.abs((await cursor()) - 1 - events[0].normal_impulse / impulse[2]) < 1e-3);
  await page.keyboard.press("[");
  assert.equal(await cursor(), 1);
  await page.click("#tab-events");
  await page.clickText(".events button", "sticks");
  assert.ok(Math.abs((await cursor()) - 1 - events[1].normal_impulse / impulse[2]) < 1e-3);
  await page.choose("#speed", "0.1");
  await page.focus("#tab-events");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.attribute("#tab-compare", "aria-selected"), "true");
  assert.ok(await page.visible("#panel-compare"));
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("bodies that do not approach each other: said, and nothing breaks", async () => {
  const page = await openPage(browser);
  await slide(page, "velocity-2", 0.9);
  assert.match(await page.text("#alert"), /do not approach/);
  await scrub(page, 1.5);
  await slide(page, "velocity-2", 0.1);
  assert.ok(!(await page.visible("#alert")));
  assert.deepEqual(page.problems, []);
  await page.close();
});

// A box that slides and turns lands flat on two edges: four rigid contacts.
function flatBox() {
  const corners = [0.5, -0.5].flatMap((x) => [0.5, -0.5].map((y) => [x, y, 0]));
  const box = { name: "box", mass: 1, inertia: [0.1, 0.1, 0.15], position: [0, 0, 0.5] };
  return {
    carom: 1,
    name: "Box lands flat",
    units: "SI",
    model: "rigid",
    bodies: [
      { ...box, velocity: [1.2, 0.3, -2], angular_velocity: [0, 0, 1] },
      { name: "floor", mass: "infinite" },
    ],
    contacts: corners.map((point) => ({
      ...{ bodies: ["box", "floor"], point, normal: [0, 0, 1] },
      ...{ mu: 0.3, e: 0.3 },
    })),
  };
}

test("several rigid contacts: before, after and the program's numbers, and why nothing plays", async () => {
  const page = await openPage(browser);
  const text = JSON.stringify(flatBox());
  await openScene(page, "box.json", text);
  assert.ok(!(await page.visible("#alert")), await page.text("#alert"));
  await page.click("#tab-numbers");
  await settle(page);
  await compareNumbers(page, text, "box");
  const wanted = program(text);
  const contacts = await tableOf(page, "Contacts");
  const normals = wanted.impulse.filter((_, i) => i % 3 === 2);
  assert.ok(normals.some((x) => x === 0), "one of the corners carries nothing");
  assert.equal(Object.keys(contacts).length, 1); // four rows of the same name
  await page.click("#tab-events");
  const lines = await page.all(".events li", (all) => all.map((one) => one.textContent));
  assert.equal(lines.length, 4);
  lines.forEach((line, i) =>
    assert.match(line, normals[i] > 0 ? /^contact \d.*impulse [\d.]+\sN s, slips at/ : /no impulse/),
  );
  assert.ok((await page.text(".sequence")).includes(`${wanted.message.slice(1)}. This law`));
  assert.match(await page.text(".sequence"), /no order of events, and no process to play or plot/);
  const acting = normals.filter((x) => x > 0).length;
  assert.ok((await page.text("#summary")).startsWith(`4 contacts, ${acting} of them act, all at once.`));
  // the picture: no velocities in between, the plots say why there are none
  for (const [position, words] of [
    [0.5, "before the impact"],
    [1, "the impact: all velocities jump at once"],
    [1.5, "the impact: all velocities jump at once"],
    [2.5, "after the impact"],
  ]) {
    await scrub(page, position);
    assert.equal(await page.text("#phase"), words);
  }
  assert.equal(await page.count("#parts i"), 0);
  assert.ok(!(await page.visible("#chart-energy")));
  assert.match(await page.text(".no-process"), /all velocities jump at once/);
  await page.click("#export");
  const disabled = await page.all("#dialog .ways button", (all) =>
    all.filter((one) => one.disabled).map((one) => one.textContent),
  );
  assert.deepEqual(disabled, ["Process (CSV)", "Plots (SVG)"]);
  await page.click('#dialog button[value="close"]');
  // another law has a process, and back
  await page.click('.choice [data-law="compliant"]');
  await settle(page);
  assert.ok(await page.visible("#chart-energy"));
  assert.match(await page.text("#summary"), /events\./);
  await page.click('.choice [data-law="impulse"]');
  await settle(page);
  assert.ok(!(await page.visible("#chart-energy")));
  assert.match(await page.text("#summary"), /all at once/);
  // a ball between two walls cannot leave both
  const wall = (name, x) => ({ name, mass: "infinite", position: [x, 0, 0] });
  const touch = (name, x) => ({ bodies: ["ball", name], point: [x, 0, 0], normal: [-x, 0, 0], mu: 0, e: 0.5 });
  const ball = { name: "ball", mass: 1, inertia: [0.4, 0.4, 0.4], position: [0, 0, 0], velocity: [1, 0, 0] };
  const between = {
    ...{ carom: 1, name: "Between walls", model: "rigid" },
    bodies: [ball, wall("left", -1), wall("right", 1)],
    contacts: [touch("left", -1), touch("right", 1)],
  };
  await openScene(page, "walls.json", JSON.stringify(between));
  assert.match(await page.text("#alert"), /^This law has no answer here: .* jam\. Choose another law\.$/);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("compare: the laws side by side, and the one that creates energy stands out", async () => {
  const page = await openPage(browser, { fragment: "#scene=rod_newton" });
  await page.click("#tab-compare");
  await settle(page);
  const cards = await page.all(".law", (all) =>
    all.map((one) => ({
      law: one.dataset.law,
      share: Number(one.dataset.share),
      gain: one.classList.contains("gain"),
      text: one.textContent,
    })),
  );
  const scene = JSON.parse(texts.get("rod_newton"));
  assert.deepEqual(
    cards.map(({ law }) => law),
    ["energetic", "poisson", "newton", "compliant"],
  );
  for (const card of cards) {
    const law =
      card.law === "compliant"
        ? { model: "compliant", restitution: "energetic" }
        : { model: "rigid", restitution: card.law };
    const { energy, status } = program(JSON.stringify({ ...scene, ...law }));
    assert.ok(Math.abs(card.share - energy.after / energy.before) < 1e-14, card.law); // measured: 8.9e-16
    assert.equal(card.gain, status === "energy_gain", card.law);
  }
  assert.deepEqual(
    cards.filter(({ gain }) => gain).map(({ law }) => law),
    ["newton"],
  );
  assert.match(cards[2].text, /104\.4 %/);
  await page.click('.law[data-law="energetic"] button');
  await settle(page);
  assert.doesNotMatch(await page.text("#summary"), /creates energy/);
  await choose(page, "ball_ball_table");
  assert.deepEqual(await page.all(".law", (all) => all.map((one) => one.dataset.law)), [
    ...["compliant", "mono_stiffness", "impulse"],
  ]);
  assert.deepEqual(page.problems, []);
  await page.close();
});
