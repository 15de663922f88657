// Pictures of the page for inspection: every scene of the tour at three widths, light and dark, in
// lab-pictures beside the page. Checked: no text covers another, and none is cut off.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import test, { after } from "node:test";

import {
  TOUR,
  browserName,
  choose,
  isFirefox,
  openPage,
  scrub,
  settle,
  startBrowser,
} from "./page_support.mjs";

const WINDOWS = [
  { name: "phone", width: 375, height: 812, touch: true },
  { name: "desktop", width: 1280, height: 800 },
  { name: "4k", width: 3840, height: 2160 },
];
const folder = join(dirname(process.env.CAROM_LAB), "lab-pictures");
const browser = startBrowser();
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
      "#phase, button:not(.about-scene), .slider .name, .tabs button, .legend li, h3, .summary, .law p, td, th",
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

// Every scene at every width; dark ones at one width in Firefox, where they need a process of their own.
for (const dark of [false, true]) {
  for (const { name, ...size } of WINDOWS.filter((one) => !isFirefox || !dark || one.name === "desktop")) {
    const look = dark ? "dark" : "light";
    test(`pictures: ${name}, ${look}`, async () => {
      const page = await openPage(browser, { ...size, dark });
      for (const file of TOUR) {
        await choose(page, file);
        await scrub(page, 1.6);
        const tab = { rod_newton: "compare", pencil: "numbers" }[file] ?? "events";
        await page.one(`#tab-${tab}`, (button) => button.click());
        await settle(page);
        assert.deepEqual(await page.evaluate(overlaps), [], file);
        assert.deepEqual(await page.evaluate(cut), [], file);
        assert.deepEqual(await page.evaluate(outside), [], file);
        assert.deepEqual(await page.evaluate(wide), [], file);
        await page.screenshot(join(folder, `${file}-${name}-${look}-${browserName}.png`));
      }
      assert.deepEqual(page.problems, []);
      await page.close();
    });
  }
}
