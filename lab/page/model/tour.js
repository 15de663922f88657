// The scenes in the page, and the tour: those offered for choice, in order.
import scenes from "carom:scenes";

/** [[title, [file, name], ...], ...] */
export const TOUR = [
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

/** The scene with this file name, or null. */
export function sceneNamed(file) {
  return files.get(file) ?? null;
}
