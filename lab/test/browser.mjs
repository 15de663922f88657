// Chromium and Firefox, both driven by Puppeteer: the first over its own protocol, the second over WebDriver
// BiDi. Environment: CAROM_BROWSER, "chromium" (default) or "firefox"; CAROM_LAB, the page.
import { spawn, spawnSync } from "node:child_process";
import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";

export const isFirefox = process.env.CAROM_BROWSER === "firefox";
export const browserName = isFirefox ? "firefox" : "chromium";
export const address = pathToFileURL(process.env.CAROM_LAB).href;

function find(...names) {
  const command = names.map((name) => `command -v ${name}`).join(" || ");
  const path = spawnSync("sh", ["-c", command], { encoding: "utf8" }).stdout.trim();
  if (!path) {
    throw new Error(`none of these is installed: ${names.join(", ")} (tools/setup test)`);
  }
  return path;
}

// WebGL is rendered by the processor, so pictures are the same everywhere.
function startChromium(options) {
  const args = ["--no-sandbox", "--enable-unsafe-swiftshader", "--hide-scrollbars", ...options];
  const executablePath = find("chromium", "chromium-browser", "google-chrome");
  return puppeteer.launch({ browser: "chrome", executablePath, args });
}

// Firefox has WebGL only with a display: one in memory.
let display = null;
async function displayName() {
  display ??= spawn(
    find("Xvfb"),
    ["-displayfd", "3", "-screen", "0", "3840x2400x24", "-nolisten", "tcp"],
    { stdio: ["ignore", "ignore", "ignore", "pipe"] },
  );
  display.started ??= new Promise((resolve, reject) => {
    process.once("exit", () => display.kill());
    display.once("exit", () => reject(new Error("Xvfb has ended")));
    display.stdio[3].once("data", (number) => {
      display.unref();
      display.stdio[3].unref();
      resolve(`:${String(number).trim()}`);
    });
  });
  return display.started;
}

async function startFirefox(preferences) {
  const env = { ...process.env, DISPLAY: await displayName(), MOZ_ENABLE_WAYLAND: "0" };
  const executablePath = find("firefox-esr", "firefox");
  return puppeteer.launch({
    browser: "firefox",
    executablePath,
    headless: false,
    env,
    extraPrefsFirefox: preferences,
  });
}

/** A browser. Firefox has its colours as a preference, so light and dark are processes, one at a time. */
class Browser {
  #started = null;
  #dark = null;

  constructor(options) {
    this.options = options;
  }

  async #process(dark) {
    if (isFirefox && this.#started && this.#dark !== dark) {
      await this.close();
    }
    this.#dark = dark;
    this.#started ??= isFirefox
      ? startFirefox({ "ui.systemUsesDarkTheme": Number(dark), ...this.options.firefox })
      : startChromium(this.options.chromium ?? []);
    return this.#started;
  }

  /** A new page with its own storage; without a network unless online is set. */
  async tab({ width, height, dark, moving, touch, online = false }) {
    const context = await (await this.#process(dark)).createBrowserContext();
    const page = await context.newPage();
    await page.setViewport({ width, height, hasTouch: touch && !isFirefox });
    if (!isFirefox) {
      const colors = { name: "prefers-color-scheme", value: dark ? "dark" : "light" };
      await page.emulateMediaFeatures([colors]);
    }
    await page.evaluateOnNewDocument(watch, moving);
    await page.setOfflineMode(!online);
    return new Tab(page, context);
  }

  async close() {
    await (await this.#started)?.close();
    this.#started = null;
  }
}

/** options: { chromium: [arguments], firefox: { preferences } } */
export function startBrowser(options = {}) {
  return new Browser(options);
}

// Runs in the page before its script: says whether animation is wanted, keeps downloads, and counts workers.
function watch(moving) {
  const media = window.matchMedia.bind(window);
  window.matchMedia = (query) =>
    query === "(prefers-reduced-motion: reduce)" ? { matches: !moving } : media(query);
  window.kept = [];
  window.workers = 0;
  const click = HTMLAnchorElement.prototype.click;
  HTMLAnchorElement.prototype.click = function () {
    if (!this.download) {
      click.call(this);
      return;
    }
    const text = fetch(this.href).then((answer) => answer.arrayBuffer());
    window.kept.push({ name: this.download, text });
  };
  window.Worker = class extends Worker {
    constructor(...settings) {
      super(...settings);
      window.workers++;
    }
  };
}

/** A page as its user has it. Errors, warnings and requests to a network are collected in problems. */
export class Tab {
  constructor(page, context) {
    Object.assign(this, { page, context, problems: [], mouse: page.mouse, keyboard: page.keyboard });
    page.on("console", (message) => {
      // messages of machines without a graphics card
      const driver = /GL Driver Message|WEBGL_debug_renderer_info|GL_INVALID|software/i;
      if (/^(error|warn)/.test(message.type()) && !driver.test(message.text())) {
        this.problems.push(`${message.type()}: ${message.text()}`);
      }
    });
    page.on("pageerror", (error) => this.problems.push(`exception: ${error.stack}`));
    page.on("request", (request) => {
      if (!/^(file|data|blob|about):/.test(request.url())) {
        this.problems.push(`asks for ${request.url()}`);
      }
    });
  }

  open(url) {
    return this.page.goto(url);
  }

  reload() {
    return this.page.reload();
  }

  back() {
    return this.page.goBack({ waitUntil: [] }).catch(() => null);
  }

  evaluate(work, ...values) {
    return this.page.evaluate(work, ...values);
  }

  /** Wait until work(...values) in the page returns true, by one call of the page that asks in every frame:
   * waitForFunction() takes several, which are slow in Firefox. */
  waitFor(work, ...values) {
    return this.page.evaluate(
      `(async () => {
        const end = performance.now() + 30000;
        while (!(${work})(...${JSON.stringify(values)})) {
          if (performance.now() > end) {
            throw new Error("waited in vain");
          }
          await new Promise(requestAnimationFrame);
        }
      })()`,
    );
  }

  /** work(element, value) for the first element. */
  one(selector, work, value) {
    return this.page.$eval(selector, work, value);
  }

  all(selector, work, value) {
    return this.page.$$eval(selector, work, value);
  }

  count(selector) {
    return this.all(selector, (list) => list.length);
  }

  text(selector) {
    return this.one(selector, (element) => element.textContent);
  }

  value(selector) {
    return this.one(selector, (element) => element.value);
  }

  attribute(selector, name) {
    return this.one(selector, (element, key) => element.getAttribute(key), name);
  }

  visible(selector) {
    return this.one(selector, (element) => element.checkVisibility());
  }

  focus(selector) {
    return this.page.focus(selector);
  }

  /** The box of an element, scrolled into view. */
  box(selector) {
    return this.one(selector, (element) => {
      element.scrollIntoView({ block: "nearest", inline: "nearest" });
      const { left, top, width, height } = element.getBoundingClientRect();
      return { left, top, width, height, x: left + width / 2, y: top + height / 2 };
    });
  }

  async click(selector) {
    const { x, y } = await this.box(selector);
    await this.mouse.click(x, y);
  }

  /** Click the first element of the selector with this text. */
  clickText(selector, text) {
    return this.all(
      selector,
      (list, words) => list.find((one) => one.textContent.includes(words)).click(),
      text,
    );
  }

  /** Choose from a list, as a user does. */
  choose(selector, value) {
    return this.one(
      selector,
      (select, wanted) => {
        select.value = wanted;
        select.dispatchEvent(new Event("change", { bubbles: true }));
      },
      value,
    );
  }

  /** Type a value into a field and leave it. */
  fill(selector, value) {
    return this.one(
      selector,
      (field, text) => {
        field.value = text;
        field.dispatchEvent(new Event("change", { bubbles: true }));
      },
      value,
    );
  }

  screenshot(path, fullPage = false) {
    return this.page.screenshot({ path, fullPage });
  }

  resize(width, height) {
    return this.page.setViewport({ width, height });
  }

  close() {
    return this.context.close();
  }
}
