// The scenes to choose from, in the order of a first tour.
import scenes from "carom:scenes";
import { byId, h } from "./dom.js";

const TOUR = [
  [
    "One contact",
    ["thrown_ball", "Thrown ball"],
    ["pencil", "Pencil on a desk"],
    ["box_corner", "Box corner"],
    ["superball", "Superball"],
    ["pin_ball", "Pin and ball"],
    ["icosahedron_tetrahedron", "Icosahedron and tetrahedron"],
    ["rod_newton", "Falling rod: the energy paradox"],
  ],
  [
    "Several contacts",
    ["ball_ball_table", "Ball on ball on table"],
    ["cradle_5", "Newton's cradle"],
    ["billiard_break", "Billiard break"],
    ["masse_shot", "Massé shot"],
  ],
  ["Mechanisms", ["double_pendulum", "Double pendulum"]],
];

const files = new Map(scenes.map((entry) => [entry.file, entry]));

/** A scene of the tour by the name of its file, or null. */
export function sceneNamed(file) {
  return files.get(file) ?? null;
}

export function createPicker(store, load) {
  const select = byId("scene-pick");
  for (const [title, ...entries] of TOUR) {
    const known = entries.filter(([file]) => files.has(file));
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
