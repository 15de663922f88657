// What is inside the laboratory, as a bill of materials (CycloneDX 1.5).
//
//   node lab/sbom.mjs --page lab.html --jansson FOLDER --output FILE
//
// Versions are read from where the parts come from. The page's tools (esbuild, Puppeteer, ...) leave nothing
// in it and are not listed.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const here = dirname(fileURLToPath(import.meta.url));
const { values: settings } = parseArgs({
  options: { page: { type: "string" }, jansson: { type: "string" }, output: { type: "string" } },
});
if (!settings.page || !settings.jansson || !settings.output) {
  console.error("usage: node lab/sbom.mjs --page lab.html --jansson FOLDER --output FILE");
  process.exit(2);
}

function found(path, pattern) {
  const match = readFileSync(path, "utf8").match(pattern);
  if (!match) {
    throw new Error(`${path}: no version`);
  }
  return match[1];
}

// The version of an installed package of Debian; parts of a compiler are not asked elsewhere.
function debian(name) {
  const query = ["-W", "-f=${Version}", name];
  return execFileSync("dpkg-query", query, { encoding: "utf8" }).trim();
}

function runtimePackage() {
  const options = ["--target=wasm32-wasi", "-print-libgcc-file-name"];
  const file = execFileSync("clang", options, { encoding: "utf8" }).trim();
  const owner = execFileSync("dpkg", ["-S", file], { encoding: "utf8" });
  return owner.split(":")[0];
}

function part(name, version, licence, purl, more = {}) {
  return { type: "library", name, version, licenses: [{ expression: licence }], purl, ...more };
}

const version = found(join(here, "../include/carom/status.h"), /define CAROM_VERSION "([0-9.]+)"/);
const lock = JSON.parse(readFileSync(join(here, "package-lock.json"), "utf8"));
const three = lock.packages["node_modules/three"];
const jansson = found(join(settings.jansson, "src/jansson.h"), /define JANSSON_VERSION "([^"]+)"/);
const libc = debian("wasi-libc");
const runtimeName = runtimePackage();
const runtime = debian(runtimeName);
const apache = "Apache-2.0 WITH LLVM-exception";
const purl = (name, own) => `pkg:deb/debian/${name}@${encodeURIComponent(own)}`;
const [algorithm, digest] = three.integrity.split("-");

const bill = {
  bomFormat: "CycloneDX",
  specVersion: "1.5",
  version: 1,
  metadata: {
    component: {
      type: "application",
      name: "carom laboratory",
      version,
      licenses: [{ expression: "MIT" }],
      hashes: [
        { alg: "SHA-256", content: createHash("sha256").update(readFileSync(settings.page)).digest("hex") },
      ],
    },
  },
  components: [
    part("carom", version, "MIT", `pkg:generic/carom@${version}`),
    part("three", three.version, three.license, `pkg:npm/three@${three.version}`, {
      hashes: [
        { alg: algorithm.replace("sha", "SHA-"), content: Buffer.from(digest, "base64").toString("hex") },
      ],
    }),
    part("jansson", jansson, "MIT", `pkg:generic/jansson@${jansson}`),
    part("wasi-libc", libc, `(${apache} OR Apache-2.0 OR MIT) AND MIT`, purl("wasi-libc", libc)),
    part("compiler-rt", runtime, apache, purl(runtimeName, runtime)),
  ],
};
writeFileSync(settings.output, JSON.stringify(bill, null, 2) + "\n");
