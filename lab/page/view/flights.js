// Paths of the bodies before and after the impact, sampled over a time that shows the motion well.
import { turn } from "./cast.js";
import { outlineOf, shapeRadius } from "./shapes.js";

const SAMPLES = 25;

/** Sizes: of the largest body, and of the scene at the moment of impact. */
export function sizesOf(cast) {
  const moving = cast.bodies.filter((body) => !body.fixed);
  const radius = cast.size ?? Math.max(...moving.map((body) => shapeRadius(body.shape)), 1e-9);
  const centre = [0, 1, 2].map(
    (k) => moving.reduce((sum, body) => sum + body.position[k], 0) / (moving.length || 1),
  );
  const spread = Math.max(
    ...moving.map(
      (body) =>
        Math.hypot(...body.position.map((x, k) => x - centre[k])) +
        (cast.size ?? shapeRadius(body.shape)),
    ),
  );
  return { radius, spread: Math.max(spread, radius), centre };
}

function speedOf(cast, motions) {
  return Math.max(
    0,
    ...motions.flatMap((state, i) => (cast.bodies[i].fixed ? [] : [Math.hypot(...state.velocity)])),
  );
}

/** A time in which the fastest body moves by about its own size, or the bars turn visibly. */
export function durationOf(cast, sizes, before, after) {
  if (cast.rates) {
    return cast.reach / (Math.max(cast.rates(before), cast.rates(after)) || 1);
  }
  const speed = Math.max(speedOf(cast, before), speedOf(cast, after)) || 1;
  return (1.5 * sizes.radius + 0.9 * sizes.spread) / speed;
}

// A body's places at the given times, by the library's free flight.
function freeFlight(engine, body, motion, times) {
  if (body.body.guide) {
    const along = (time) => body.position.map((x, k) => x + time * motion.velocity[k]);
    return times.map((time) => ({ position: along(time), orientation: body.orientation }));
  }
  const { states } = engine.flight({ ...body.body, ...pick(motion) }, times);
  return times.map((_, i) =>
    states.length === 0
      ? body
      : {
          position: [...states.subarray(13 * i, 13 * i + 3)],
          orientation: [...states.subarray(13 * i + 3, 13 * i + 7)],
        },
  );
}

const pick = ({ velocity, angular_velocity }) => ({ velocity, angular_velocity });

// Signed distance of a place of a body above a plane: of its lowest point.
function gapAbove(outline, { position, orientation }, { point, normal }) {
  const back = [orientation[0], ...orientation.slice(1).map((x) => -x)];
  const down = turn(back, normal); // the normal in the body's axes
  const height = position.reduce((sum, x, k) => sum + (x - point[k]) * normal[k], 0);
  const low = outline.map((p) => p[0] * down[0] + p[1] * down[1] + p[2] * down[2]);
  return height + Math.min(...low);
}

// What bodies could run into: planes of immovable bodies, and pairs of balls. { bodies, gap(places) }
function obstaclesOf(cast) {
  const outlines = cast.bodies.map(({ shape }) =>
    shape.kind === "ball" ? null : outlineOf(shape),
  );
  const planes = cast.contacts.flatMap(({ point, frame, bodies }) => {
    const ground = bodies.find((i) => cast.bodies[i].shape.kind === "ground");
    const sign = bodies[1] === ground ? 1 : -1; // the normal points into the first body
    return ground === undefined ? [] : [{ ground, point, normal: frame[2].map((x) => sign * x) }];
  });
  const moving = cast.bodies.map((_, i) => i).filter((i) => !cast.bodies[i].fixed);
  const found = [];
  for (const i of moving) {
    const { shape } = cast.bodies[i];
    for (const plane of planes) {
      const outline = outlines[i] ?? [plane.normal.map((x) => -x * shape.radius)];
      const turned = outlines[i] ? (place) => place : ({ position }) => ({ position, orientation: [1, 0, 0, 0] });
      const gap = (places) => gapAbove(outline, turned(places[i]), plane);
      found.push({ bodies: [i, plane.ground], gap });
    }
    for (const k of moving.filter((other) => other > i)) {
      const other = cast.bodies[k].shape;
      if (shape.kind === "ball" && other.kind === "ball" && !cast.rates) {
        const reach = shape.radius + other.radius;
        const gap = (places) =>
          Math.hypot(...places[i].position.map((x, n) => x - places[k].position[n])) - reach;
        found.push({ bodies: [i, k], gap });
      }
    }
  }
  return found;
}

// The first time of a flight at which bodies touch again: { time, bodies }, or null. placesAt(times): per body.
function nextTouch(obstacles, placesAt, times, depth) {
  const at = (list) => {
    const all = placesAt(list);
    return list.map((_, i) => all.map((places) => places?.[i]));
  };
  const samples = at(times);
  const first = obstacles.map(({ gap }) => Math.min(gap(samples[0]), 0));
  const enters = (places, i) => obstacles[i].gap(places) < first[i] - depth;
  for (let row = 1; row < samples.length; row++) {
    const hit = obstacles.findIndex((_, i) => enters(samples[row], i));
    if (hit >= 0) {
      let [low, high] = [times[row - 1], times[row]];
      for (let round = 0; round < 10; round++) {
        const middle = (low + high) / 2;
        [low, high] = enters(at([middle])[0], hit) ? [low, middle] : [middle, high];
      }
      return { time: low, bodies: obstacles[hit].bodies };
    }
  }
  return null;
}

/** The paths of all bodies: { bodies: [{ before: [places], after: [places] }], touch }; before runs from
 * -duration to 0. A flight ends where bodies would touch again; touch: which two, after the impact. */
export function flightsOf(engine, cast, sizes, duration, before, after) {
  const path = cast.path ?? ((body, motion, list) => freeFlight(engine, body, motion, list));
  const obstacles = obstaclesOf(cast);
  const timesTo = (end) => Array.from({ length: SAMPLES }, (_, i) => (end * i) / (SAMPLES - 1));
  const fly = (motions, end) => {
    const placesAt = (times) =>
      cast.bodies.map((body, i) => (body.fixed ? null : path(body, motions[i], times)));
    const touch = nextTouch(obstacles, placesAt, timesTo(end), 2e-3 * sizes.radius);
    return { touch, places: placesAt(timesTo(touch?.time ?? end)) };
  };
  const [back, on] = [fly(before, -duration), after && fly(after, duration)];
  return {
    touch: on?.touch ?? null,
    bodies: cast.bodies.map((body, i) =>
      body.fixed
        ? null
        : { before: [...back.places[i]].reverse(), after: on ? on.places[i] : null },
    ),
  };
}

/** The place at a share (0 to 1) of a sampled flight. */
export function placeAt(places, share) {
  const x = share * (places.length - 1);
  const i = Math.min(Math.floor(x), places.length - 2);
  const [a, b, t] = [places[i], places[i + 1], x - i];
  const mix = (p, q) => p.map((value, k) => value + (q[k] - value) * t);
  const sign =
    a.orientation.reduce((sum, value, k) => sum + value * b.orientation[k], 0) < 0 ? -1 : 1;
  const turned = mix(
    a.orientation,
    b.orientation.map((value) => sign * value),
  );
  const size = Math.hypot(...turned) || 1;
  return {
    position: mix(a.position, b.position),
    orientation: turned.map((value) => value / size),
  };
}
