// The same impact under each law, with energies as bars; a bar beyond the line means that the law creates
// energy.
import { h } from "../dom.js";
import { list, number, percent } from "../model/format.js";
import { SLOW } from "../model/pace.js";
import { makeRun } from "../model/run.js";
import { lawOf, lawsOf, withLaw } from "../model/scene.js";

const SPAN = 1.25; // the bars cover 125 % of the energy before, or more if one needs it

function bar(run, span) {
  const { energy } = run.result;
  const share = (value) => `${(100 * Math.max(value, 0)) / run.before / span}%`;
  const after = run.before + energy.change;
  const gain = Math.max(energy.change, 0);
  return h(
    "div",
    { class: "energy-bar" },
    h("i", { class: "kinetic", style: `width:${share(after - gain)}` }),
    gain > 1e-12 * run.before ? h("i", { class: "gain", style: `width:${share(gain)}` }) : null,
    gain > 1e-12 * run.before
      ? null
      : h("i", { class: "normal", style: `width:${share(energy.normal_loss)}` }),
    gain > 1e-12 * run.before
      ? null
      : h("i", { class: "friction", style: `width:${share(energy.friction_loss)}` }),
    h("b", { style: `left:${100 / span}%`, title: "energy before" }),
  );
}

function facts(run) {
  const size = run.info.planar ? 2 : 3;
  const { result } = run;
  if (run.contacts.length > 1) {
    return [
      [
        "impulses",
        result.impulse
          .filter((_, i) => i % size === size - 1)
          .slice(0, 4)
          .map((x) => number(x, 4))
          .join(", ") + (run.contacts.length > 4 ? ", …" : ""),
      ],
      ["events", run.jumps ? "none" : String(run.events.length)],
    ];
  }
  return [
    ["parts at", number(result.contact_velocity[size - 1], 3)],
    ["slips at", number(Math.hypot(...result.contact_velocity.slice(0, size - 1)), 3)],
    ["impulse", number(result.impulse[size - 1], 3)],
  ];
}

function card({ law, run }, current, span, choose) {
  const head = h("h4", { title: law.about }, law.title);
  if (!run.ok) {
    return h("article", { class: "law failed" }, head, h("p", {}, run.message || run.status));
  }
  const left = run.before + run.result.energy.change;
  const gain = run.status === "energy_gain";
  return h(
    "article",
    {
      class: `law${gain ? " gain" : ""}${current ? " current" : ""}`,
      "data-law": law.id,
      "data-share": left / run.before,
    },
    head,
    bar(run, span),
    h(
      "p",
      { class: "share" },
      h("strong", {}, percent(left, run.before)),
      gain ? ": more energy than before!" : " of the energy left",
    ),
    h("dl", {}, ...facts(run).flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
    h(
      "button",
      { type: "button", disabled: current, onclick: () => choose(law) },
      current ? "Shown above" : "Show this one",
    ),
  );
}

// A sentence about laws that create energy.
function verdict(all) {
  const gains = all.filter(({ run }) => run.status === "energy_gain");
  if (gains.length === 0) {
    return h("p", { class: "verdict" }, "No law creates energy in this impact.");
  }
  const names = gains.map(
    ({ law, run }) => `${law.title} (+${percent(run.result.energy.change, run.before)})`,
  );
  const words = `Creates energy from nothing: ${list(names)}. No real impact does.`;
  return h("p", { class: "verdict gain" }, words);
}

function legend(gain) {
  const kinds = [
    ["kinetic", "energy after"],
    ["normal", "lost in the bounce"],
    ["friction", "lost to friction"],
    ...(gain ? [["gain", "created from nothing"]] : []),
    ["line", "energy before (100 %)"],
  ];
  return h(
    "ul",
    { class: "legend" },
    ...kinds.map(([kind, text]) => h("li", { class: kind }, h("i", { "aria-hidden": "true" }), text)),
  );
}

export function createCompare(store, engine, solver, element) {
  const busy = (is) => element.setAttribute("aria-busy", String(is));

  // Slow scenes are compared in the worker.
  async function update({ run, tab, scene }) {
    busy(false);
    if (tab !== "compare") {
      return;
    }
    if (!run.info) {
      element.replaceChildren();
      return;
    }
    const laws = lawsOf(scene);
    const scenes = laws.map((law) => withLaw(scene, law));
    if (run.scene === scene && run.took * laws.length < SLOW) {
      draw(
        scene,
        scenes.map((one) => makeRun(engine, one)),
      );
      return;
    }
    element.replaceChildren(h("p", { class: "about" }, "Computing…"));
    if (run.scene !== scene) {
      return; // its answer is pending
    }
    busy(true);
    const runs = await solver.solve(scenes);
    if (runs && scene === store.state.scene) {
      draw(scene, runs);
      busy(false);
    }
  }

  function draw(scene, runs) {
    const all = lawsOf(scene).map((law, i) => ({ law, run: runs[i] }));
    const most = Math.max(
      ...all
        .filter(({ run: one }) => one.ok)
        .map(({ run: one }) => 1 + one.result.energy.change / one.before),
    );
    const span = Math.max(SPAN, 1.1 * most);
    const choose = (law) => store.set({ scene: withLaw(store.state.scene, law) });
    const now = lawOf(scene);
    element.replaceChildren(
      verdict(all),
      legend(all.some(({ run: one }) => one.status === "energy_gain")),
      h(
        "div",
        { class: "laws" },
        ...all.map((entry) => card(entry, entry.law === now, span, choose)),
      ),
      h(
        "p",
        { class: "about" },
        scene.contacts.length > 1
          ? "The same impact with springs, whose stiffnesses decide which contact acts when, and without: the rigid law gives velocities and impulses at once."
          : "The same impact, computed with each law. Newton's and Poisson's were made for straight impacts; with friction they can end with more energy than there was. Change μ and e and watch the bars.",
      ),
    );
  }

  store.on(["run", "tab"], update);
}
