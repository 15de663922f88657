// Using the page: arrows and keys, names for screen readers, narrow windows, no WebGL, and its speed.
import assert from "node:assert/strict";
import test, { after } from "node:test";

import { REST } from "../page/model/pace.js";
import { openFile, openPage, scrub, settle, slide, startBrowser } from "./page_support.mjs";

const browser = startBrowser();
after(() => browser.close());

test("an arrow is dragged, the picture is turned", async () => {
  const page = await openPage(browser);
  const handle = () =>
    page.all("#labels .handle.velocity:not([hidden])", ([one]) => {
      const box = one.getBoundingClientRect();
      return [box.left + box.width / 2, box.top + box.height / 2];
    });
  const before = await page.value('[data-field="velocity-0"]');
  const [x, y] = await handle();
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 40, y + 10, { steps: 5 });
  await settle(page);
  assert.match(await page.text("#phase"), /velocity of ball: \(/);
  const tip = await handle();
  await page.mouse.up();
  const changed = await page.value('[data-field="velocity-0"]');
  assert.ok(Number(changed) > Number(before), `${before} became ${changed}`);
  assert.ok(Math.hypot(tip[0] - x - 40, tip[1] - y - 10) < 2, "the tip is where the pointer is"); // measured: 0
  await page.mouse.move(x - 150, y - 60);
  await page.mouse.down();
  await page.mouse.move(x - 100, y - 60, { steps: 4 });
  await page.mouse.up();
  await settle(page);
  assert.equal(await page.value('[data-field="velocity-0"]'), changed);
  const turned = await handle();
  assert.ok(Math.hypot(turned[0] - tip[0], turned[1] - tip[1]) > 5, "the picture has turned");
  await page.focus("#canvas");
  await page.keyboard.press("ArrowLeft");
  await settle(page);
  assert.notDeepEqual(await handle(), turned);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("everything that can be used has a name, and the page needs no sideways scrolling", async () => {
  for (const width of [1280, 900, 390, 320]) {
    const page = await openPage(browser, { width, height: 844 });
    for (const tab of ["events", "compare", "numbers"]) {
      await page.click(`#tab-${tab}`);
      await settle(page);
      const nameless = await page.all("button, input, select, [role=img], a[href]", (all) =>
        all
          .filter(
            (one) =>
              one.checkVisibility() &&
              !(
                one.getAttribute("aria-label") ||
                one.textContent.trim() ||
                one.labels?.[0]?.textContent.trim()
              ),
          )
          .map((one) => one.outerHTML.slice(0, 80)),
      );
      assert.deepEqual(nameless, []);
      const over = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      assert.ok(over <= 0, `${over} pixels too wide at ${width}, ${tab}`);
    }
    assert.deepEqual(page.problems, []);
    await page.close();
  }
});

// A rack of balls, larger than any in the tour: 85 contacts, which always take long.
function rack() {
  const ball = { mass: 1, inertia: [0.1, 0.1, 0.1] };
  const bodies = [{ ...ball, name: "cue", position: [-1, 0, 0], velocity: [3, 0.1, 0] }];
  for (let row = 0; row < 8; row++) {
    for (let k = 0; k <= row; k++) {
      const position = [(row * Math.sqrt(3)) / 2, k - row / 2, 0];
      bodies.push({ ...ball, name: `ball ${bodies.length}`, position });
    }
  }
  const contacts = bodies.flatMap((a, i) =>
    bodies.slice(i + 1).flatMap((b) => {
      const normal = a.position.map((x, k) => x - b.position[k]);
      const point = a.position.map((x, k) => (x + b.position[k]) / 2);
      const touch = { bodies: [a.name, b.name], point, normal, mu: 0.05, e: 0.9 };
      return Math.abs(Math.hypot(...normal) - 1) < 1e-9 ? [touch] : [];
    }),
  );
  return { carom: 1, name: "rack", model: "compliant", bodies, contacts };
}

test("what takes long is solved beside the page: it says so, and only the last change counts", async (t) => {
  const page = await openPage(browser);
  await openFile(page, "rack.json", JSON.stringify(rack()));
  await page.waitFor(() =>
    document.getElementById("summary").textContent.startsWith("85 contacts"),
  );
  await settle(page);
  assert.equal(await page.evaluate(() => window.workers), 1);
  const seen = await page.evaluate(async () => {
    const summary = document.getElementById("summary");
    const range = document.querySelector('[data-control="e"]');
    const frame = () => new Promise(requestAnimationFrame);
    const [answers, gaps] = [[], []];
    new MutationObserver(() => answers.push(range.value)).observe(summary, { childList: true });
    let last = performance.now();
    for (let i = 0; i < 20; i++) {
      await frame();
      range.value = String(500 + 20 * i);
      range.dispatchEvent(new Event("input", { bubbles: true }));
      const now = performance.now();
      gaps.push(now - last);
      last = now;
    }
    const busy = document.querySelector("main").ariaBusy;
    while (document.querySelector("main").ariaBusy === "true") {
      await frame();
    }
    return { answers, gaps, busy };
  });
  t.diagnostic(`longest frame while dragging: ${Math.max(...seen.gaps).toFixed(1)} ms`);
  assert.equal(seen.busy, "true");
  assert.equal(seen.answers.at(-1), "880");
  // on a busy machine a pause of drawing counts as rest of the input
  const rests = seen.gaps.filter((gap) => gap >= REST).length;
  assert.ok(seen.answers.length <= 1 + rests, `${seen.answers.length} answers, ${rests} rests`);
  const field = await page.value('[data-field="e"]');
  assert.equal(field, "0.88");
  await page.click("#tab-compare");
  await page.waitFor(() => document.querySelectorAll(".law").length === 3);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("by keyboard: the law is chosen with arrows and keeps the focus", async () => {
  const page = await openPage(browser, { fragment: "#scene=rod_newton" });
  await page.focus('.choice [data-law="newton"]');
  await page.keyboard.press("ArrowLeft");
  await settle(page);
  const focused = await page.evaluate(() => [
    document.activeElement.dataset.law,
    document.activeElement.getAttribute("aria-checked"),
  ]);
  assert.deepEqual(focused, ["poisson", "true"]);
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press("Tab");
    const unseen = await page.evaluate(() => {
      const { outlineStyle } = getComputedStyle(document.activeElement);
      // after the last element the focus is in the browser's own window
      return outlineStyle === "none" && document.activeElement !== document.body && document.hasFocus()
        ? document.activeElement.outerHTML
        : "";
    });
    assert.equal(unseen, "", "the focused element is visible");
  }
  await page.close();
});

test("without WebGL everything but the picture works", async () => {
  const blind = startBrowser({
    chromium: ["--disable-3d-apis"],
    firefox: { "webgl.disabled": true },
  });
  try {
    const page = await openPage(blind);
    assert.match(await page.text("#hint"), /no 3D/);
    await slide(page, "mu", 0.1);
    await scrub(page, 1.5);
    assert.match(await page.text("#summary"), /slipping/);
    assert.deepEqual(
      page.problems.filter((problem) => !/WebGL/i.test(problem)),
      [],
    );
  } finally {
    await blind.close();
  }
});

test("frames while a slider is dragged (reported, not judged)", async (t) => {
  for (const file of ["thrown_ball", "masse_shot", "billiard_break"]) {
    const page = await openPage(browser, { fragment: `#scene=${file}` });
    await scrub(page, 1.5);
    const range = await page.box('[data-control="e"]');
    await page.evaluate(() => {
      let last = performance.now();
      window.times = [];
      performance.clearMeasures();
      const tick = (now) => {
        window.times.push(now - last);
        last = now;
        requestAnimationFrame(tick);
      };
      requestAnimationFrame(tick);
    });
    await page.mouse.move(range.x, range.y);
    await page.mouse.down();
    for (let i = 0; i < 60; i++) {
      await page.mouse.move(
        range.x + 0.4 * range.width * Math.sin(i / 8),
        range.y,
      );
    }
    await page.mouse.up();
    const sorted = (list) => list.sort((a, b) => a - b);
    const times = sorted((await page.evaluate(() => window.times)).slice(2));
    const work = sorted(
      await page.evaluate(() => performance.getEntriesByName("solve").map((one) => one.duration)),
    );
    const at = (share, list = times) => list[Math.floor(share * (list.length - 1))]?.toFixed(1);
    t.diagnostic(
      `${file}: ${times.length} frames, median ${at(0.5)} ms, 95 % ${at(0.95)} ms, longest ${at(1)} ms; ${work.length} answers, computed and drawn (but for the picture) in ${at(0.5, work)} ms`,
    );
    assert.ok(work.length > 0, "the drag was answered");
    await page.close();
  }
});
