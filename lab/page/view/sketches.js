// What some scenes look like that do not say where their bodies are. A sketch is found by what the scene
// contains, never only by its name.
import { length } from "../format.js";

const GOLDEN = (1 + Math.sqrt(5)) / 2;

// Truncated icosahedron with edge 0.1, a pentagon in the plane z = -0.2327: Jia and Wang, figure 3.
function truncatedIcosahedron(edge) {
  const base = [
    [0, 1, 3 * GOLDEN],
    [1, 2 + GOLDEN, 2 * GOLDEN],
    [GOLDEN, 2, 2 * GOLDEN + 1],
  ];
  const vertices = [];
  for (const [x, y, z] of base) {
    for (let signs = 0; signs < 8; signs++) {
      const [a, b, c] = [x, y, z].map((value, k) => ((signs >> k) & 1 ? -value : value));
      if ([a, b, c].every((value, k) => value !== 0 || !((signs >> k) & 1))) {
        vertices.push([a, b, c], [b, c, a], [c, a, b]);
      }
    }
  }
  // turn the axis (0, 1, golden) of a pentagon to -z
  const half = Math.atan2(1, GOLDEN);
  const turn = ([x, y, z]) => [
    x,
    y * Math.cos(half) - z * Math.sin(half),
    -(y * Math.sin(half) + z * Math.cos(half)),
  ];
  return vertices.map((v) => turn(v).map((value) => (value * edge) / 2));
}

// A bowling pin along z, height 0.381 m, its centre of mass at the origin.
const PIN = [
  [0, -0.147],
  [0.0258, -0.147],
  [0.0355, -0.1],
  [0.0495, -0.058],
  [0.0605, -0.033],
  [0.0585, 0.003],
  [0.0455, 0.038],
  [0.0315, 0.072],
  [0.0232, 0.108],
  [0.0228, 0.128],
  [0.0258, 0.166],
  [0.0323, 0.198],
  [0.0285, 0.222],
  [0.0165, 0.232],
  [0, 0.234],
];

function close(a, b) {
  return Array.isArray(a) && a.length === b.length && a.every((x, i) => Math.abs(x - b[i]) < 1e-4);
}

const inContactSpace = [
  {
    diagonal: [11.5984, 9.90134, 2.59042],
    first: {
      name: "icosahedron",
      position: [0, 0, 0.232744],
      shape: { kind: "solid", vertices: truncatedIcosahedron(0.1) },
    },
    second: {
      name: "tetrahedron",
      position: [0, 0, 0],
      shape: {
        kind: "solid",
        vertices: [
          [0, 0, 0],
          [0, 0, -0.75],
          [0.5, 0, -0.5],
          [0, 0.5, -0.5],
        ],
      },
    },
  },
  {
    diagonal: [1.55465, 5.15191, 1.105],
    first: {
      name: "pin",
      position: [0.068436, 0, 0.0737351],
      orientation: aboutY(Math.atan(3.15435)),
      shape: { kind: "lathe", profile: PIN, size: 0.24 },
    },
    second: {
      name: "ball",
      position: [0, 0, -0.108458],
      shape: { kind: "ball", radius: 0.108458 },
    },
  },
];

function aboutY(angle) {
  return [Math.cos(angle / 2), 0, Math.sin(angle / 2), 0];
}

/** Bodies around a contact that is given by W alone, or null. */
export function contactSketch(scene) {
  const diagonal = scene.inverse_inertia?.map((row, i) => row[i]);
  return inContactSpace.find((sketch) => close(diagonal, sketch.diagonal)) ?? null;
}

/** Two unit bars hinged to each other and to a bearing, their tip on the floor: the angles, or null. The
 * Jacobian of the tip gives them. */
export function pendulumSketch(scene) {
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

/** A cue that is led along its axis, a ball with six speeds and a table: or null. */
export function shotSketch(scene) {
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

/** Who meets at each contact of a scene without bodies: [[name, name], ...], or null. */
export function pairsOf(scene) {
  if (scene.system) {
    return pendulumSketch(scene)
      ? [["second bar", "floor"]]
      : shotSketch(scene) && [
          ["cue", "ball"],
          ["ball", "table"],
        ];
  }
  const sketch = scene.contacts.length === 1 && contactSketch(scene);
  return sketch ? [[sketch.first.name, sketch.second.name]] : null;
}

/** What the generalised speeds of a system are called, as far as a sketch knows it. */
export function speedNames(scene) {
  if (pendulumSketch(scene)) {
    return ["Joint 1", "Joint 2"];
  }
  if (shotSketch(scene)) {
    return ["Cue", "Ball x", "Ball y", "Ball z", "Ball spin x", "Ball spin y", "Ball spin z"];
  }
  return scene.system.velocity.map((_, i) => `Speed u[${i}]`);
}
