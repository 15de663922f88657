// The timeline under the picture: play, pause, slow motion, scrubbing, and the parts of the impact.
import { byId, h, reuse } from "../dom.js";
import { END, clockAt, partOf, place, placeOfClock } from "../model/cursor.js";
import { commonStretches, modeStretches, phaseStretches } from "../model/events.js";
import { number } from "../model/format.js";
import { quantity } from "../model/units.js";

// Duration of each third of the timeline at full speed, in seconds; a run without a process rests only.
const SECONDS = [1.3, 4, 1.6];
const REST = 1.5;

export function createTimeline(store) {
  const [play, scrub, speed, parts, phase] = ["play", "scrub", "speed", "parts", "phase"].map(byId);
  let last = null;

  function toggle() {
    const playing = !store.state.playing;
    const atEnd = store.state.cursor >= END - 1e-9;
    store.set(playing && atEnd ? { playing, cursor: 0 } : { playing });
  }

  function tick(now) {
    if (!store.state.playing) {
      last = null;
      return;
    }
    const seconds = last === null ? 0 : Math.min((now - last) / 1000, 0.1);
    last = now;
    const third = Math.min(Math.floor(store.state.cursor), 2);
    const whole = third === 1 && store.state.run.jumps ? REST : SECONDS[third];
    const cursor = Math.min(store.state.cursor + (seconds * store.state.speed) / whole, END);
    store.set({ cursor, playing: cursor < END });
    requestAnimationFrame(tick);
  }

  function drawParts(run) {
    reuse(parts, h, run.ok && !run.jumps ? strip(run) : []);
    byId("impact-end").textContent = run.jumps ? ", at once" : ", stretched";
  }

  play.addEventListener("click", toggle);
  scrub.addEventListener("input", () =>
    store.set({ cursor: Number(scrub.value), playing: false, hover: null }),
  );
  speed.addEventListener("change", () => store.set({ speed: Number(speed.value) }));
  store.on(["playing"], ({ playing }) => {
    play.setAttribute("aria-label", playing ? "Pause" : "Play");
    play.dataset.playing = playing;
    if (playing) {
      requestAnimationFrame(tick);
    }
  });
  store.on(["cursor", "run"], ({ cursor, run }) => {
    scrub.value = cursor;
    scrub.setAttribute("aria-valuetext", placeWords(cursor, run));
  });
  store.on(["cursor", "hover", "run", "saying"], (state) => {
    phase.textContent = state.saying ?? placeWords(place(state), state.run);
  });
  store.on(["run"], ({ run }) => drawParts(run));
  return { toggle };
}

const LANES = 8; // contacts that have a lane each

// One contact: compression and restitution above, slip and stick below. Several: the phases of each, or of
// many what most of those that act do.
function strip(run) {
  const share = (clock) => `${(100 * (placeOfClock(clock, run) / 3)).toFixed(3)}%`;
  const piece = ({ from, to, kind }, lane, lanes) => {
    const left = share(from);
    const part = 100 / lanes;
    const place = `top:${(lane * part).toFixed(2)}%;height:${part.toFixed(2)}%`;
    const style = `left:${left};width:calc(${share(to)} - ${left});${place}`;
    return ["i", { class: kind, style }];
  };
  const tick = (event) => ["b", { style: `left:${share(event.clock)}` }];
  const count = run.info.contacts.length;
  const lanes =
    count === 1
      ? [phaseStretches(run, 0), modeStretches(run, 0)]
      : count <= LANES
        ? run.contacts.map((_, i) => phaseStretches(run, i))
        : [commonStretches(run)];
  const pieces = lanes.flatMap((stretches, lane) =>
    stretches
      .filter(({ kind }) => kind !== "open")
      .map((stretch) => piece(stretch, lane, lanes.length)),
  );
  return [...pieces, ...(count <= LANES ? run.events.map(tick) : [])];
}

function placeWords(cursor, run) {
  const part = partOf(cursor);
  if (part !== "impact") {
    return part === "before" ? "before the impact" : "after the impact";
  }
  if (run.jumps) {
    return "the impact: all velocities jump at once";
  }
  const clock = clockAt(cursor, run);
  const end = quantity(run.info, "impulse", run.end ?? 0, 4);
  return `impact: p = ${number(clock)} of ${end}`;
}
