// Links that carry the scene: #scene=NAME for an unchanged scene of the page, else #json=... (compressed,
// base64 with - and _), followed by &of=NAME if it is a changed scene of the page.
import { sceneNamed } from "./tour.js";

// Send bytes through a stream that compresses or unpacks. A damaged text fails at both ends; the error of the
// reading one is thrown.
async function through(stream, bytes) {
  const writer = stream.writable.getWriter();
  const ignore = () => {};
  writer.closed.catch(ignore);
  writer.write(bytes).catch(ignore);
  writer.close().catch(ignore);
  const [reader, parts] = [stream.readable.getReader(), []];
  reader.closed.catch(ignore);
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

function toText(bytes) {
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromText(text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
    letter.charCodeAt(0),
  );
}

/** The fragment for a scene. */
export async function fragmentOf({ scene, base, file }) {
  const name = encodeURIComponent(file ?? "");
  if (file && scene === base) {
    return `#scene=${name}`;
  }
  const packed = await through(
    new CompressionStream("deflate-raw"),
    new TextEncoder().encode(JSON.stringify(scene)),
  );
  return `#json=${toText(packed)}${file ? `&of=${name}` : ""}`;
}

const DAMAGED = "The link is damaged: its scene cannot be unpacked. Was it cut off?";

/** Parse a fragment: { file } or { text, file }; { error } if it is broken; null if it is empty. */
export async function readFragment(fragment) {
  if (fragment.length < 2) {
    return null;
  }
  const [, key, value, of] = /^#(scene|json)=([^&]*)(?:&of=(.*))?$/s.exec(fragment) ?? [];
  if (key === "scene") {
    const file = decodeSafely(value);
    return sceneNamed(file)
      ? { file }
      : { error: `The link asks for a scene "${file}", which is not here.` };
  }
  if (key === "json") {
    try {
      const bytes = await through(new DecompressionStream("deflate-raw"), fromText(value));
      const file = decodeSafely(of ?? "");
      return { text: new TextDecoder().decode(bytes), file: sceneNamed(file) ? file : null };
    } catch {
      return { error: DAMAGED };
    }
  }
  const shown = fragment.length > 40 ? `${fragment.slice(0, 40)}…` : fragment;
  return { error: `The link ends in "${shown}", which names no scene: #scene=NAME or #json=… does.` };
}

function decodeSafely(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
