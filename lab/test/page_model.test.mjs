// The page without a browser: energies along the impact, intervals between events, shapes of bodies, and
// the scheduling of solves.
import assert from "node:assert/strict";
import test from "node:test";

import { modeStretches, phaseStretches } from "../page/model/events.js";
import { REST, createPace } from "../page/model/pace.js";
import { columnAt, impulseAt, makeRun } from "../page/model/run.js";
import { laws, severalLaws, withLaw } from "../page/model/scene.js";
import { castOf } from "../page/view/cast.js";
import { largest, sceneFiles, startEngine } from "./support.mjs";

const engine = await startEngine();
const scenes = new Map(sceneFiles().map(({ name, text }) => [name, JSON.parse(text)]));

// Every scene under every law.
function* underEachLaw() {
  for (const [name, scene] of scenes) {
    for (const law of [...laws, ...severalLaws]) {
      yield [`${name}, ${law.id}`, withLaw(scene, law)];
    }
  }
}

test("energy along the impact: losses only grow, and end where the program says", (t) => {
  let back = 0;
  for (const [name, scene] of underEachLaw()) {
    const run = makeRun(engine, scene);
    if (!run.ok) {
      assert.equal(run.status, "invalid_input", name); // a law that the scene does not allow
      continue;
    }
    const { energy } = run.result;
    for (const [key, total] of [
      ["friction", energy.friction_loss],
      ["normal", energy.normal_loss],
    ]) {
      const column = run.energy[key];
      // these two laws are accounted at the end, and may add energy there
      const free = key === "normal" && ["newton", "poisson"].includes(run.info.restitution);
      for (let i = 1; i < run.rows && !free; i++) {
        back = Math.max(back, (column[i - 1] - column[i]) / run.before);
      }
      assert.equal(column[run.rows - 1], total, name);
    }
    const sum = ["kinetic", "stored", "tangential", "normal", "friction"];
    for (let i = 0; i < run.rows; i++) {
      const all = sum.reduce((total, key) => total + run.energy[key][i], 0);
      assert.ok(Math.abs(all - run.before) < 1e-12 * run.before, `${name}, row ${i}`);
    }
  }
  t.diagnostic(`losses fall by at most ${back} of the energy`);
  assert.ok(back < 1e-12); // measured: 1.7e-14
});

test("stretches cover the impact, and change where events are", () => {
  for (const [name, scene] of scenes) {
    const run = makeRun(engine, scene);
    for (const stretches of run.contacts.flatMap((_, i) => [
      phaseStretches(run, i),
      modeStretches(run, i),
    ])) {
      assert.equal(stretches[0].from, 0, name);
      assert.ok(Math.abs(stretches.at(-1).to - run.end) <= 1e-12 * run.end, name);
      stretches.slice(1).forEach(({ from }, i) => {
        assert.equal(from, stretches[i].to, name);
        const step = run.end / (run.rows - 1);
        assert.ok(
          run.events.some(({ clock }) => Math.abs(clock - from) <= step),
          name,
        );
      });
    }
    assert.equal(columnAt(run, run.clock, run.end), run.end, name);
    const last = impulseAt(run, run.end);
    const unit = largest(run.result.impulse);
    last.forEach((x, i) => assert.ok(Math.abs(x - run.result.impulse[i]) <= 1e-12 * unit, name));
  }
});

test("bodies have the shapes that fit their inertia", () => {
  const shape = (name, index) => {
    const scene = scenes.get(name);
    return castOf(engine, scene, makeRun(engine, scene).info).bodies[index].shape;
  };
  const near = (x, wanted) =>
    assert.ok(Math.abs(x - wanted) < 2e-3 * wanted, `${x}, not ${wanted}`);
  assert.equal(shape("thrown_ball", 0).kind, "ball"); // hollow: the radius is the distance of the contact
  near(shape("thrown_ball", 0).radius, 0.0335);
  near(shape("billiard_break", 7).radius, 0.028575);
  shape("box_corner", 0).sides.forEach((side) => near(side, 0.1));
  near(shape("rod_newton", 0).half, 0.5);
  near(Math.abs(shape("pencil", 0).tip), 1.91447);
  assert.deepEqual(
    ["thrown_ball", "pencil"].map((name) => shape(name, 1).kind),
    ["ground", "ground"],
  );
  assert.equal(shape("icosahedron_tetrahedron", 0).vertices.length, 60);
  assert.equal(shape("double_pendulum", 1).half, 0.5);
  near(shape("masse_shot", 1).radius, 0.0305);
});

test("sketches without bodies move as the contact does", () => {
  for (const name of ["pin_ball", "icosahedron_tetrahedron", "masse_shot"]) {
    const run = makeRun(engine, scenes.get(name));
    const cast = castOf(engine, run.scene, run.info);
    const after = cast.after(run.result.impulse);
    const [{ point, frame, bodies }] = cast.contacts;
    const velocityAt = (i) => {
      const [x, y, z] = point.map((p, k) => p - cast.bodies[i].position[k]);
      const [a, b, c] = after[i].angular_velocity;
      return after[i].velocity.map((v, k) => v + [b * z - c * y, c * x - a * z, a * y - b * x][k]);
    };
    const apart = velocityAt(bodies[0]).map((v, k) => v - velocityAt(bodies[1])[k]);
    frame.forEach((axis, i) => {
      const v = axis.reduce((sum, x, k) => sum + x * apart[k], 0);
      const wanted = run.result.contact_velocity[i];
      assert.ok(
        Math.abs(v - wanted) < 1e-6 * largest(run.result.contact_velocity),
        `${name}: ${v}, not ${wanted}`,
      );
    });
  }
});

test("a large scene that comes before the next frame is solved beside the page, and only there", async () => {
  const [calls, frames] = [[], new Map()];
  globalThis.requestAnimationFrame = (call) => frames.set(frames.size + 1, call).size;
  globalThis.cancelAnimationFrame = (id) => frames.delete(id);
  const pace = createPace({
    here: () => calls.push("here"),
    beside: async () => calls.push("beside"),
    busy: (is) => calls.push(is),
  });
  pace.change();
  pace.fresh({ contacts: Array(41) });
  pace.change();
  frames.forEach((call) => call());
  await new Promise((resolve) => setTimeout(resolve, 2 * REST)); // after everything scheduled before
  assert.deepEqual(calls, [true, true, "beside", false]);
});
