// Shapes of bodies. Scenes give none; a ball, cube, box, rod or pencil is derived from the inertia and the
// points of contact.
import { length } from "../model/format.js";

const near = (a, b, share = 0.02) => Math.abs(a - b) <= share * Math.max(Math.abs(a), Math.abs(b));

// Principal moments if the matrix (nine numbers by rows) is diagonal, else null.
function principal(inertia) {
  const largest = Math.max(...inertia.map(Math.abs));
  const side = [1, 2, 3, 5, 6, 7].map((i) => Math.abs(inertia[i]));
  return Math.max(...side) < 1e-6 * largest ? [inertia[0], inertia[4], inertia[8]] : null;
}

// The solid box with these moments.
function boxOf(moments, mass) {
  const sum = moments.reduce((a, b) => a + b, 0);
  const sides = moments.map((moment) => Math.sqrt(Math.max((6 * (sum - 2 * moment)) / mass, 0)));
  const least = 0.02 * Math.max(...sides);
  return { kind: "box", sides: sides.map((side) => Math.max(side, least)) };
}

// A round bar along one axis; pointed if it has a contact beyond its end.
function barOf(axis, along, across, mass, touches) {
  const radius = Math.sqrt((2 * along) / mass);
  const half = Math.sqrt(Math.max((12 * across) / mass - 3 * radius * radius, 0)) / 2;
  const tip = touches.find(
    (r) =>
      Math.abs(r[axis]) > 1.08 * half &&
      Math.hypot(...r.filter((_, k) => k !== axis)) < 0.1 * radius,
  );
  return {
    kind: "bar",
    axis,
    radius: Math.max(radius, 0.015 * half),
    half,
    tip: tip ? tip[axis] : 0,
  };
}

/** body: as the engine describes it; touches: [{ r, normal }] from its centre, both in its own axes. */
export function shapeOf(body, touches) {
  const moments = principal(body.inertia);
  const points = touches.map((touch) => touch.r);
  const reach = Math.max(0, ...points.map(length));
  const mean = body.inertia[0] + body.inertia[4] + body.inertia[8];
  if (!moments) {
    return { kind: "ball", radius: reach || Math.sqrt(mean / 1.2 / body.mass) };
  }
  if (near(moments[0], moments[1]) && near(moments[1], moments[2])) {
    const central = touches.every(({ r, normal }) =>
      near(Math.abs(r.reduce((sum, x, k) => sum + x * normal[k], 0)), length(r), 1e-3),
    );
    const even = points.every((r) => near(length(r), reach));
    return central && even
      ? { kind: "ball", radius: reach || Math.sqrt(moments[0] / body.mass / 0.4) }
      : boxOf(moments, body.mass);
  }
  for (let axis = 0; axis < 3; axis++) {
    const [a, b] = [moments[(axis + 1) % 3], moments[(axis + 2) % 3]];
    if (near(a, b) && moments[axis] < 0.5 * a) {
      return barOf(axis, moments[axis], a, body.mass, points);
    }
  }
  return boxOf(moments, body.mass);
}

const SIGNS = [-1, 0, 1];
const DIRECTIONS = SIGNS.flatMap((x) => SIGNS.flatMap((y) => SIGNS.map((z) => [x, y, z])));

// Points on circles about an axis, at some heights: [[radius, height], ...].
function circles(profile, axis) {
  return profile.flatMap(([radius, height]) =>
    Array.from({ length: radius > 0 ? 12 : 1 }, (_, i) => {
      const point = [0, 0, 0];
      point[axis] = height;
      point[(axis + 1) % 3] = radius * Math.cos((i * Math.PI) / 6);
      point[(axis + 2) % 3] = radius * Math.sin((i * Math.PI) / 6);
      return point;
    }),
  );
}

/** Points on the surface of a shape, in its own axes, whose hull is its outline in the picture. */
export function outlineOf(shape) {
  switch (shape.kind) {
    case "ball":
      return DIRECTIONS.filter((d) => length(d) > 0).map((d) =>
        d.map((x) => (x * shape.radius) / length(d)),
      );
    case "box":
      return DIRECTIONS.map((d) => d.map((x, k) => (x * shape.sides[k]) / 2));
    case "bar": {
      const ends = [-shape.half, shape.half].map((end) => [shape.radius, end]);
      return circles([...ends, [0, shape.tip]], shape.axis);
    }
    case "lathe":
      return circles(shape.profile, 2);
    case "solid":
      return shape.vertices;
    default:
      return [];
  }
}

/** Radius of the bounding sphere about the centre of mass. */
export function shapeRadius(shape) {
  switch (shape.kind) {
    case "ball":
      return shape.radius;
    case "box":
      return length(shape.sides) / 2;
    case "bar":
      return Math.max(Math.hypot(shape.half, shape.radius), Math.abs(shape.tip));
    case "solid":
      return Math.max(...shape.vertices.map(length));
    default:
      return shape.size ?? 0;
  }
}
