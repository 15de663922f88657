// The events of an impact in words, and the intervals between them.
import { settled } from "./format.js";
import { quantity } from "./units.js";

export function contactName(info, index) {
  return pairOf(info, index)?.join(" – ") ?? `contact ${index}`;
}

/** The names of the two bodies at a contact, or null. */
export function pairOf(info, index) {
  const { bodies } = info.contacts[index];
  return bodies ? bodies.map((i) => info.bodies[i].name) : (info.pairs?.[index] ?? null);
}

/** One line of the list of events, in the program's words; with several contacts it names the contact. */
export function eventWords(event, run) {
  const { words } = event;
  return run.info.contacts.length > 1 ? `${contactName(run.info, event.contact)}: ${words}` : words;
}

/** How a single contact starts, in the program's words; "" if an event says it. */
export function startWords(run) {
  const touch = "the bodies touch";
  const said = run.events[0]?.clock === 0 && /^(stick|slip)$/.test(run.events[0].event);
  return said ? "" : run.result.start ? `${touch}; the contact ${run.result.start}` : `${touch}, without slip`;
}

const LETTERS = {
  l: "straight slip",
  s: "slip stops",
  c: "compression ends",
  r: "the bodies separate",
};

/** The sequence of events of a single contact, or of states of two, in words and as its name. */
export function sequenceWords({ result, info }) {
  const { sequence } = result;
  if (!sequence) {
    return null;
  }
  if (info.contacts.length === 1) {
    return { words: [...sequence].map((letter) => LETTERS[letter] ?? letter), name: sequence };
  }
  const names = [0, 1].map((i) => contactName(info, i));
  const states = {
    S1: "both contacts act",
    S2: `only ${names[1]}`,
    S3: `only ${names[0]}`,
    S4: "none",
  };
  const all = sequence.split(/[\s-]+/).filter(Boolean);
  return { words: all.map((state) => states[state] ?? state), name: sequence };
}

/** What each contact of a run without a process does: [{ acts, words }]. */
export function outcomesOf(run) {
  const size = run.info.planar ? 2 : 3;
  return run.contacts.map((_, i) => {
    const part = (all, kind) =>
      all.slice(i * size, (i + 1) * size).map((x) => settled(x, run.largest[kind]));
    const impulse = part(run.result.impulse, "impulse");
    const after = part(run.result.contact_velocity, "velocity");
    const [acts, slip] = [impulse.at(-1) > 0, Math.hypot(...after.slice(0, -1))];
    const speed = (value) => quantity(run.info, "velocity", value);
    const rest = run.info.contacts[i].mu > 0 ? "sticks" : "no slip";
    const slides = slip > 0 ? `slips at ${speed(slip)}` : rest;
    const end = after.at(-1) > 0 ? `parts at ${speed(after.at(-1))}` : "stays closed";
    const said = acts
      ? `impulse ${quantity(run.info, "impulse", impulse.at(-1))}, ${slides}, ${end}`
      : `no impulse, ${end}`;
    return { acts, words: `${contactName(run.info, i)}: ${said}` };
  });
}

// Intervals of one mode at a contact, [{ from, to, kind }], kind: slip, stick or open. From the sampled
// modes, with borders moved to the events.
export function modeStretches(run, index) {
  const kinds = ["slip", "stick", "open"];
  const { mode } = run.contacts[index];
  const borders = run.events.filter((event) => event.contact === index).map((event) => event.clock);
  const stretches = [];
  for (let i = 0; i + 1 < run.rows; i++) {
    const kind = kinds[mode[i]];
    if (stretches.length === 0 || stretches.at(-1).kind !== kind) {
      stretches.push({ from: i === 0 ? 0 : snap(run.clock[i], borders, run), to: run.end, kind });
      if (stretches.length > 1) {
        stretches.at(-2).to = stretches.at(-1).from;
      }
    }
  }
  return stretches;
}

function snap(clock, borders, run) {
  const step = run.end / (run.rows - 1);
  return borders.find((border) => border <= clock && clock - border <= 1.001 * step) ?? clock;
}

// Intervals of compression and restitution at a contact, from its events.
export function phaseStretches(run, index) {
  const next = {
    compression_end: "restitution",
    compression_restart: "compression",
    restitution_end: "open",
    activation: "compression",
    latch: "held",
    release: "open",
  };
  const own = run.events.filter((event) => event.contact === index && next[event.event]);
  let kind = run.info.contacts.length > 1 ? "open" : "compression";
  let from = 0;
  const stretches = [];
  for (const event of own) {
    if (event.clock > from) {
      stretches.push({ from, to: event.clock, kind });
    }
    from = event.clock;
    kind = next[event.event];
  }
  if (from < run.end) {
    stretches.push({ from, to: run.end, kind });
  }
  return stretches;
}

/** Many contacts together: the intervals in which most of those that act are compressed, or give way. */
export function commonStretches(run) {
  const STEPS = 120;
  const all = run.contacts.map((_, i) => phaseStretches(run, i));
  const kindAt = (clock) => {
    const kinds = all.map((list) => list.find(({ to }) => clock < to)?.kind ?? "open");
    const count = (kind) => kinds.filter((one) => one === kind).length;
    const order = ["compression", "restitution", "held"];
    const most = order.reduce((a, b) => (count(b) > count(a) ? b : a));
    return count(most) > 0 ? most : "open";
  };
  const stretches = [];
  for (let i = 0; i < STEPS; i++) {
    const [from, to] = [(run.end * i) / STEPS, (run.end * (i + 1)) / STEPS];
    const kind = kindAt((from + to) / 2);
    if (stretches.at(-1)?.kind === kind) {
      stretches.at(-1).to = to;
    } else {
      stretches.push({ from, to, kind });
    }
  }
  return stretches;
}
