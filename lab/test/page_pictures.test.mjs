// Pictures of the page for inspection: every scene of the tour, wide and narrow, light and dark, in
// lab-pictures beside the page. Checked: no text covers another, and none is cut off.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import test, { after } from "node:test";

import { choose, openPage, scrub, settle, startBrowser } from "./page_support.mjs";

const TOUR = [
  "thrown_ball",
  "pencil",
  "box_corner",
  "superball",
  "pin_ball",
  "icosahedron_tetrahedron",
  "rod_newton",
  "ball_ball_table",
  "cradle_5",
  "billiard_break",
  "masse_shot",
  "double_pendulum",
];
const WINDOWS = [
  { name: "desktop", width: 1280, height: 800 },
  { name: "phone", width: 390, height: 844, touch: true },
];
const folder = join(dirname(process.env.CAROM_LAB), "lab-pictures");
const browser = await startBrowser();
after(() => browser.close());
mkdirSync(folder, { recursive: true });

// Pairs of texts in the picture and the top bar that cover each other.
function overlaps() {
  const parts = [
    "#phase",
    "#key",
    "#hint",
    "#home",
    ".bar h1",
    ".pick",
    ".actions",
    "#play",
    "#track",
    ".speed",
  ]
    .map((name) => document.querySelector(name))
    .filter((one) => one.checkVisibility() && one.textContent + one.tagName !== "P");
  const boxes = parts.map((one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return [
      one,
      ["P", "H1"].includes(one.tagName)
        ? range.getBoundingClientRect()
        : one.getBoundingClientRect(),
    ];
  });
  const found = [];
  boxes.forEach(([a, p], i) =>
    boxes.slice(i + 1).forEach(([b, q]) => {
      if (
        !a.contains(b) &&
        p.left < q.right - 1 &&
        q.left < p.right - 1 &&
        p.top < q.bottom - 1 &&
        q.top < p.bottom - 1
      ) {
        found.push(`${a.id || a.className} and ${b.id || b.className}`);
      }
    }),
  );
  return found;
}

// Misplaced parts of the picture: handles outside its free part, labels over other text.
function outside() {
  const box = (one) => one.getBoundingClientRect();
  const [view, key] = [box(document.getElementById("view")), box(document.getElementById("key"))];
  const hint = box(document.getElementById("hint"));
  return [...document.querySelectorAll("#labels span:not([hidden])")]
    .filter((one) => {
      const { left, right, top, bottom } = box(one);
      const middle = [(left + right) / 2, (top + bottom) / 2];
      return (
        middle[0] < view.left ||
        middle[0] > view.right ||
        middle[1] < key.bottom ||
        middle[1] > hint.top
      );
    })
    .map((one) => `${one.className} ${one.textContent}`);
}

// Tables that must be scrolled.
function wide() {
  return [...document.querySelectorAll(".scroll")]
    .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth)
    .map((one) => one.querySelector("caption").textContent);
}

// Texts cut off by their box.
function cut() {
  return [
    ...document.querySelectorAll(
      "button:not(.about-scene), .slider .name, .tabs button, .legend li, h3, .summary, .law p, td, th",
    ),
  ]
    .filter(
      (one) =>
        one.checkVisibility() &&
        one.scrollWidth > one.clientWidth + 1 &&
        getComputedStyle(one).display !== "inline",
    )
    .map((one) => `${one.tagName}: ${one.textContent}`);
}

for (const colorScheme of ["light", "dark"]) {
  for (const { name, ...size } of WINDOWS) {
    test(`pictures: ${name}, ${colorScheme}`, async () => {
      const page = await openPage(browser, { ...size, colorScheme });
      for (const file of TOUR) {
        await choose(page, file);
        await scrub(page, 1.6);
        await page.click(
          file === "rod_newton"
            ? "#tab-compare"
            : file === "pencil"
              ? "#tab-numbers"
              : "#tab-events",
        );
        await settle(page);
        assert.deepEqual(await page.evaluate(overlaps), [], file);
        assert.deepEqual(await page.evaluate(cut), [], file);
        assert.deepEqual(await page.evaluate(outside), [], file);
        assert.deepEqual(await page.evaluate(wide), [], file);
        await page.screenshot({ path: join(folder, `${file}-${name}-${colorScheme}.png`) });
        if (name === "phone") {
          await page.waitForTimeout(400); // plots below are drawn after a pause
          await page.screenshot({
            path: join(folder, `${file}-${name}-${colorScheme}-whole.png`),
            fullPage: true,
          });
        }
      }
      assert.deepEqual(page.problems, []);
      await page.context().close();
    });
  }
}
