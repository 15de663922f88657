// The npm package in a browser, from a server, as a module. Environment: CAROM_NPM, its folder.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { basename, extname, join } from "node:path";
import test from "node:test";

import { startBrowser } from "./page_support.mjs";
import { sceneFiles, startEngine } from "./support.mjs";

const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm" };

// The files of the package, and an empty page.
const server = createServer(async ({ url }, response) => {
  if (url === "/") {
    response.setHeader("Content-Type", "text/html").end("<!doctype html><title>carom</title>");
    return;
  }
  const name = basename(url);
  const content = await readFile(join(process.env.CAROM_NPM, name)).catch(() => null);
  response.statusCode = content ? 200 : 404;
  response.setHeader("Content-Type", TYPES[extname(name)] ?? "text/plain").end(content ?? "");
});

test("a page loads the package and solves scenes", async () => {
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await startBrowser();
  try {
    const tab = await browser.tab({ width: 800, height: 600, dark: false, online: true });
    await tab.open(`http://127.0.0.1:${server.address().port}/`);
    const texts = sceneFiles().map(({ text }) => text);
    const answers = await tab.evaluate(async (given) => {
      const { loadEngine } = await import("/index.js");
      const engine = await loadEngine();
      return given.map((text) => engine.solve(text).json);
    }, texts);
    const engine = await startEngine();
    assert.deepEqual(answers, texts.map((text) => engine.solve(text).json));
  } finally {
    await browser.close();
    server.close();
  }
});
