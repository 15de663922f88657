// The outcome in a sentence, or the reason why there is none.
import { byId, h } from "../dom.js";
import { outcomesOf, pairOf } from "../model/events.js";
import { list, percent, settled } from "../model/format.js";
import { quantity } from "../model/units.js";

function single(run) {
  const pair = pairOf(run.info, 0);
  const size = run.info.planar ? 2 : 3;
  const speed = (value) => quantity(run.info, "velocity", value);
  const before = run.info.contacts[0].contact_velocity[size - 1];
  const after = settled(run.result.contact_velocity[size - 1], run.largest.velocity);
  const parts = pair ? `${pair[0]} and ${pair[1]} meet` : "The bodies meet";
  const slip = Math.hypot(...run.result.contact_velocity.slice(0, size - 1));
  const end =
    settled(slip, run.largest.velocity) === 0 ? "without slip" : `slipping at ${speed(slip)}`;
  return `${parts} at ${speed(-before)} (normal speed) and part at ${speed(after)}, ${end}.`;
}

function several(run) {
  const acted = run.jumps
    ? outcomesOf(run).filter(({ acts }) => acts).length
    : new Set(run.events.map((event) => event.contact)).size;
  const moving = (run.result.bodies ?? []).filter((_, i) => run.info.bodies[i].mass !== "infinite");
  const speeds = moving.map(
    (body) => `${body.name} ${quantity(run.info, "velocity", Math.hypot(...body.velocity))}`,
  );
  const after =
    moving.length > 0 && moving.length <= 5 ? ` Speeds afterwards: ${list(speeds)}.` : "";
  const course = run.jumps ? "all at once" : `${run.events.length} events`;
  return `${run.contacts.length} contacts, ${acted} of them act, ${course}.${after}`;
}

function energy(run) {
  const { change, friction_loss, normal_loss } = run.result.energy;
  if (run.status === "energy_gain") {
    return `The law creates energy: ${percent(change, run.before)} more than before. No real impact does.`;
  }
  if (Math.abs(change) < 1e-9 * run.before) {
    return "No energy is lost.";
  }
  const share = (value) => percent(settled(value, run.before), run.before);
  return `${share(run.before + change)} of the energy is left; friction took ${share(friction_loss)}, the bounce ${share(normal_loss)}.`;
}

/** Plain text, also for screen readers. */
function summaryOf(run) {
  const text = `${run.info.contacts.length > 1 ? several(run) : single(run)} ${energy(run)}`;
  return text[0].toUpperCase() + text.slice(1);
}

// Plain words for a run without a result. Messages about bad input name the field and need no introduction.
function failureOf({ status, message, info }) {
  if (status === "not_approaching") {
    const several = info?.contacts.length > 1;
    return `The bodies do not approach each other${several ? " at any contact" : ""}, so there is no impact. Point a velocity at the other body.`;
  }
  if (status === "no_solution") {
    return `This law has no answer here: ${message.replace(/^contacts: /, "")}. Choose another law.`;
  }
  const words = { invalid_input: "", not_converged: "No answer was found for this scene" };
  return [words[status] ?? status, message].filter(Boolean).join(": ");
}

export function createSummary(store) {
  const [summary, alert, about] = [byId("summary"), byId("alert"), byId("about-scene")];
  const notice = byId("notice");

  function draw({ run, problem }) {
    const text = problem || (run.ok ? "" : failureOf(run));
    alert.hidden = !text;
    alert.textContent = text;
    summary.classList.toggle("gain", run.status === "energy_gain");
    summary.textContent = run.ok ? summaryOf(run) : "";
    byId("canvas").setAttribute(
      "aria-label",
      `The bodies in three dimensions. ${summary.textContent || text}`,
    );
  }

  // Show that the text continues.
  function tellMore() {
    about.classList.toggle("more", about.scrollHeight > about.clientHeight + 2);
  }

  store.on(["run", "problem"], draw);
  store.on(["notice"], ({ notice: said }) => {
    notice.hidden = !said;
    notice.replaceChildren(
      ...(said
        ? [`${said.text} `, h("button", { type: "button", onclick: said.act }, said.title)]
        : []),
    );
  });
  about.addEventListener("click", () =>
    about.setAttribute("aria-expanded", String(about.getAttribute("aria-expanded") !== "true")),
  );
  store.on(["base"], ({ base }) => {
    about.setAttribute("aria-expanded", "false");
    about.textContent = base.description ?? base.name ?? "";
    tellMore();
  });
  new ResizeObserver(tellMore).observe(about);
}
