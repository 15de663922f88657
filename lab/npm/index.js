// The engine from the file beside this one: in Node from the disk, elsewhere from where the module came from.
import { createEngine } from "./engine.js";

export { createEngine };

export async function loadEngine() {
  const address = new URL("./carom.wasm", import.meta.url);
  if (address.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return createEngine(await readFile(address));
  }
  const response = await fetch(address);
  if (!response.ok) {
    throw new Error(`${address}: ${response.status}`);
  }
  return createEngine(await response.arrayBuffer());
}
