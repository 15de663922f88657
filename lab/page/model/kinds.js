// Scenes without bodies whose bodies are known all the same. They are recognised by their numbers, never
// by name alone.
import { length } from "./format.js";

function close(a, b) {
  return Array.isArray(a) && a.length === b.length && a.every((x, i) => Math.abs(x - b[i]) < 1e-4);
}

// Pairs of bodies of which the scene gives W alone, by its diagonal; from: the body that the motion is seen
// from, because the other one is said to hit it.
const PAIRS = [
  { names: ["icosahedron", "tetrahedron"], diagonal: [11.5984, 9.90134, 2.59042], from: 1 },
  { names: ["pin", "ball"], diagonal: [1.55465, 5.15191, 1.105], from: 0 },
];

/** The two bodies of a contact given by W alone: { names, from }, or null. */
export function contactPair(scene) {
  const diagonal = scene.inverse_inertia?.map((row, i) => row[i]);
  return PAIRS.find((pair) => close(diagonal, pair.diagonal)) ?? null;
}

/** A free body in the plane of x and z, with the speeds x, z and angle about y, whose contacts are on a
 * floor: { mass, inertia, touches: [[x, z], ...] } with the contacts seen from its centre. null if the scene
 * is another one. */
export function planarBodyOf(scene) {
  const M = scene.system?.mass_matrix;
  const [mass, inertia] = [M?.[0][0], M?.[2]?.[2]];
  if (M?.length !== 3 || !close(M.flat(), [mass, 0, 0, 0, mass, 0, 0, 0, inertia])) {
    return null;
  }
  const touches = [];
  for (const { jacobian } of scene.contacts) {
    const [t, n] = jacobian;
    if (jacobian.length !== 2 || !close(t.slice(0, 2), [1, 0]) || !close(n.slice(0, 2), [0, 1])) {
      return null;
    }
    touches.push([-n[2], t[2]]);
  }
  const level = touches.every(([, z]) => z < 0 && Math.abs(z - touches[0][1]) < 1e-6);
  return level ? { mass, inertia, touches } : null;
}

/** Whether the bodies are a horizontal row of equal balls that nothing else holds, as in Newton's cradle. */
export function isCradle({ bodies, contacts }) {
  const same = (x, y) => Math.abs(x - y) < 1e-9;
  const [{ position, mass, inertia } = {}] = bodies;
  return (
    bodies.length >= 3 &&
    bodies.every(
      (body) =>
        body.mass === mass &&
        mass !== "infinite" &&
        body.inertia.every((x, k) => same(x, inertia[k])) &&
        [1, 2].every((k) => same(body.position[k], position[k])),
    ) &&
    contacts.length === bodies.length - 1 &&
    contacts.every(({ frame }) => same(Math.abs(frame[2][0]), 1))
  );
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
  const planar = planarBodyOf(scene);
  if (planar) {
    const sides = planar.touches.length === 2 ? ["left edge", "right edge"] : ["body"];
    return planar.touches.length > 2 ? null : sides.map((side) => [side, "floor"]);
  }
  if (scene.system) {
    return pendulumOf(scene)
      ? [["second bar", "floor"]]
      : shotOf(scene) && [
          ["cue", "ball"],
          ["ball", "table"],
        ];
  }
  const pair = scene.contacts.length === 1 && contactPair(scene);
  return pair ? [pair.names] : null;
}

/** Names of the generalised speeds of a system. */
export function speedNames(scene) {
  if (pendulumOf(scene)) {
    return ["Joint 1", "Joint 2"];
  }
  if (shotOf(scene)) {
    return ["Cue", "Ball x", "Ball y", "Ball z", "Ball spin x", "Ball spin y", "Ball spin z"];
  }
  if (planarBodyOf(scene)) {
    return ["Velocity x", "Velocity z", "Spin y"];
  }
  return scene.system.velocity.map((_, i) => `Speed u[${i}]`);
}
