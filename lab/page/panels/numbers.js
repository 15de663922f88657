// The result in numbers, as `carom solve` prints it.
import { h } from "../dom.js";
import { contactName } from "../model/events.js";
import { number, percent } from "../model/format.js";

function table(caption, head, rows) {
  return h(
    "div",
    { class: "scroll" },
    h(
      "table",
      {},
      h("caption", {}, caption),
      h("thead", {}, h("tr", {}, ...head.map((text) => h("th", { scope: "col" }, text)))),
      h(
        "tbody",
        {},
        ...rows.map(([name, ...cells]) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, name),
            ...cells.map((cell) => h("td", {}, typeof cell === "number" ? number(cell, 7) : cell)),
          ),
        ),
      ),
    ),
  );
}

function contactTable(run, i) {
  const size = run.info.planar ? 2 : 3;
  const part = (all) => all.slice(size * i, size * (i + 1));
  return table(
    run.contacts.length > 1 ? contactName(run.info, i) : "At the contact",
    ["", ...(run.info.planar ? ["t", "n"] : ["t1", "t2", "n"])],
    [
      ["impulse", ...part(run.result.impulse)],
      ["velocity before", ...run.info.contacts[i].contact_velocity],
      ["velocity after", ...part(run.result.contact_velocity)],
    ],
  );
}

function bodyTables(run) {
  const moving = run.info.bodies
    .map((body, i) => [body, run.result.bodies[i]])
    .filter(([body]) => body.mass !== "infinite");
  const rows = (key) =>
    moving.flatMap(([body, after]) => [
      [`${body.name}, before`, ...body[key]],
      [`${body.name}, after`, ...after[key]],
    ]);
  return [
    table("Velocity", ["", "x", "y", "z"], rows("velocity")),
    table("Spin (angular velocity)", ["", "x", "y", "z"], rows("angular_velocity")),
  ];
}

function speedTable(run) {
  return table(
    "Generalised speeds",
    ["", "before", "after"],
    run.info.velocity.map((before, i) => [`u[${i}]`, before, run.result.velocity[i]]),
  );
}

function energyTable(run) {
  const { energy } = run.result;
  const row = (name, value) => [name, value, percent(value, run.before)];
  return table(
    run.absolute ? "Kinetic energy" : "Energy of the motion at the contact (v·W⁻¹v/2)",
    ["", "energy", "share"],
    [
      row("before", run.before),
      row("after", run.before + energy.change),
      row("lost to friction", energy.friction_loss),
      row("lost in the bounce", energy.normal_loss),
    ],
  );
}

export function createNumbers(store, element) {
  function draw({ run, tab }) {
    if (tab !== "numbers") {
      return;
    }
    if (!run.ok) {
      element.replaceChildren();
      return;
    }
    const motion = run.result.bodies
      ? bodyTables(run)
      : run.result.velocity
        ? [speedTable(run)]
        : [];
    const contacts = run.contacts.map((_, i) => contactTable(run, i));
    const foot = h(
      "p",
      { class: "about" },
      `${run.info.model}, ${run.info.restitution}; estimated relative error ${number(run.result.error_estimate, 2)}. Units are those of the scene.`,
    );
    element.replaceChildren(energyTable(run), ...motion, ...contacts, foot);
  }

  store.on(["run", "tab"], draw);
}
