// A run: one solved impact with the program's answer, the sampled process of each contact, and the energies
// along it. All numbers come from the library; this file only sorts and adds them. Several rigid contacts have
// no process: such a run jumps, and has two rows, before and after.
import { settled } from "./format.js";
import { pairsOf } from "./kinds.js";

const ROUNDING = 1e-12; // relative to the largest value of its kind

/** Number of samples of the process. */
export const rowsFor = (contacts) => (contacts > 8 ? 121 : 241);

// Columns of one contact. Planar contacts get the same columns, with t2 = 0.
function contactColumns(trace, info, index) {
  const suffix = info.contacts.length > 1 ? `_${index}` : "";
  const column = (name) => trace.column(name + suffix);
  const zero = new Float64Array(trace.rows);
  const names = info.planar
    ? [
        ["it", null, "in"],
        ["vt", null, "vn"],
      ]
    : [
        ["ix", "iy", "iz"],
        ["vx", "vy", "vz"],
      ];
  const [impulse, velocity] = names.map((three) =>
    three.map((name) => (name ? column(name) : zero)),
  );
  return {
    impulse,
    velocity,
    stored: column("stored"),
    tangential: column("tangential") ?? zero,
    mode: column("mode"),
    first: info.planar
      ? [info.contacts[index].contact_velocity[0], 0, info.contacts[index].contact_velocity[1]]
      : info.contacts[index].contact_velocity,
  };
}

// Work of all contacts on the bodies up to a row: the sum of I.(v- + v)/2, exact on any path.
function workAt(contacts, row) {
  let sum = 0;
  for (const contact of contacts) {
    for (let k = 0; k < 3; k++) {
      sum += (contact.impulse[k][row] * (contact.first[k] + contact.velocity[k][row])) / 2;
    }
  }
  return sum;
}

// The first row after an event. A sample at the time of the event may lie on either side; the stored energy
// decides.
function rowAfter(run, { clock, contact, stored }, amount) {
  const row = Math.max(Math.ceil((clock / run.end) * (run.rows - 1) - 1e-9), 0);
  return run.contacts[contact].stored[row] > stored - amount / 2 ? row + 1 : row;
}

// Energy lost to restitution up to each row. The energetic law takes 1 - e^2 of the stored energy at the end
// of compression; mono-stiffness springs lose their remaining energy when they release; the other laws are
// accounted at the end.
function bounceLoss(run) {
  const loss = new Float64Array(run.rows);
  const { restitution, contacts } = run.info;
  const taken = {
    energetic: ({ event, contact, stored }) =>
      event === "compression_end" ? (1 - contacts[contact].e ** 2) * stored : 0,
    mono_stiffness: ({ event, stored }) => (event === "restitution_end" ? stored : 0),
  }[restitution];
  for (const event of taken ? run.events : []) {
    const amount = taken(event);
    for (let i = amount > 0 ? rowAfter(run, event, amount) : run.rows; i < run.rows; i++) {
      loss[i] += amount;
    }
  }
  return loss;
}

// The energies at each row; friction is the remainder. The last row is the program's.
function energyCourse(run) {
  const n = run.rows;
  const keys = ["kinetic", "stored", "tangential", "normal", "friction"];
  const course = Object.fromEntries(keys.map((key) => [key, new Float64Array(n)]));
  course.normal = bounceLoss(run);
  for (let i = 0; i < n; i++) {
    const given = -workAt(run.contacts, i);
    const sum = (key) => run.contacts.reduce((total, contact) => total + contact[key][i], 0);
    course.kinetic[i] = run.before - given;
    course.stored[i] = sum("stored");
    course.tangential[i] = sum("tangential");
    course.friction[i] = given - course.stored[i] - course.tangential[i] - course.normal[i];
  }
  const { energy } = run.result;
  course.kinetic[n - 1] = run.before + energy.change;
  course.stored[n - 1] = energy.left;
  course.friction[n - 1] = energy.friction_loss;
  course.normal[n - 1] = energy.normal_loss;
  return course;
}

// Sizes below which velocities are rounding errors: of points, and of rotations by the shortest lever.
function noiseOf(info) {
  const speeds = [...info.bodies.map((body) => body.velocity), info.velocity].flat();
  const points = info.contacts.flatMap((contact) => contact.contact_velocity);
  const speed = Math.max(0, ...[...speeds, ...points].map(Math.abs));
  const levers = info.contacts.flatMap(({ bodies = [], point }) =>
    bodies
      .filter((i) => info.bodies[i].mass !== "infinite")
      .map((i) => Math.hypot(...point.map((x, k) => x - info.bodies[i].position[k]))),
  );
  const lengths = levers.filter((length) => length > 0);
  const lever = lengths.length > 0 ? Math.min(...lengths) : 1;
  return { velocity: ROUNDING * speed, angular_velocity: (ROUNDING * speed) / lever };
}

/** The motion of a body with rounding errors set to 0. */
export function settledMotion(info, motion) {
  const settle = (key) => motion[key]?.map((x) => (Math.abs(x) <= info.noise[key] ? 0 : x));
  return { ...motion, velocity: settle("velocity"), angular_velocity: settle("angular_velocity") };
}

// Solve and sample. Never throws: a run without result has a status and a message.
export function makeRun(engine, scene) {
  const start = performance.now();
  const run = solve(engine, scene);
  return { ...run, took: performance.now() - start };
}

function solve(engine, scene) {
  const described = engine.describe(scene);
  const infoOf = ({ scene: info, inverseInertia }) => ({
    ...info,
    inverseInertia,
    noise: noiseOf(info),
    pairs: info.source === "bodies" ? null : pairsOf(scene),
  });
  const failed = (answer) => ({
    ok: false,
    scene,
    status: answer.status,
    message: answer.message,
    info: described.scene ? infoOf(described) : null,
  });
  if (!described.scene) {
    return failed(described);
  }
  const { status, message, result } = engine.solve(scene, { brief: true });
  if (!result?.impulse) {
    return failed({ status, message });
  }
  const info = infoOf(described);
  const jumps = info.model === "rigid" && info.contacts.length > 1;
  const trace = jumps ? jumpOf(info, result) : engine.trace(scene, rowsFor(info.contacts.length));
  if (trace.rows === 0) {
    return failed(trace);
  }
  return complete({ ok: true, scene, info, jumps, status, message, result, rows: trace.rows }, trace);
}

// The two rows of a run that jumps, in the form of a trace. The clock is the sum of the normal impulses.
function jumpOf(info, { impulse, contact_velocity: after }) {
  const letters = info.planar ? ["t", "n"] : ["x", "y", "z"];
  const size = letters.length;
  const normals = impulse.filter((_, i) => i % size === size - 1);
  const columns = new Map([["clock", [0, normals.reduce((sum, x) => sum + x, 0)]]]);
  info.contacts.forEach(({ contact_velocity: before }, i) => {
    letters.forEach((letter, k) => {
      columns.set(`i${letter}_${i}`, [0, impulse[i * size + k]]);
      columns.set(`v${letter}_${i}`, [before[k], after[i * size + k]]);
    });
    columns.set(`stored_${i}`, [0, 0]);
  });
  return { rows: 2, columns: [...columns.keys()], column: (name) => columns.get(name) };
}

function largestOf(columns) {
  return columns.reduce(
    (most, column) => column.reduce((a, x) => Math.max(a, Math.abs(x)), most),
    0,
  );
}

// A run can be sent from a worker: it holds no functions.
function complete(run, trace) {
  const { info, result } = run;
  run.trace = { rows: trace.rows, columns: trace.columns, data: trace.data };
  run.clock = trace.column(trace.columns[0]);
  run.end = run.clock[run.rows - 1];
  run.contacts = info.contacts.map((_, i) => contactColumns(trace, info, i));
  run.events = result.events;
  result.bodies = result.bodies?.map((body) => settledMotion(info, body));
  run.absolute = result.energy.before !== undefined;
  run.before = result.energy.before ?? info.motion_energy ?? -result.energy.change;
  run.energy = energyCourse(run);
  run.largest = {
    velocity: largestOf(run.contacts.flatMap((contact) => contact.velocity)),
    impulse: largestOf(run.contacts.flatMap((contact) => contact.impulse)),
    energy: run.before,
  };
  return run;
}

// Value of a column at a clock, interpolated.
export function columnAt(run, column, clock) {
  const x = run.end > 0 ? (clock / run.end) * (run.rows - 1) : 0;
  const i = Math.min(Math.max(Math.floor(x), 0), run.rows - 2);
  return column[i] + (column[i + 1] - column[i]) * (x - i);
}

// The same for display: 0 if below the rounding of the largest such value.
export function valueAt(run, column, clock, kind) {
  const value = columnAt(run, column, clock);
  return settled(value, run.largest[kind]);
}

// All impulses at a clock, in the order of the scene's contacts.
export function impulseAt(run, clock) {
  const keep = run.info.planar ? [0, 2] : [0, 1, 2];
  return run.contacts.flatMap((contact) =>
    keep.map((k) => columnAt(run, contact.impulse[k], clock)),
  );
}

// (t1, t2, n) of a contact at a clock.
export function contactVector(run, index, key, clock) {
  return run.contacts[index][key].map((column) => columnAt(run, column, clock));
}
