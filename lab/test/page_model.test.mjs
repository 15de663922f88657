// The page without a browser: energies along the impact, intervals between events, shapes of bodies, and
// the scheduling of solves.
import assert from "node:assert/strict";
import test from "node:test";

import { modeStretches, phaseStretches } from "../page/model/events.js";
import { REST, createPace } from "../page/model/pace.js";
import { columnAt, impulseAt, makeRun } from "../page/model/run.js";
import { laws, severalLaws, withLaw } from "../page/model/scene.js";
import { createHistory } from "../page/model/history.js";
import { createStore } from "../page/model/store.js";
import { ticks } from "../page/plots/scale.js";
import { castOf, turn } from "../page/view/cast.js";
import { durationOf, flightsOf, sizesOf } from "../page/view/flights.js";
import { meshOf } from "../page/view/meshes.js";
import { outlineOf } from "../page/view/shapes.js";
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

// The lowest point of a body above a plane of the cast.
function gapOf(shape, { position, orientation }, { point, frame }) {
  const normal = frame[2];
  const points =
    shape.kind === "ball"
      ? [normal.map((x) => -shape.radius * x)]
      : outlineOf(shape).map((p) => turn(orientation, p));
  const height = (p) => p.reduce((sum, x, k) => sum + (position[k] + x - point[k]) * normal[k], 0);
  return Math.min(...points.map(height));
}

test("no body is drawn inside the floor: at the impact, before it or after it", (t) => {
  let deepest = 0;
  for (const [name, scene] of scenes) {
    const run = makeRun(engine, scene);
    const cast = castOf(engine, scene, run.info);
    const after = cast.after(run.result.impulse);
    const sizes = sizesOf(cast);
    const duration = durationOf(cast, sizes, cast.before, after);
    const flights = flightsOf(engine, cast, sizes, duration, cast.before, after);
    const floors = cast.contacts.filter(({ bodies }) => cast.bodies[bodies[1]].shape.kind === "ground");
    cast.bodies.forEach((body, i) => {
      for (const floor of body.fixed ? [] : floors) {
        const at = gapOf(body.shape, body, floor);
        // a bar touches with the middle of its end, so that its rim is below: by its radius at most
        const rim = body.shape.kind === "bar" ? body.shape.radius : 1e-9 * sizes.radius;
        assert.ok(at >= -rim, `${name}: ${body.name} is ${-at} inside at the impact`);
        for (const place of [...flights.bodies[i].before, ...flights.bodies[i].after]) {
          const deep = (Math.min(at, 0) - gapOf(body.shape, place, floor)) / sizes.radius;
          deepest = Math.max(deepest, deep);
          assert.ok(deep < 3e-3, `${name}: ${body.name} goes ${deep} of its size into the floor`);
        }
      }
    });
  }
  t.diagnostic(`deepest: ${deepest} of the size of a body`);
  const rod = makeRun(engine, scenes.get("rod_newton"));
  const cast = castOf(engine, rod.scene, rod.info);
  const after = cast.after(rod.result.impulse);
  const { touch } = flightsOf(engine, cast, sizesOf(cast), 2, cast.before, after);
  assert.deepEqual(touch.bodies, [0, 1]);
  assert.ok(touch.time > 0 && touch.time < 2);
});

test("rounding errors of the motion are 0, and what moves is kept", () => {
  const run = makeRun(engine, scenes.get("billiard_break"));
  const cast = castOf(engine, run.scene, run.info);
  const after = cast.after(run.result.impulse);
  assert.equal(largest(after.map((body) => body.angular_velocity)), 0);
  assert.ok(largest(engine.motion(run.scene, run.result.impulse).bodies.map((body) => body.angular_velocity)) > 0);
  const ball = makeRun(engine, scenes.get("thrown_ball"));
  const [{ angular_velocity }] = castOf(engine, ball.scene, ball.info).after(ball.result.impulse);
  assert.deepEqual(angular_velocity, ball.result.bodies[0].angular_velocity);
});

test("planar bodies: the block and the rod have the moments and the contacts of the scene", () => {
  const cast = (name) => castOf(engine, scenes.get(name), makeRun(engine, scenes.get(name)).info);
  const block = cast("rocking_block");
  assert.deepEqual(block.bodies[0].shape.sides.map((x) => Number(x.toFixed(3))), [0.6, 0.24, 0.4]);
  assert.deepEqual(block.contacts.map(({ point }) => point[0]), [-0.3, 0.3]);
  const rod = cast("rod_planar");
  assert.ok(Math.abs(rod.bodies[0].shape.half - 0.5) < 1e-9);
  // a moment that fits neither: the contact alone
  const scene = structuredClone(scenes.get("rocking_block"));
  scene.system.mass_matrix[2][2] = 0.2;
  assert.equal(castOf(engine, scene, makeRun(engine, scene).info).arrows, "contact");
});

test("a ball is round: its outline differs from a circle by less than a pixel at 4K", () => {
  for (const [coarse, radius] of [
    [false, 450],
    [true, 100],
  ]) {
    const { geometry } = meshOf({ kind: "ball", radius }, 0xffffff, { coarse });
    const at = geometry.getAttribute("position");
    let edge = 0; // the longest edge of a face
    for (let i = 0; i < at.count; i += 3) {
      const point = (k) => [0, 1, 2].map((n) => at.getComponent(i + k, n));
      const [a, b] = [point(0), point(1)];
      edge = Math.max(edge, Math.hypot(...a.map((x, n) => x - b[n])));
    }
    const flat = radius - Math.sqrt(radius * radius - (edge * edge) / 4);
    assert.ok(flat < 1, `${flat} pixels`); // measured: 0.54 and 0.48
  }
});

test("ticks: round, inside the range, at least three", () => {
  for (let k = 0; k < 400; k++) {
    const half = 10 ** (k / 80 - 2);
    for (const [low, high] of [
      [-half, half],
      [0, half],
      [0.3 * half, 1.9 * half],
    ]) {
      const found = ticks(low, high, 4);
      assert.ok(found.length >= 3 && found.length <= 12, `${low} to ${high}: ${found}`);
      assert.ok(found.every((x) => x >= low - 1e-9 * half && x <= high + 1e-9 * half));
    }
  }
});

test("undo: steps of rested states, redo until something else is done", async () => {
  const store = createStore({ scene: null, base: null, file: null, canUndo: false, canRedo: false });
  const kept = [];
  const history = createHistory(store, (entry, fresh) => kept.push([entry.scene.id, fresh]));
  const show = (id, base) => {
    store.set({ scene: { id }, base });
    history.commit();
  };
  const [first, second] = [{}, {}];
  show(1, first);
  store.set({ scene: { id: 1.5 } }); // in the middle of a drag
  show(2, first);
  show(3, second);
  assert.deepEqual(kept, [
    [1, true],
    [2, false],
    [3, true],
  ]);
  history.undo();
  assert.equal(store.state.scene.id, 2);
  assert.equal(store.state.base, first);
  history.undo();
  history.undo();
  assert.deepEqual([store.state.scene.id, store.state.canUndo, store.state.canRedo], [1, false, true]);
  history.redo();
  show(4, first);
  history.redo();
  assert.deepEqual([store.state.scene.id, store.state.canUndo, store.state.canRedo], [4, true, false]);
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
