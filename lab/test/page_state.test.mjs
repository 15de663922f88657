// What a user has done is kept: by the address, by Back, by undo and redo, and until the next visit.
import assert from "node:assert/strict";
import test, { after } from "node:test";

import { choose, openFile, openPage, ready, settle, slide, startBrowser } from "./page_support.mjs";

const browser = startBrowser();
after(() => browser.close());

const hash = (tab) => tab.evaluate(() => location.hash);
const mu = (tab) => tab.value('[data-field="mu"]');

// Wait for an address other than one.
async function moved(tab, from) {
  await tab.waitFor((old) => location.hash !== old, from);
  await settle(tab);
  return hash(tab);
}

test("the address follows the scene; reload and Back return to it as it was", async () => {
  const page = await openPage(browser, { fragment: "#scene=pencil" });
  await slide(page, "mu", 0.2);
  const edited = await moved(page, "#scene=pencil");
  assert.match(edited, /^#json=[\w-]+&of=pencil$/);
  assert.equal(await mu(page), "0.3");
  await page.reload();
  await ready(page);
  assert.equal(await mu(page), "0.3");
  assert.equal(await page.value("#scene-pick"), "pencil");
  await page.click("#reset"); // the scene of the tour is still known
  assert.notEqual(await mu(page), "0.3");
  assert.equal(await moved(page, edited), "#scene=pencil");
  await choose(page, "box_corner");
  await moved(page, "#scene=pencil");
  await page.back();
  await page.waitFor(() => document.getElementById("summary").textContent.startsWith("Pencil"));
  assert.equal(await hash(page), "#scene=pencil");
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("undo and redo, by keys and buttons, of edits and of scenes; a drag is one step", async () => {
  const page = await openPage(browser, { fragment: "#scene=thrown_ball" });
  const rest = () => new Promise((resolve) => setTimeout(resolve, 500));
  await rest();
  assert.ok(await page.one("#undo", (button) => button.disabled));
  const range = await page.box('[data-control="e"]');
  await page.mouse.move(range.x, range.y);
  await page.mouse.down();
  for (let i = 0; i < 8; i++) {
    await page.mouse.move(range.x - 4 * i, range.y);
  }
  await page.mouse.up();
  await settle(page);
  const dragged = await page.value('[data-field="e"]');
  await rest();
  await choose(page, "pencil");
  await rest();
  const key = async (letter, shift = false) => {
    await page.keyboard.down("Control");
    await (shift ? page.keyboard.down("Shift") : null);
    await page.keyboard.press(letter);
    await (shift ? page.keyboard.up("Shift") : null);
    await page.keyboard.up("Control");
    await settle(page);
  };
  await page.focus("#canvas");
  await key("z");
  assert.match(await page.text("#summary"), /^Ball and floor/);
  assert.equal(await page.value('[data-field="e"]'), dragged);
  await key("z");
  assert.equal(await page.value('[data-field="e"]'), "0.75");
  await key("y");
  assert.equal(await page.value('[data-field="e"]'), dragged);
  await key("z");
  await key("Z", true);
  assert.equal(await page.value('[data-field="e"]'), dragged);
  await page.click("#redo");
  await settle(page);
  assert.match(await page.text("#summary"), /^Pencil/);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("the next visit without an address has the scene of the last one, and says so", async () => {
  const page = await openPage(browser);
  assert.ok(!(await page.visible("#notice")));
  await slide(page, "mu", 0.1);
  await page.waitFor(() => location.hash.startsWith("#json="));
  await page.evaluate(() => history.replaceState(null, "", location.pathname));
  await page.reload();
  await ready(page);
  assert.equal(await mu(page), "0.15");
  assert.match(await page.text("#notice"), /last visit/);
  await page.click("#notice button");
  await settle(page);
  assert.equal(await mu(page), "0.6");
  assert.ok(!(await page.visible("#notice")));
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("a link that names no scene is said, whatever is wrong with it", async () => {
  const page = await openPage(browser, { fragment: "#scene=pencil" });
  for (const [fragment, words] of [
    ["#scene=nowhere", /"nowhere"/],
    ["#json=abc", /damaged/],
    ["#json=!!", /damaged/],
    ["#pencil", /names no scene/],
    ["#scenes=pencil", /names no scene/],
  ]) {
    const other = await openPage(browser, { fragment });
    assert.match(await other.text("#alert"), words, fragment);
    assert.match(await other.text("#summary"), /^Ball and floor/, fragment);
    assert.deepEqual(other.problems, [], fragment);
    await other.close();
    await page.evaluate((text) => (location.hash = text), fragment);
    await page.waitFor((text) => new RegExp(text).test(document.getElementById("alert").textContent), words.source);
  }
  assert.match(await page.text("#summary"), /^Pencil/);
  await page.evaluate(() => document.querySelector(".skip").click()); // a place in the page is no scene
  await settle(page);
  assert.doesNotMatch(await page.text("#alert"), /controls/);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("a scene for carom simulate opens with its first impact", async () => {
  const { simulateFiles } = await import("./support.mjs");
  const page = await openPage(browser);
  for (const { name, text } of simulateFiles()) {
    await openFile(page, `${name}.json`, text);
    await page.waitFor(
      (title) => document.getElementById("scene-pick").selectedOptions[0].textContent === title,
      `${JSON.parse(text).name}: first impact`,
    );
    await settle(page);
    assert.ok(!(await page.visible("#alert")), `${name}: ${await page.text("#alert")}`);
    assert.match(await page.text("#about-scene"), /^The first impact of this scene/);
  }
  const away = { ...JSON.parse(simulateFiles()[0].text), gravity: [0, 0, 9.81] };
  away.bodies = [{ ...away.bodies[0], position: [0, 0, 9], velocity: [0, 0, 1] }];
  await openFile(page, "away.json", JSON.stringify(away));
  await page.waitFor(() => /does not reach the plane/.test(document.getElementById("alert").textContent));
  assert.match(await page.text("#alert"), /carom simulate/);
  assert.deepEqual(page.problems, []);
  await page.close();
});
