// Links that carry the scene: #scene=NAME for an unchanged scene of the page, else #json=... (compressed,
// base64 with - and _).
import { sceneNamed } from "./tour.js";

async function through(stream, bytes) {
  return new Uint8Array(
    await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer(),
  );
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
  if (file && scene === base) {
    return `#scene=${encodeURIComponent(file)}`;
  }
  const packed = await through(
    new CompressionStream("deflate-raw"),
    new TextEncoder().encode(JSON.stringify(scene)),
  );
  return `#json=${toText(packed)}`;
}

/** Parse a fragment: { file } or { text }; { error } if it is broken; null if it holds no scene. */
export async function readFragment(fragment) {
  const [, key, value] = /^#(scene|json)=(.*)$/s.exec(fragment) ?? [];
  if (key === "scene") {
    const file = decodeSafely(value);
    return sceneNamed(file)
      ? { file }
      : { error: `The link asks for a scene "${file}", which is not here.` };
  }
  if (key === "json") {
    try {
      return {
        text: new TextDecoder().decode(
          await through(new DecompressionStream("deflate-raw"), fromText(value)),
        ),
      };
    } catch {
      return { error: "The link is damaged: its scene cannot be unpacked. Was it cut off?" };
    }
  }
  return null;
}

function decodeSafely(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
