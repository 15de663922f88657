// Motion: after an impulse, in flight, on a table.
import assert from "node:assert/strict";
import test from "node:test";

import { largest, sceneFiles, simulateFiles, simulated, startEngine } from "./support.mjs";

const engine = await startEngine();
const scenes = sceneFiles();

test("the whole impulse moves everything as the result says, none leaves it as it was", () => {
  for (const { name, text } of scenes) {
    const { result } = engine.solve(text);
    const { scene } = engine.describe(text);
    const { status, bodies, velocity } = engine.motion(text, result.impulse);
    assert.equal(status, "ok");
    assert.deepEqual(bodies, result.bodies ?? null, name);
    assert.deepEqual(velocity, result.velocity ?? null, name);
    const still = engine.motion(text, result.impulse.map(() => 0));
    const before = scene.bodies.map((body) => ({
      name: body.name,
      velocity: body.velocity,
      angular_velocity: body.angular_velocity,
    }));
    assert.deepEqual(still.bodies, scene.source === "bodies" ? before : null, name);
    assert.deepEqual(still.velocity, scene.source === "system" ? scene.velocity : null, name);
  }
});

test("describe: defaults filled in, frames right-handed, W and v as the trace has them", () => {
  for (const { name, text } of scenes) {
    const { scene, inverseInertia } = engine.describe(text);
    const given = JSON.parse(text);
    assert.equal(scene.restitution, given.restitution ?? "energetic");
    assert.equal(scene.contacts.length, given.contacts.length);
    const rows = scene.planar ? 2 : 3;
    assert.equal(inverseInertia.length, (rows * scene.contacts.length) ** 2, name);
    scene.contacts.forEach((contact, i) => {
      assert.equal(contact.mu_static, given.contacts[i].mu_static ?? given.contacts[i].mu);
      if (contact.frame) {
        const [s, t, n] = contact.frame;
        const cross = [s[1] * t[2] - s[2] * t[1], s[2] * t[0] - s[0] * t[2], s[0] * t[1] - s[1] * t[0]];
        assert.ok(Math.hypot(...n.map((x, k) => x - cross[k])) < 4e-16, name); // measured: 2.5e-16
      }
    });
    const start = scene.contacts[0].contact_velocity;
    const unit = largest(scene.contacts.map((contact) => contact.contact_velocity));
    const trace = engine.trace(text, 3);
    const names = scene.planar ? ["vt", "vn"] : ["vx", "vy", "vz"];
    const several = scene.contacts.length > 1 ? "_0" : "";
    names.forEach((column, k) => {
      const v = trace.column(column + several)[0];
      assert.ok(Math.abs(v - start[k]) <= 1e-15 * unit, name); // measured: 1.3e-16
    });
  }
});

const box = {
  mass: 2,
  inertia: [0.1, 0.25, 0.3],
  position: [1, 2, 3],
  velocity: [0.5, -1, 4],
  angular_velocity: [0.2, 5, 0.1], // about the middle axis: it tumbles
};

function rotate([w, x, y, z], v) {
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const t = cross([x, y, z], v).map((c) => 2 * c);
  const u = cross([x, y, z], t);
  return v.map((c, i) => c + w * t[i] + u[i]);
}

test("flight: a parabola, with the angular momentum that it had", () => {
  const times = [0, 0.1, 0.5, 2, 7, -1, -3];
  const { status, states } = engine.flight(box, times, [0, 0, -9.81]);
  assert.equal(status, "ok");
  const momentum = box.inertia.map((a, i) => a * box.angular_velocity[i]);
  times.forEach((t, i) => {
    const state = states.subarray(13 * i, 13 * i + 13);
    const height = 3 + 4 * t - (9.81 / 2) * t * t;
    assert.ok(Math.abs(state[0] - 1 - 0.5 * t) < 1e-15); // measured: 4.2e-17
    assert.ok(Math.abs(state[2] - height) < 1e-13); // measured: 2.8e-14, of 209
    const [w, x, y, z] = state.subarray(3, 7);
    const spin = rotate([w, -x, -y, -z], [...state.subarray(10, 13)]);
    const now = rotate([w, x, y, z], spin.map((c, k) => c * box.inertia[k]));
    assert.ok(Math.hypot(...now.map((c, k) => c - momentum[k])) < 5e-15); // measured: 7.2e-16
  });
});

test("flight: there and back again, in pieces and at once", () => {
  const { states } = engine.flight(box, [1, 2, 3]);
  const alone = engine.flight(box, [3]).states;
  const last = states.subarray(26, 39);
  last.forEach((x, k) => assert.ok(Math.abs(x - alone[k]) < 1e-14)); // measured: 8.9e-16
  const there = {
    ...box,
    position: [...last.subarray(0, 3)],
    orientation: [...last.subarray(3, 7)],
    velocity: [...last.subarray(7, 10)],
    angular_velocity: [...last.subarray(10, 13)],
  };
  const back = engine.flight(there, [-3]).states;
  const start = [...box.position, 1, 0, 0, 0, ...box.velocity, ...box.angular_velocity];
  start.forEach((x, k) => assert.ok(Math.abs(x - back[k]) < 1e-14)); // measured: 1.1e-15
});

test("flight: an immovable body stays, a bad one is refused", () => {
  const floor = engine.flight({ mass: "infinite" }, [5], [0, 0, -9.81]);
  assert.deepEqual([...floor.states], [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  for (const change of [{ mass: 0 }, { inertia: [1, 1, -1] }, { position: [NaN, 0, 0] }]) {
    const answer = engine.flight({ ...box, ...change }, [1]);
    assert.equal(answer.status, "invalid_input");
    assert.notEqual(answer.message, "");
    assert.equal(answer.states.length, 0);
  }
  assert.equal(engine.flight(box, [NaN]).status, "invalid_input");
});

test("a ball on a table: 5/7 of the speed when it begins to roll", () => {
  const table = { radius: 0.03, mu_slide: 0.2, mu_roll: 0.01, gravity: 9.81 };
  const start = { position: [0, 0, 0.03], velocity: [2, 0, 0], angular_velocity: [0, 0, 0] };
  const rolls = ((2 / 7) * 2) / (0.2 * 9.81);
  const { status, states, phases, begin } = engine.roll(table, start, [0, rolls / 2, rolls + 1e-9, 1e3]);
  assert.equal(status, "ok");
  assert.ok(Math.abs(begin[1] - rolls) < 1e-16); // measured: 0
  assert.deepEqual([...phases], [0, 0, 1, 2]);
  assert.ok(Math.abs(states[2 * 9 + 3] - (5 / 7) * 2) < 1e-10); // measured: 7.0e-11, after 1e-9 s
  assert.equal(states[3 * 9 + 3], 0);
  assert.equal(engine.roll(table, start, [-1]).status, "invalid_input");
  assert.match(engine.roll({ ...table, radius: 0 }, start, [1]).message, /radius/);
});

test("the first impact of a simulation: the state and the answer of the program", () => {
  for (const { name, text } of simulateFiles()) {
    const impact = simulated(text, "--bounces", "1").impacts[0];
    const { status, text: scene } = engine.firstImpact(text);
    assert.equal(status, "ok", name);
    const given = JSON.parse(scene);
    const { result } = engine.solve(scene);
    for (const [mine, wanted] of [
      [given.bodies[0], impact.before],
      [result.bodies[0], impact.after],
    ]) {
      for (const key of ["velocity", "angular_velocity"]) {
        const unit = largest(wanted);
        mine[key].forEach((x, k) =>
          assert.ok(Math.abs(x - wanted[key][k]) <= 1e-9 * unit, `${name}: ${mine[key]}, ${wanted[key]}`),
        ); // measured: 3e-13
      }
    }
  }
  assert.match(engine.firstImpact("{}").message, /^carom/);
});
