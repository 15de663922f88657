// The built page: a single small file without external resources.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { inflateSync } from "node:zlib";

const page = readFileSync(process.env.CAROM_LAB, "utf8");

test("the page weighs at most 2 MB", (t) => {
  t.diagnostic(`${Buffer.byteLength(page)} bytes`); // measured: 0.95 MB
  assert.ok(Buffer.byteLength(page) <= 2e6);
});

test("nothing is loaded from outside", () => {
  const markup = page.replace(/<!--.*?-->/gs, "").replace(/<(script|style)\b([^>]*)>.*?<\/\1>/gs, "<$1$2>");
  const places = [...markup.matchAll(/\b(?:src|href|srcset|data|action)\s*=\s*"([^"]*)"/gi)];
  for (const [, place] of places) {
    assert.match(place, /^(#|data:|https:\/\/|$)/, place);
  }
  assert.doesNotMatch(markup, /<(script|img|iframe|object|embed|source|video|audio)\b[^>]*\bsrc=/i);
  assert.doesNotMatch(markup, /<link\b[^>]*\bhref="(?!data:)/i);
  const style = page.match(/<style>(.*?)<\/style>/s)[1];
  assert.doesNotMatch(style, /@import|url\((?!["']?(data:|#))/);
});

test("the engine in the page is the one that was built", () => {
  const packed = page.match(/"(eN[A-Za-z0-9+/]{10000,}=*)"/)[1];
  const bytes = inflateSync(Buffer.from(packed, "base64"));
  assert.deepEqual(bytes, readFileSync(process.env.CAROM_WASM));
});

test("whose work is in it is said in it", () => {
  for (const words of ["Petri Lehtinen", "three.js authors", "The MIT License"]) {
    assert.ok(page.includes(words), words);
  }
});
