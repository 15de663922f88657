// The cast: for every kind of scene the bodies with shapes and places, the contacts, and the motion after an
// impulse.
//
//   bodies     [{ name, fixed, position, orientation, shape, edit, shown }]; edit: paths of velocity and spin
//              in the scene, and offset, spinOffset: their index in a longer vector; shown: points to keep
//              in sight of a body too long to be seen as a whole
//   contacts   [{ point, frame: [t1, t2, n], bodies: [i, j] }]
//   before     [{ velocity, angular_velocity }] per body
//   after(impulse)   the same after an impulse
//   path(body, motion, times)   [{ position, orientation }]; without it: free flight
//   arrows     "bodies": at each body; "contact": the velocity at the contacts
//   note       limits of the picture, in words
import { pendulumOf, shotOf } from "../model/kinds.js";
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
        edit: fixed
          ? null
          : {
              velocity: ["bodies", i, "velocity"],
              angular_velocity: ["bodies", i, "angular_velocity"],
            },
      };
    }),
    contacts: info.contacts,
    before: info.bodies,
    after: (impulse) => engine.motion(scene, impulse).bodies,
    arrows: "bodies",
    note: "",
  };
}

// Pairs of bodies of which only the relative motion at the contact is known, seen from the second.
function castOfContacts(scene, info) {
  const sketch = info.contacts.length === 1 && contactSketch(scene);
  const count = info.contacts.length;
  const contacts = info.contacts.map((_, i) => ({
    point: [(i - (count - 1) / 2) * 1.2, 0, 0],
    frame: AXES,
    bodies: [2 * i, 2 * i + 1],
  }));
  const spatial = (values, i) =>
    info.planar ? [values[2 * i], 0, values[2 * i + 1]] : values.slice(3 * i, 3 * i + 3);
  const motion = (velocity) =>
    contacts.flatMap((_, i) => [{ velocity: spatial(velocity, i), angular_velocity: ZERO }, STILL]);
  const drawn =
    sketch ||
    contacts.flatMap(({ point }, i) => [
      {
        name: count > 1 ? `contact ${i}` : "contact",
        position: point,
        shape: { kind: "ball", radius: 0.12 },
      },
      { name: "", position: point, shape: { kind: "ground" } },
    ]);
  const W = info.inverseInertia;
  const size = info.contacts.length * (info.planar ? 2 : 3);
  const first = info.contacts.flatMap((contact) => contact.contact_velocity);
  return {
    bodies: drawn.map((body, i) => ({
      name: body.name,
      fixed: i % 2 === 1,
      position: body.position,
      orientation: body.orientation ?? UNTURNED,
      shape: body.shape,
      edit:
        i % 2 === 0 && scene.contact_velocity
          ? { velocity: ["contact_velocity"], offset: 3 * (i / 2) }
          : null,
    })),
    contacts,
    before: motion(first),
    after: (impulse) =>
      motion(first.map((v, i) => v + impulse.reduce((sum, x, k) => sum + W[size * i + k] * x, 0))),
    path: straight,
    arrows: "contact",
    note: sketch
      ? "Seen from the second body. Only the contact's motion is given, so nothing turns."
      : "The scene gives only the motion at the contact: t1, t2 and the normal n.",
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
        edit: { velocity: path, offset: 1, angular_velocity: path, spinOffset: 4 },
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

/** The cast of a described scene. */
export function castOf(engine, scene, info) {
  if (info.source === "bodies") {
    return castOfBodies(engine, scene, info);
  }
  const pendulum = info.source === "system" && pendulumOf(scene);
  const shot = info.source === "system" && !pendulum && shotOf(scene);
  if (pendulum) {
    return castOfPendulum(engine, scene, info, pendulum);
  }
  return shot ? castOfShot(engine, scene, info, shot) : castOfContacts(scene, info);
}

/** A vector of a contact in world axes. */
export function inWorld(contact, values) {
  return along(contact.frame, values);
}
