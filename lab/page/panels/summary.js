// The outcome in a sentence, or the reason why there is none.
import { byId } from "../dom.js";
import { pairOf } from "../model/events.js";
import { list, number, percent, settled } from "../model/format.js";

function single(run) {
  const pair = pairOf(run.info, 0);
  const size = run.info.planar ? 2 : 3;
  const before = run.info.contacts[0].contact_velocity[size - 1];
  const after = run.result.contact_velocity[size - 1];
  const parts = pair ? `${pair[0]} and ${pair[1]} meet` : "The bodies meet";
  const slip = Math.hypot(...run.result.contact_velocity.slice(0, size - 1));
  const end =
    settled(slip, Math.hypot(...run.contacts[0].first)) === 0
      ? "without slip"
      : `slipping at ${number(slip, 3)}`;
  return `${parts} at ${number(-before, 3)} (normal speed) and part at ${number(after, 3)}, ${end}.`;
}

function several(run) {
  const acted = new Set(run.events.map((event) => event.contact)).size;
  const moving = (run.result.bodies ?? []).filter((_, i) => run.info.bodies[i].mass !== "infinite");
  const speeds = moving.map((body) => `${body.name} ${number(Math.hypot(...body.velocity), 3)}`);
  const after =
    moving.length > 0 && moving.length <= 5 ? ` Speeds afterwards: ${list(speeds)}.` : "";
  return `${run.contacts.length} contacts, ${acted} of them act, ${run.events.length} events.${after}`;
}

function energy(run) {
  const { change, friction_loss, normal_loss } = run.result.energy;
  if (run.status === "energy_gain") {
    return `The law creates energy: ${percent(change, run.before)} more than before. No real impact does.`;
  }
  if (Math.abs(change) < 1e-9 * run.before) {
    return "No energy is lost.";
  }
  return `${percent(run.before + change, run.before)} of the energy is left; friction took ${percent(friction_loss, run.before)}, the bounce ${percent(normal_loss, run.before)}.`;
}

/** Plain text, also for screen readers. */
function summaryOf(run) {
  const text = `${run.info.contacts.length > 1 ? several(run) : single(run)} ${energy(run)}`;
  return text[0].toUpperCase() + text.slice(1);
}

// Introduces the program's message; messages about bad input name the field and need no introduction.
const statuses = {
  not_approaching: "The bodies do not approach each other, so there is no impact",
  invalid_input: "",
  not_converged: "No answer was found for this scene",
};

export function createSummary(store) {
  const [summary, alert, about] = [byId("summary"), byId("alert"), byId("about-scene")];

  function draw({ run, problem }) {
    const told = [statuses[run.status] ?? run.status, run.message].filter(Boolean).join(": ");
    const text = problem || (run.ok ? "" : told);
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
