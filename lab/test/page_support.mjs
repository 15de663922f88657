// Shared by the tests of the page: a browser, the page in it, and its errors. Environment: CAROM_LAB, the
// page; CAROM_PROGRAM, the program; CAROM_BROWSER, a Chromium other than the one on the PATH.
import { spawnSync } from "node:child_process";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

export const address = pathToFileURL(process.env.CAROM_LAB).href;

function browserPath() {
  const found = spawnSync(
    "sh",
    ["-c", "command -v chromium || command -v chromium-browser || command -v google-chrome"],
    { encoding: "utf8" },
  );
  return process.env.CAROM_BROWSER ?? found.stdout.trim();
}

/** Headless Chromium. WebGL is rendered by the processor, so pictures are the same everywhere. */
export async function startBrowser(...options) {
  const args = ["--no-sandbox", "--enable-unsafe-swiftshader", ...options];
  return chromium.launch({ executablePath: browserPath(), args });
}

/** The page, opened from disk; its errors are collected in page.problems. Animation is off unless moving
 * is set. */
export async function openPage(
  browser,
  {
    fragment = "",
    width = 1280,
    height = 800,
    colorScheme = "light",
    moving = false,
    touch = false,
  } = {},
) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    hasTouch: touch,
    reducedMotion: moving ? "no-preference" : "reduce",
    acceptDownloads: true,
    offline: true,
  });
  const page = await context.newPage();
  page.problems = [];
  page.on("console", (message) => {
    const driver = /GL Driver Message/.test(message.text()); // a message of machines without a graphics card
    if (["error", "warning"].includes(message.type()) && !driver) {
      page.problems.push(`${message.type()}: ${message.text()}`);
    }
  });
  page.on("pageerror", (error) => page.problems.push(`exception: ${error.stack}`));
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) {
      page.problems.push(`asks for ${request.url()}`);
    }
  });
  await page.goto(address + fragment);
  await page.waitForFunction(
    () =>
      document.getElementById("summary").textContent || !document.getElementById("alert").hidden,
  );
  await settle(page);
  return page;
}

/** Wait until the page has computed and drawn. */
export async function settle(page) {
  await page.waitForSelector('main[aria-busy="false"]', { state: "attached" });
  await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'));
  await page.evaluate(async () => {
    for (let i = 0; i < 3; i++) {
      await new Promise(requestAnimationFrame);
    }
    document.getElementById("canvas").getContext("webgl2")?.finish();
  });
}

/** Choose a scene of the tour. */
export async function choose(page, file) {
  await page.selectOption("#scene-pick", file);
  await settle(page);
}

/** Open a file in the page, as a user does. */
export async function openFile(page, name, text) {
  const buffer = Buffer.from(text);
  await page.setInputFiles("#file", { name, mimeType: "application/json", buffer });
}

/** Set a slider to the value nearest to a fraction (0 to 1) of its range, as a user does. */
export async function slide(page, control, share) {
  await page.locator(`[data-control="${control}"]`).evaluate((range, x) => {
    range.value = String(Math.round(x * range.max));
    range.dispatchEvent(new Event("input", { bubbles: true }));
  }, share);
  await settle(page);
}

/** Move the timeline's cursor: 0 to 1 before, 1 to 2 the impact, 2 to 3 after. */
export async function scrub(page, position) {
  await page.locator("#scrub").evaluate((range, x) => {
    range.value = String(x);
    range.dispatchEvent(new Event("input", { bubbles: true }));
  }, position);
  await settle(page);
}

/** The table with the given caption: { row name: [numbers] }. */
export async function tableOf(page, caption) {
  return page.evaluate((wanted) => {
    const table = [...document.querySelectorAll("#panel-numbers table")].find(
      (one) => one.caption.textContent === wanted,
    );
    const cell = (text) => Number(text.replace("−", "-").replace(" %", ""));
    return (
      table &&
      Object.fromEntries(
        [...table.tBodies[0].rows].map((row) => [
          row.cells[0].textContent,
          [...row.cells].slice(1).map((td) => cell(td.textContent.replaceAll("−", "-"))),
        ]),
      )
    );
  }, caption);
}

/** The contents of the download that a click starts. */
export async function downloaded(page, title) {
  await page.click("#export");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.click(`#dialog button:text-is("${title}")`),
  ]);
  const chunks = [];
  for await (const chunk of await download.createReadStream()) {
    chunks.push(chunk);
  }
  await page.click('#dialog button[value="close"]');
  return { name: download.suggestedFilename(), bytes: Buffer.concat(chunks) };
}
