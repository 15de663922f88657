// Opening scenes: from a file, by drag and drop, or pasted.
import { byId } from "../dom.js";

const LARGEST = 4e6; // characters; a scene of a thousand contacts has a tenth of it

export function createOpen(take, refuse) {
  const [input, drop] = [byId("file"), byId("drop")];

  async function read(file) {
    if (file.size > LARGEST) {
      refuse(`${file.name}: ${(file.size / 1e6).toFixed(0)} MB is too large for a scene.`);
      return;
    }
    take(await file.text(), file.name);
  }

  byId("open").addEventListener("click", () => input.click());
  input.addEventListener("change", () => {
    if (input.files[0]) {
      read(input.files[0]);
    }
    input.value = "";
  });
  addEventListener("dragover", (event) => {
    event.preventDefault();
    drop.hidden = ![...event.dataTransfer.types].includes("Files");
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) {
      drop.hidden = true;
    }
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    drop.hidden = true;
    const [file] = event.dataTransfer.files;
    if (file) {
      read(file);
    }
  });
  addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    const typing = /^(INPUT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== "range";
    if (!typing && text.trim().startsWith("{")) {
      event.preventDefault();
      take(text, "pasted scene");
    }
  });
}
