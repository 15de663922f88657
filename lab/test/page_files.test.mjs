// Files, links and exports. Scenes are refused with the program's messages.
import assert from "node:assert/strict";
import test, { after } from "node:test";

import { downloaded, openFile, openPage, settle, slide, startBrowser } from "./page_support.mjs";
import { programTrace, reportOf, runProgram, sceneFiles } from "./support.mjs";

const browser = startBrowser();
after(() => browser.close());
const texts = new Map(sceneFiles().map(({ name, text }) => [name, text]));
const program = (text) => JSON.parse(runProgram([{ text }], "--json").lines[0]);

test("a bad file gets the program's message, with the field; the scene before it stays", async () => {
  const page = await openPage(browser);
  const good = JSON.parse(texts.get("thrown_ball"));
  const bad = [
    { ...good, contacts: [{ ...good.contacts[0], mu: -1 }] },
    { ...good, contacts: [{ ...good.contacts[0], frction: 1 }] },
    { ...good, bodies: [{ ...good.bodies[0], inertia: [1, 2] }, good.bodies[1]] },
    { carom: 1, model: "rigid", contacts: [] },
  ].map((scene) => JSON.stringify(scene));
  for (const [text, field] of [
    [bad[0], "contacts[0].mu"],
    [bad[1], "contacts[0].frction"],
    [bad[2], "bodies[0].inertia"],
    [bad[3], "bodies"],
    ['{"carom": 1,\n"model" "rigid"}', "line 2"],
  ]) {
    await openFile(page, "bad.json", text);
    const said = program(text).message;
    assert.ok(said.includes(field), said);
    await page.waitFor(
      (words) => document.getElementById("alert").textContent === words,
      `bad.json: ${said}`,
    );
  }
  assert.match(await page.text("#summary"), /Ball and floor/);
  await page.evaluate((text) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], "dropped.json", { type: "application/json" }));
    document.body.dispatchEvent(
      new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }),
    );
  }, bad[0]);
  await page.waitFor(() =>
    document.getElementById("alert").textContent.startsWith("dropped.json: "),
  );
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    const paste = new ClipboardEvent("paste", { bubbles: true, cancelable: true });
    Object.defineProperty(paste, "clipboardData", { value: clipboardData });
    document.body.dispatchEvent(paste);
  }, texts.get("rod_reversal"));
  await settle(page);
  assert.ok(!(await page.visible("#alert")));
  assert.match(await page.text("#summary"), /^Rod and floor/);
  // choose a law that the scene does not allow: the message is the program's
  const rough = { ...good, contacts: [{ ...good.contacts[0], mu_static: 2 }] };
  await openFile(page, "rough.json", JSON.stringify(rough));
  await page.waitFor(() =>
    document.getElementById("summary").textContent.startsWith("Ball and floor"),
  );
  await settle(page);
  await page.click('.choice [data-law="compliant"]');
  await settle(page);
  const said = program(JSON.stringify({ ...rough, model: "compliant" })).message;
  assert.match(said, /^contacts\[0\]\.mu_static: /);
  assert.equal(await page.text("#alert"), said);
  const chosen = await page.attribute('.choice [data-law="compliant"]', "aria-checked");
  assert.equal(chosen, "true");
  assert.deepEqual(page.problems, []);
  await page.close();
});

// What the page shows of a scene: the alert, and the texts with numbers.
function shown() {
  const text = (name) => document.querySelector(name).textContent;
  return {
    alert: document.getElementById("alert").hidden ? "" : text("#alert"),
    numbers: [...document.querySelectorAll("#panel-numbers td")].map((cell) => cell.textContent),
    summary: text("#summary"),
  };
}

test("every scene of the program opens, without rounding errors in its numbers; text in it is text", async () => {
  const page = await openPage(browser);
  const tab = (name) => page.one(`#tab-${name}`, (button) => button.click());
  for (const [name, text] of texts) {
    await tab("numbers");
    await openFile(page, `${name}.json`, text);
    await page.waitFor(
      (wanted) => document.getElementById("about-scene").textContent === wanted,
      JSON.parse(text).description,
    );
    await settle(page);
    const { alert, numbers, summary } = await page.evaluate(shown);
    assert.equal(alert, "", name);
    assert.ok(numbers.length > 8, name);
    const tiny = [...numbers, summary].filter((words) => /e−(1\d|[2-9]\d)/.test(words));
    assert.deepEqual(tiny, [], name);
    await tab("compare");
    await settle(page);
    assert.equal((await page.evaluate(shown)).alert, "", name);
  }
  // contacts only, and too many for arrows
  for (const count of [2, 5]) {
    const numbers = Array.from({ length: 3 * count }, (_, i) => i);
    const scene = {
      carom: 1,
      description: `${count} contacts`,
      model: "compliant",
      inverse_inertia: numbers.map((i) => numbers.map((k) => Number(i === k))),
      contact_velocity: numbers.map((i) => (i % 3 === 2 ? -1 : 0.5)),
      contacts: Array(count).fill({ mu: 0.2, e: 0.7 }),
    };
    await openFile(page, "contacts.json", JSON.stringify(scene));
    await page.waitFor(
      (words) => document.getElementById("summary").textContent.startsWith(words),
      `${count} contacts, ${count} of them act`,
    );
    await settle(page);
    const handles = await page.count("#labels .handle:not([hidden])");
    assert.equal(handles, count === 2 ? 2 : 0);
  }
  const trap = '<img src=x onerror="window.caught=1">';
  const scene = JSON.parse(texts.get("ball_ball_table"));
  const marked = JSON.stringify({ ...scene, name: trap, description: trap }).replaceAll(
    "upper ball",
    trap.replaceAll('"', "'"),
  );
  await page.click("#tab-numbers");
  await openFile(page, "trap.json", marked);
  await page.waitFor(
    (wanted) => document.getElementById("about-scene").textContent === wanted,
    trap,
  );
  await page.click("#tab-events");
  await settle(page);
  assert.equal(await page.evaluate(() => document.images.length + (window.caught ?? 0)), 0);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("a link carries the scene", async () => {
  const page = await openPage(browser, { fragment: "#scene=box_corner" });
  await slide(page, "mu", 0.5);
  await slide(page, "spin-2", 0.3);
  await page.click("#share");
  await page.waitFor(() => document.getElementById("share-link"));
  const link = await page.value("#share-link");
  const fragment = link.slice(link.indexOf("#"));
  assert.match(fragment, /^#json=[\w-]+&of=box_corner$/);
  const other = await openPage(browser, { fragment });
  for (const field of ["mu", "e", "velocity-0", "spin-2"]) {
    assert.equal(
      await other.value(`[data-field="${field}"]`),
      await page.value(`[data-field="${field}"]`),
      field,
    );
  }
  assert.equal(await other.text("#summary"), await page.text("#summary"));
  await other.evaluate(() => (location.hash = "#scene=pencil"));
  await other.waitFor(() =>
    document.getElementById("summary").textContent.startsWith("Pencil"),
  );
  const cut = await openPage(browser, { fragment: fragment.slice(0, 60) });
  assert.match(await cut.text("#alert"), /link is damaged/);
  const strange = await openPage(browser, { fragment: "#scene=nowhere" });
  assert.match(await strange.text("#alert"), /"nowhere"/);
  for (const one of [page, other, cut, strange]) {
    assert.deepEqual(one.problems, []);
    await one.close();
  }
});

test("the link of a report opens its scene", async () => {
  for (const file of ["box_corner", "billiard_break"]) {
    const report = reportOf(texts.get(file), `${file}.json`);
    const [, fragment] = /href="lab\.html(#json=[^"]*)"/.exec(report);
    const page = await openPage(browser, { fragment });
    assert.ok(!(await page.visible("#alert")), await page.text("#alert"));
    const scene = JSON.parse((await downloaded(page, "Scene (JSON)")).bytes);
    assert.deepEqual(scene, JSON.parse(texts.get(file)));
    assert.deepEqual(page.problems, []);
    await page.close();
  }
});

// The exported comparison has the energies of the program under each law.
async function compareLaws(page) {
  const { name, bytes } = await downloaded(page, "Laws (CSV)");
  assert.equal(name, "masse_shot_laws.csv");
  const [head, ...rows] = bytes.toString().trim().split("\n").map((line) => line.split(","));
  assert.deepEqual(
    rows.map(([law]) => law),
    ["Bi-stiffness", "Mono-stiffness", "Rigid"],
  );
  for (const row of rows) {
    const cell = (column) => row[head.indexOf(column)];
    const law = { model: cell("model"), restitution: cell("restitution") };
    const { energy } = program(JSON.stringify({ ...JSON.parse(texts.get("masse_shot")), ...law }));
    for (const [column, wanted] of [
      ["energy_after", energy.after],
      ["friction_loss", energy.friction_loss],
    ]) {
      assert.ok(Math.abs(Number(cell(column)) - wanted) < 1e-12 * energy.before, column); // measured: 1e-15
    }
  }
}

test("exports equal the program's output and can be read", async () => {
  const page = await openPage(browser, { fragment: "#scene=masse_shot" });
  const csv = await downloaded(page, "Process (CSV)");
  assert.equal(csv.name, "masse_shot.csv");
  const lines = csv.bytes.toString().trim().split("\n");
  const trace = programTrace({ text: texts.get("masse_shot") }, lines.length - 1);
  const wanted = trace.trim().split("\n");
  const added = ["kinetic", "stored", "tangential", "normal", "friction"].map((x) => `energy_${x}`);
  assert.equal(lines[0], [wanted[0], ...added, "event"].join(","));
  const columns = wanted[0].split(",").length;
  lines.slice(1).forEach((line, i) =>
    line.split(",").slice(0, columns).forEach((cell, k) => {
      const [shown, said] = [cell, wanted[i + 1].split(",")[k]];
      assert.ok(
        shown === said || Math.abs(Number(shown) - Number(said)) < 1e-12,
        `row ${i}: ${shown}, program ${said}`,
      ); // measured: 6.7e-16
    }),
  );
  const result = JSON.parse((await downloaded(page, "Result (JSON)")).bytes);
  assert.equal(result.status, "ok");
  // energies sum up to the energy before; every event is in a row, once
  const cells = lines.slice(1).map((line) => line.split(","));
  for (const row of cells) {
    const sum = row.slice(columns, columns + 5).reduce((total, x) => total + Number(x), 0);
    assert.ok(Math.abs(sum - result.energy.before) < 1e-12 * result.energy.before); // measured: 4e-16
  }
  const events = cells.flatMap((row) => row[columns + 5].split("; ").filter(Boolean));
  assert.deepEqual(
    events.toSorted(),
    result.events.map(({ event, contact }) => `${event} ${contact}`).toSorted(),
  );
  await compareLaws(page);
  await page.click("#export");
  await page.fill('#dialog [aria-label^="Width"]', "900");
  await page.fill('#dialog [aria-label^="Height"]', "410");
  await page.click('#dialog button[value="close"]');
  const svg = (await downloaded(page, "Plots (SVG)")).bytes.toString();
  assert.match(svg, /^<svg [^>]*width="900"/);
  assert.equal(svg.match(/height="410"/g).length, 3);
  assert.match(svg, /Which contact acts, and how/);
  assert.equal(await page.count(".aside"), 0);
  const parsed = await page.evaluate((text) => {
    const root = new DOMParser().parseFromString(text, "image/svg+xml");
    const paths = [...root.querySelectorAll("path")];
    const colors = paths.flatMap((path) => [
      path.getAttribute("fill"),
      path.getAttribute("stroke"),
    ]);
    return {
      bad: root.querySelector("parsererror") !== null,
      paths: paths.length,
      unseen: paths.filter((path) => path.getAttribute("fill") === path.getAttribute("stroke"))
        .length,
      colors: new Set(colors).size,
    };
  }, svg);
  assert.ok(!parsed.bad && parsed.paths >= 6, svg.slice(0, 200));
  assert.equal(parsed.unseen, 0); // a path has a fill or a stroke
  assert.ok(parsed.colors >= 6, `${parsed.colors} colours in the plots`);
  const png = (await downloaded(page, "Picture (PNG)")).bytes;
  assert.equal(png.subarray(1, 4).toString(), "PNG");
  const colors = await page.evaluate(
    async (bytes) => {
      const image = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      return new Set(
        new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer),
      ).size;
    },
    [...png],
  );
  assert.ok(colors > 100, `${colors} colours in the picture`);
  assert.deepEqual(page.problems, []);
  await page.close();
});
