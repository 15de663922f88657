// Shared by the tests of the page: opening it, and the steps that a user takes.
import { address, startBrowser } from "./browser.mjs";

export { browserName, isFirefox } from "./browser.mjs";
export { startBrowser };

/** The scenes of the tour. */
export const TOUR = [
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

/** The page, opened from disk. Animation is off unless moving is set. */
export async function openPage(
  browser,
  { fragment = "", width = 1280, height = 800, dark = false, moving = false, touch = false } = {},
) {
  const tab = await browser.tab({ width, height, dark, moving, touch });
  await tab.open(address + fragment);
  await ready(tab);
  return tab;
}

/** Wait for the first answer. */
export async function ready(tab) {
  await tab.waitFor(
    () =>
      document.getElementById("summary").textContent || !document.getElementById("alert").hidden,
  );
  await settle(tab);
}

/** Wait until the page has computed and drawn. */
export async function settle(tab) {
  await tab.evaluate(async () => {
    // the answer requests a frame, in which the picture is drawn before we are called again
    const end = performance.now() + 30000;
    for (let calm = 0; calm < 2; calm++) {
      await new Promise(requestAnimationFrame);
      if (performance.now() > end) {
        throw new Error("the page is still busy");
      }
      calm = document.querySelector('[aria-busy="true"]') ? -1 : calm;
    }
    document.getElementById("canvas").getContext("webgl2")?.finish();
  });
}

/** Choose a scene of the tour. */
export async function choose(tab, file) {
  await tab.choose("#scene-pick", file);
  await settle(tab);
}

/** Open a file in the page, as a user does. */
export function openFile(tab, name, text) {
  return tab.evaluate(
    (file, content) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], file, { type: "application/json" }));
      const input = document.getElementById("file");
      input.files = transfer.files;
      input.dispatchEvent(new Event("change", { bubbles: true }));
    },
    name,
    text,
  );
}

/** Open a file and wait until its scene is solved. */
export async function openScene(tab, name, text) {
  await tab.evaluate(() => (document.getElementById("about-scene").textContent = ""));
  await openFile(tab, name, text);
  await tab.waitFor(() => document.getElementById("about-scene").textContent !== "");
  await settle(tab);
}

// Set a range input and tell the page.
function setRange(range, value) {
  range.value = String(value);
  range.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Set a slider to the value nearest to a fraction (0 to 1) of its range, as a user does. */
export async function slide(tab, control, share) {
  const steps = await tab.one(`[data-control="${control}"]`, (range) => Number(range.max));
  await tab.one(`[data-control="${control}"]`, setRange, Math.round(share * steps));
  await settle(tab);
}

/** Move the timeline's cursor: 0 to 1 before, 1 to 2 the impact, 2 to 3 after. */
export async function scrub(tab, position) {
  await tab.one("#scrub", setRange, position);
  await settle(tab);
}

/** The table with the given caption: { row name: [numbers] }. */
export async function tableOf(tab, caption) {
  return tab.evaluate((wanted) => {
    const table = [...document.querySelectorAll("#panel-numbers table")].find((one) =>
      one.caption.textContent.startsWith(wanted),
    );
    const cell = (text) => Number(text.replaceAll("−", "-").replace(" %", ""));
    return (
      table &&
      Object.fromEntries(
        [...table.tBodies[0].rows].map((row) => [
          row.cells[0].textContent.replace(/ \(.*\)$/, ""),
          [...row.cells].slice(1).map((td) => cell(td.textContent)),
        ]),
      )
    );
  }, caption);
}

/** The contents of the download that a button of the export dialog starts. */
export async function downloaded(tab, title) {
  await tab.click("#export");
  await tab.clickText("#dialog button", title);
  await tab.waitFor(() => window.kept.length > 0);
  const { name, letters } = await tab.evaluate(async () => {
    const { name: file, text } = window.kept.pop();
    const bytes = new Uint8Array(await text);
    return { name: file, letters: Array.from(bytes, (byte) => String.fromCharCode(byte)).join("") };
  });
  await tab.click('#dialog button[value="close"]');
  return { name, bytes: Buffer.from(letters, "latin1") };
}
