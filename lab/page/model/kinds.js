// Scenes without bodies whose bodies are known all the same. They are recognised by their numbers, never
// by name alone.
import { length } from "./format.js";

function close(a, b) {
  return Array.isArray(a) && a.length === b.length && a.every((x, i) => Math.abs(x - b[i]) < 1e-4);
}

// Pairs of bodies of which the scene gives W alone, by its diagonal.
const PAIRS = [
  { names: ["icosahedron", "tetrahedron"], diagonal: [11.5984, 9.90134, 2.59042] },
  { names: ["pin", "ball"], diagonal: [1.55465, 5.15191, 1.105] },
];

/** The names of the two bodies of a contact given by W alone, or null. */
export function contactPair(scene) {
  const diagonal = scene.inverse_inertia?.map((row, i) => row[i]);
  return PAIRS.find((pair) => close(diagonal, pair.diagonal))?.names ?? null;
}

/** The angles of two unit bars, hinged to each other and to a bearing, with the tip on the floor: from the
 * Jacobian of the tip. null if the scene is another one. */
export function pendulumOf(scene) {
  const jacobian = scene.contacts?.[0]?.jacobian;
  if (scene.contacts.length !== 1 || jacobian?.length !== 2 || jacobian[0].length !== 2) {
    return null;
  }
  const [[xa, xb], [za, zb]] = jacobian;
  const [first, second] = [
    [xa - xb, za - zb],
    [xb, zb],
  ]; // (-sin, cos) of each bar
  const unit = (pair) => Math.abs(length(pair) - 1) < 1e-6;
  return unit(first) && unit(second)
    ? { angles: [first, second].map(([s, c]) => Math.atan2(-s, c)) }
    : null;
}

/** A cue that moves along its axis, a ball with six speeds and a table; null if the scene is another one. */
export function shotOf(scene) {
  const [cue, table] = scene.contacts.map((contact) => contact.jacobian);
  if (
    scene.contacts.length !== 2 ||
    scene.system.velocity.length !== 7 ||
    cue?.length !== 3 ||
    table?.length !== 3
  ) {
    return null;
  }
  const frame = cue.map((row) => row.slice(1, 4).map((x) => -x));
  const axis = [0, 1, 2].map((k) => frame.reduce((sum, row, i) => sum + row[k] * cue[i][0], 0));
  const radius = table[1][4];
  const good =
    radius > 0 && close(table[2], [0, 0, 0, 1, 0, 0, 0]) && Math.abs(length(frame[2]) - 1) < 1e-4;
  return good ? { frame, axis, radius } : null;
}

/** The names of the bodies at each contact of a scene without bodies: [[name, name], ...], or null. */
export function pairsOf(scene) {
  if (scene.system) {
    return pendulumOf(scene)
      ? [["second bar", "floor"]]
      : shotOf(scene) && [
          ["cue", "ball"],
          ["ball", "table"],
        ];
  }
  const pair = scene.contacts.length === 1 && contactPair(scene);
  return pair ? [pair] : null;
}

/** Names of the generalised speeds of a system. */
export function speedNames(scene) {
  if (pendulumOf(scene)) {
    return ["Joint 1", "Joint 2"];
  }
  if (shotOf(scene)) {
    return ["Cue", "Ball x", "Ball y", "Ball z", "Ball spin x", "Ball spin y", "Ball spin z"];
  }
  return scene.system.velocity.map((_, i) => `Speed u[${i}]`);
}
