// Paths of the bodies before and after the impact, sampled over a time that shows the motion well.
import { shapeRadius } from "./shapes.js";

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

/** [{ before: [places], after: [places] }] per body; before runs from -duration to 0. */
export function flightsOf(engine, cast, duration, before, after) {
  const times = Array.from({ length: SAMPLES }, (_, i) => (duration * i) / (SAMPLES - 1));
  const back = times.map((time) => -time);
  const path = cast.path ?? ((body, motion, list) => freeFlight(engine, body, motion, list));
  return cast.bodies.map((body, i) => {
    if (body.fixed) {
      return null;
    }
    return {
      before: path(body, before[i], back).reverse(),
      after: after ? path(body, after[i], times) : null,
    };
  });
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
