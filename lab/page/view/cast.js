// The cast: for every kind of scene the bodies with shapes and places, the contacts, and the motion after an
// impulse.
//
//   bodies     [{ name, fixed, position, orientation, shape, edit, shown }]; edit: where velocity and
//              angular_velocity are in the scene: { path, first, axes }, the components on these axes begin at
//              an index of a longer vector; shown: points to keep in sight of a body too long to be seen as
//              a whole
//   contacts   [{ point, frame: [t1, t2, n], bodies: [i, j] }]
//   before     [{ velocity, angular_velocity }] per body
//   after(impulse)   the same after an impulse
//   path(body, motion, times)   [{ position, orientation }]; without it: free flight
//   arrows     "bodies": at each body; "contact": the velocity at the contacts, of the second body if sign
//              is -1
//   strings    points from which each body hangs
//   note       limits of the picture, in words
import { isCradle, pendulumOf, planarBodyOf, shotOf } from "../model/kinds.js";
import { settledMotion } from "../model/run.js";
import { shapeOf } from "./shapes.js";
import { contactSketch } from "./sketches.js";

const ZERO = [0, 0, 0];
const STILL = { velocity: ZERO, angular_velocity: ZERO };
const UNTURNED = [1, 0, 0, 0];
const AXES = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** Turn a vector by a quaternion (w, x, y, z), or back by its inverse. */
export function turn([w, x, y, z], [a, b, c]) {
  const [u, v, t] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  return [a + w * u + y * t - z * v, b + w * v + z * u - x * t, c + w * t + x * v - y * u];
}

const inverse = ([w, x, y, z]) => [w, -x, -y, -z];
const minus = (a, b) => a.map((x, k) => x - b[k]);
const along = (frame, values) =>
  [0, 1, 2].map((k) => frame.reduce((sum, axis, i) => sum + axis[k] * values[i], 0));

function touchesOf(info, index) {
  const body = info.bodies[index];
  const back = inverse(body.orientation);
  return info.contacts
    .filter((contact) => contact.bodies.includes(index))
    .map((contact) => ({
      r: turn(back, minus(contact.point, body.position)),
      normal: turn(back, contact.frame[2]),
    }));
}

function castOfBodies(engine, scene, info) {
  return {
    bodies: info.bodies.map((body, i) => {
      const fixed = body.mass === "infinite";
      return {
        name: body.name,
        fixed,
        body,
        position: body.position,
        orientation: body.orientation,
        shape: fixed ? { kind: "ground" } : shapeOf(body, touchesOf(info, i)),
        ...(body.guide ? rodAlong(info, i) : {}),
        edit: fixed || body.guide
          ? null
          : {
              velocity: { path: ["bodies", i, "velocity"] },
              angular_velocity: { path: ["bodies", i, "angular_velocity"] },
            },
      };
    }),
    contacts: info.contacts,
    before: info.bodies,
    after: (impulse) => engine.motion(scene, impulse).bodies,
    arrows: "bodies",
    size: sizeBesideRods(info),
    strings: isCradle(info) ? stringsOf(info) : null,
    note: "",
  };
}

// A length for the scene if a rod would be too long for it: the longest lever of the other bodies.
function sizeBesideRods(info) {
  const free = (i) => info.bodies[i].mass !== "infinite" && !info.bodies[i].guide;
  const levers = info.contacts.flatMap(({ point, bodies }) =>
    bodies.filter(free).map((i) => Math.hypot(...minus(point, info.bodies[i].position))),
  );
  return info.bodies.some((body) => body.guide) ? Math.max(...levers, 1e-9) : undefined;
}

// A guided body is drawn as a rod along its guide, which ends at its first contact; a part of it must be seen.
function rodAlong(info, index) {
  const { guide, velocity } = info.bodies[index];
  const { point, bodies } = info.contacts.find((contact) => contact.bodies.includes(index));
  const other = info.bodies[bodies.find((i) => i !== index)];
  const lever = Math.hypot(...minus(point, other.position)) || 1;
  const forward = velocity.reduce((sum, x, k) => sum + x * guide[k], 0) < 0 ? -1 : 1;
  const axis = guide.map((x) => (forward * x) / Math.hypot(...guide));
  const behind = (length) => point.map((x, k) => x - length * axis[k]);
  return {
    position: behind(5 * lever),
    orientation: fromX(axis),
    shape: { kind: "bar", axis: 0, radius: 0.2 * lever, half: 5 * lever, tip: 0 },
    shown: [behind(4 * lever)],
  };
}

// The points of the beams from which the balls of a cradle hang, two strings each.
function stringsOf({ bodies, contacts }) {
  const radius = Math.hypot(...minus(contacts[0].point, bodies[contacts[0].bodies[0]].position));
  return bodies.map(({ position: [x, y, z] }) =>
    [-1, 1].map((side) => [x, y + 1.6 * side * radius, z + 5 * radius]),
  );
}

const DOT = 0.03; // radius of the dot that stands for a contact point

// Contacts of which only the relative motion is known. Bodies are drawn where they are known; otherwise a
// dot that touches the surface.
function castOfContacts(scene, info) {
  const sketch = info.contacts.length === 1 && contactSketch(scene);
  const from = sketch ? sketch.from : 1;
  const sign = from === 1 ? 1 : -1;
  const count = info.contacts.length;
  const contacts = info.contacts.map((_, i) => ({
    point: [(i - (count - 1) / 2) * 1.2, 0, 0],
    frame: AXES,
    bodies: [2 * i, 2 * i + 1],
  }));
  const spatial = (values, i) =>
    info.planar ? [values[2 * i], 0, values[2 * i + 1]] : values.slice(3 * i, 3 * i + 3);
  const motion = (velocity) =>
    contacts.flatMap((_, i) => {
      const moves = { velocity: spatial(velocity, i).map((x) => sign * x), angular_velocity: ZERO };
      return from === 1 ? [moves, STILL] : [STILL, moves];
    });
  const dots = contacts.flatMap(({ point: [x] }, i) => [
    {
      name: count > 1 ? `contact ${i}` : "contact point",
      position: [x, 0, DOT],
      shape: { kind: "ball", radius: DOT },
    },
    { name: "", position: [x, 0, 0], shape: { kind: "ground" } },
  ]);
  const W = info.inverseInertia;
  const size = info.planar ? 2 : 3;
  const rows = count * size;
  const first = info.contacts.flatMap((contact) => contact.contact_velocity);
  const edit = (i) => ({
    velocity: {
      path: ["contact_velocity"],
      first: size * Math.floor(i / 2),
      axes: info.planar ? [0, 2] : [0, 1, 2],
      sign,
    },
  });
  return {
    bodies: (sketch ? sketch.bodies : dots).map((body, i) => ({
      name: body.name,
      fixed: i % 2 === from,
      position: body.position,
      orientation: body.orientation ?? UNTURNED,
      shape: body.shape,
      edit: i % 2 !== from && scene.contact_velocity ? edit(i) : null,
    })),
    contacts,
    size: sketch ? undefined : 0.3,
    before: motion(first),
    after: (impulse) =>
      motion(first.map((v, i) => v + impulse.reduce((sum, x, k) => sum + W[rows * i + k] * x, 0))),
    path: straight,
    arrows: "contact",
    sign,
    note: sketch
      ? `Seen from the ${sketch.bodies[from].name}. Only the contact's motion is given, so nothing turns.`
      : "The scene gives no bodies, only the motion at the contact: the dot is the point that touches.",
  };
}

// The body of a planar scene: a box on two edges, or a bar on its end. null if the moment of inertia is that
// of neither.
function planarShape({ mass, inertia, touches }) {
  const [x, z] = touches[0];
  const near = (wanted) => Math.abs(inertia - wanted) < 0.02 * inertia;
  const half = Math.hypot(x, z);
  if (touches.length === 2 && Math.abs(x + touches[1][0]) < 1e-6) {
    const sides = [2 * Math.abs(x), 1.2 * Math.abs(z), 2 * Math.abs(z)];
    const box = { shape: { kind: "box", sides }, orientation: UNTURNED };
    return near((mass * (sides[0] ** 2 + sides[2] ** 2)) / 12) ? box : null;
  }
  const shape = { kind: "bar", axis: 0, radius: 0.02 * half, half, tip: 0 };
  const bar = { shape, orientation: fromX([x / half, 0, z / half]) };
  return touches.length === 1 && near((mass * half * half) / 3) ? bar : null;
}

// A free body in the plane of x and z, on a floor at z = 0.
function castOfPlanarBody(engine, scene, info, { touches }, drawn) {
  const path = ["system", "velocity"];
  const motion = ([x, z, turn]) => [
    { velocity: [x, 0, z], angular_velocity: [0, turn, 0] },
    STILL,
  ];
  return {
    bodies: [
      {
        name: drawn.shape.kind === "box" ? "block" : "rod",
        fixed: false,
        position: [0, 0, -touches[0][1]],
        ...drawn,
        edit: {
          velocity: { path, axes: [0, 2] },
          angular_velocity: { path, first: 2, axes: [1] },
        },
      },
      { name: "floor", fixed: true, position: ZERO, orientation: UNTURNED, shape: { kind: "ground" } },
    ],
    contacts: touches.map(([x]) => ({ point: [x, 0, 0], frame: AXES, bodies: [0, 1] })),
    before: motion(info.velocity),
    after: (impulse) => motion(engine.motion(scene, impulse).velocity),
    path: spinning,
    arrows: "bodies",
    note: "The body is drawn from its mass, its moment of inertia and its contacts.",
  };
}

// Uniform motion without rotation.
function straight(body, motion, times) {
  return times.map((time) => ({
    position: body.position.map((x, k) => x + time * motion.velocity[k]),
    orientation: body.orientation,
  }));
}

// The two bars of a double pendulum in the plane of x and z, the tip at the origin.
function castOfPendulum(engine, scene, info, { angles }) {
  const end = ([a, b], upto) => [
    Math.cos(a) + upto * Math.cos(b),
    0,
    Math.sin(a) + upto * Math.sin(b),
  ];
  const bearing = end(angles, 1).map((x) => -x);
  const middle = ([a, b], index) =>
    index === 0
      ? end([a, b], 0).map((x, k) => bearing[k] + x / 2)
      : end([a, b], 0.5).map((x, k) => bearing[k] + x);
  const turned = (angle) => [Math.cos(angle / 2), 0, -Math.sin(angle / 2), 0];
  const bar = { kind: "bar", axis: 0, radius: 0.035, half: 0.5, tip: 0 };
  const motion = ([a, b]) =>
    [0, 1, 2].map((i) =>
      i < 2 ? { rates: [a, a + b], velocity: ZERO, angular_velocity: ZERO } : STILL,
    );
  const speeds = info.velocity;
  return {
    bodies: [
      ...angles.map((angle, i) => ({
        name: i === 0 ? "first bar" : "second bar",
        index: i,
        fixed: false,
        position: middle(angles, i),
        orientation: turned(angle),
        shape: bar,
        edit: null,
      })),
      {
        name: "floor",
        fixed: true,
        position: ZERO,
        orientation: UNTURNED,
        shape: { kind: "ground" },
        edit: null,
      },
    ],
    contacts: [{ point: ZERO, frame: AXES, bodies: [1, 2] }],
    joints: [bearing],
    before: motion(speeds),
    after: (impulse) => motion(engine.motion(scene, impulse).velocity),
    path: (body, { rates }, times) =>
      times.map((time) => {
        const now = rates ? angles.map((angle, i) => angle + time * rates[i]) : angles;
        return body.fixed
          ? body
          : { position: middle(now, body.index), orientation: turned(now[body.index]) };
      }),
    reach: 0.6, // angle in radians that the bars turn by before and after the impact
    rates: (state) => Math.max(...(state[0].rates ?? [0]).map(Math.abs)),
    arrows: "contact",
    note: "Before and after, the joints keep their speeds.",
  };
}

// A cue, a ball and a table.
function castOfShot(engine, scene, info, { frame, axis, radius }) {
  const touch = frame[2].map((x) => radius * x);
  const centre = [0, 0, radius];
  const long = 10 * radius;
  const motion = (u) => [
    { velocity: axis.map((x) => x * u[0]), angular_velocity: ZERO },
    { velocity: u.slice(1, 4), angular_velocity: u.slice(4, 7) },
    STILL,
  ];
  const path = ["system", "velocity"];
  return {
    bodies: [
      {
        name: "cue",
        fixed: false,
        position: touch.map((x, k) => centre[k] + x - (long / 2) * axis[k]),
        orientation: fromX(axis),
        shape: { kind: "bar", axis: 0, radius: 0.2 * radius, half: long / 2, tip: 0 },
        shown: [touch.map((x, k) => centre[k] + x - 4 * radius * axis[k])],
        edit: null,
      },
      {
        name: "ball",
        fixed: false,
        position: centre,
        orientation: UNTURNED,
        shape: { kind: "ball", radius },
        edit: { velocity: { path, first: 1 }, angular_velocity: { path, first: 4 } },
      },
      {
        name: "table",
        fixed: true,
        position: ZERO,
        orientation: UNTURNED,
        shape: { kind: "ground" },
        edit: null,
      },
    ],
    contacts: [
      { point: touch.map((x, k) => centre[k] + x), frame, bodies: [0, 1] },
      { point: ZERO, frame: AXES, bodies: [1, 2] },
    ],
    size: radius,
    before: motion(info.velocity),
    after: (impulse) => motion(engine.motion(scene, impulse).velocity),
    path: spinning,
    arrows: "bodies",
    note: "",
  };
}

// The quaternion that rotates x to an axis.
function fromX([x, y, z]) {
  const w = 1 + x;
  const size = Math.hypot(w, y, z) || 1;
  return w > 1e-9 ? [w / size, 0, -z / size, y / size] : [0, 0, 0, 1];
}

// Uniform motion and rotation about a fixed axis: exact for a ball.
function spinning(body, motion, times) {
  const spin = Math.hypot(...motion.angular_velocity);
  return times.map((time) => {
    const half = (spin * time) / 2;
    const turned =
      spin > 0
        ? [Math.cos(half), ...motion.angular_velocity.map((x) => (Math.sin(half) * x) / spin)]
        : UNTURNED;
    return {
      position: body.position.map((x, k) => x + time * motion.velocity[k]),
      orientation: product(turned, body.orientation),
    };
  });
}

function product([a, b, c, d], [e, f, g, h]) {
  return [
    a * e - b * f - c * g - d * h,
    a * f + b * e + c * h - d * g,
    a * g - b * h + c * e + d * f,
    a * h + b * g - c * f + d * e,
  ];
}

function plainCast(engine, scene, info) {
  if (info.source === "bodies") {
    return castOfBodies(engine, scene, info);
  }
  const planar = info.source === "system" && planarBodyOf(scene);
  const drawn = planar && planarShape(planar);
  if (drawn) {
    return castOfPlanarBody(engine, scene, info, planar, drawn);
  }
  const pendulum = info.source === "system" && pendulumOf(scene);
  const shot = info.source === "system" && !pendulum && shotOf(scene);
  if (pendulum) {
    return castOfPendulum(engine, scene, info, pendulum);
  }
  return shot ? castOfShot(engine, scene, info, shot) : castOfContacts(scene, info);
}

/** The cast of a described scene. Rounding errors in the motion after are set to 0. */
export function castOf(engine, scene, info) {
  const cast = plainCast(engine, scene, info);
  const { after } = cast;
  return {
    ...cast,
    sign: cast.sign ?? 1,
    after: (impulse) => after(impulse).map((motion) => settledMotion(info, motion)),
  };
}

/** A vector of a contact in world axes. */
export function inWorld(contact, values) {
  return along(contact.frame, values);
}
