// Drawings of the bodies of scenes that give W alone.
import { contactPair } from "../model/kinds.js";

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

// Profile of a bowling pin along z: height 0.381 m, centre of mass at the origin.
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

function aboutY(angle) {
  return [Math.cos(angle / 2), 0, Math.sin(angle / 2), 0];
}

const SKETCHES = {
  icosahedron: {
    position: [0, 0, 0.232744],
    shape: { kind: "solid", vertices: truncatedIcosahedron(0.1) },
  },
  tetrahedron: {
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
  pin: {
    position: [0.068436, 0, 0.0737351],
    orientation: aboutY(Math.atan(3.15435)),
    shape: { kind: "lathe", profile: PIN, size: 0.24 },
  },
  ball: {
    position: [0, 0, -0.108458],
    shape: { kind: "ball", radius: 0.108458 },
  },
};

/** The two bodies at a contact given by W alone: { from, bodies: [{ name, position, orientation, shape }] },
 * or null. */
export function contactSketch(scene) {
  const pair = contactPair(scene);
  const bodies = pair?.names.map((name) => ({ name, ...SKETCHES[name] }));
  return pair && { from: pair.from, bodies };
}
