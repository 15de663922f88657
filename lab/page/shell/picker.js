// The list of scenes at the top.
import { byId, h } from "../dom.js";
import { TOUR, sceneNamed } from "../model/tour.js";

export function createPicker(store, load) {
  const select = byId("scene-pick");
  for (const [title, ...entries] of TOUR) {
    const known = entries.filter(([file]) => sceneNamed(file));
    select.append(
      h(
        "optgroup",
        { label: title },
        ...known.map(([file, name]) => h("option", { value: file }, name)),
      ),
    );
  }
  const own = h("option", { value: "", hidden: true }, "");
  select.append(own);
  select.addEventListener("change", () => load(select.value));
  store.on(["base"], ({ file, base }) => {
    const listed = TOUR.some(([, ...entries]) => entries.some(([name]) => name === file));
    own.textContent = base?.name || "Your scene";
    own.hidden = listed;
    select.value = listed ? file : "";
  });
}
