// The events of an impact in words, and the intervals between them.
import { number } from "./format.js";

export function contactName(info, index) {
  return pairOf(info, index)?.join(" – ") ?? `contact ${index}`;
}

/** The names of the two bodies at a contact, or null. */
export function pairOf(info, index) {
  const { bodies } = info.contacts[index];
  return bodies ? bodies.map((i) => info.bodies[i].name) : (info.pairs?.[index] ?? null);
}

// The name of an event, as in the program.
function kindWords(event, compliant) {
  const start = event.clock === 0;
  const words = {
    compression_end: `compression ends, energy ${number(event.stored, 4)} stored`,
    compression_restart: "compression starts again",
    restitution_end: "the bodies separate",
    activation: start ? "acts from the start" : "touches again",
    latch: "stays in touch",
    release: "lets go",
    stick: start ? "sticks from the start" : "slip stops: the contact sticks",
    slip: start
      ? "starts to slip"
      : compliant
        ? "stick ends: the contact slips"
        : "slip stops and resumes in a new direction",
  };
  return words[event.event] ?? event.event;
}

// One line of the list of events; with several contacts it names the contact.
export function eventWords(event, run) {
  const words = kindWords(event, run.result.model === "compliant");
  return run.info.contacts.length > 1 ? `${contactName(run.info, event.contact)}: ${words}` : words;
}

// The start of a single contact, which is not an event.
export function startWords(run) {
  if (run.info.contacts.length > 1) {
    return "";
  }
  const [first, contact] = [run.events[0], run.contacts[0]];
  if (first && first.clock === 0 && (first.event === "stick" || first.event === "slip")) {
    return "";
  }
  const slips = Math.hypot(contact.first[0], contact.first[1]) > 0 && contact.mode[0] === 0;
  if (slips && run.info.contacts[0].mu === 0) {
    return "the bodies touch and slip, without friction";
  }
  return slips ? "the bodies touch; the contact slips" : "the bodies touch, without slip";
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
