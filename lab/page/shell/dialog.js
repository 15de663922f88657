// The one dialog of the page.
import { byId } from "../dom.js";

export function showDialog(title, ...content) {
  byId("dialog-title").textContent = title;
  byId("dialog-body").replaceChildren(...content);
  const dialog = byId("dialog");
  if (!dialog.open) {
    dialog.showModal();
  }
}

/** A click outside the dialog closes it. */
export function createDialog() {
  const dialog = byId("dialog");
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) {
      dialog.close();
    }
  });
}
