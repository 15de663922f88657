// What the tests of the page share: a browser, the page in it, and what goes wrong on the way. The
// environment says what to test: CAROM_LAB, the page; CAROM_PROGRAM, the program. CAROM_BROWSER: another
// Chromium than the one on the PATH.
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

/** Headless Chromium. WebGL is drawn by the processor, so that pictures are the same everywhere. */
export async function startBrowser(...options) {
  const args = ["--no-sandbox", "--enable-unsafe-swiftshader", ...options];
  return chromium.launch({ executablePath: browserPath(), args });
}

/** The page, opened from disk; its errors are collected in page.problems. Nothing moves by itself unless
 * moving is asked for. */
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
    const driver = /GL Driver Message/.test(message.text()); // of a machine without graphics card
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

/** Until the page has computed and drawn what it was asked for. */
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

/** Another scene of the tour. */
export async function choose(page, file) {
  await page.selectOption("#scene-pick", file);
  await settle(page);
}

/** Give the page a file, as who opens one does. */
export async function openFile(page, name, text) {
  const buffer = Buffer.from(text);
  await page.setInputFiles("#file", { name, mimeType: "application/json", buffer });
}

/** Give a slider the value that is nearest to a share (0 to 1) of its way, as a user does. */
export async function slide(page, control, share) {
  await page.locator(`[data-control="${control}"]`).evaluate((range, x) => {
    range.value = String(Math.round(x * range.max));
    range.dispatchEvent(new Event("input", { bubbles: true }));
  }, share);
  await settle(page);
}

/** Put the timeline's cursor somewhere: 0 to 1 before, 1 to 2 the impact, 2 to 3 after. */
export async function scrub(page, position) {
  await page.locator("#scrub").evaluate((range, x) => {
    range.value = String(x);
    range.dispatchEvent(new Event("input", { bubbles: true }));
  }, position);
  await settle(page);
}

/** The table with a caption: { row name: [numbers] }. */
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

/** What a download contains, after something was clicked that starts it. */
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
