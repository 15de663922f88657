// The result in numbers, as `carom solve` prints it. Rounding errors are shown as 0.
import { h } from "../dom.js";
import { contactName } from "../model/events.js";
import { number, percent, settled } from "../model/format.js";
import { unitSuffix } from "../model/units.js";

const IN_FULL = 3; // more contacts get a row each

function table(caption, head, rows) {
  const [corner, ...titles] = head;
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    h(
      "table",
      {},
      h("caption", {}, caption),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          corner ? h("th", { scope: "col" }, corner) : h("td", {}),
          ...titles.map((text) => h("th", { scope: "col" }, text)),
        ),
      ),
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

// The numbers of a contact, without rounding errors.
function contactNumbers(run, i) {
  const size = run.info.planar ? 2 : 3;
  const part = (all, scale) =>
    all.slice(size * i, size * (i + 1)).map((x) => settled(x, scale));
  return {
    impulse: part(run.result.impulse, run.largest.impulse),
    before: run.info.contacts[i].contact_velocity.map((x) => settled(x, run.largest.velocity)),
    after: part(run.result.contact_velocity, run.largest.velocity),
  };
}

function contactTable(run, i) {
  const { impulse, before, after } = contactNumbers(run, i);
  const velocity = unitSuffix(run.info, "velocity");
  return table(
    run.contacts.length > 1 ? contactName(run.info, i) : "At the contact",
    ["", ...(run.info.planar ? ["t", "n"] : ["t1", "t2", "n"])],
    [
      [`impulse${unitSuffix(run.info, "impulse")}`, ...impulse],
      [`velocity before${velocity}`, ...before],
      [`velocity after${velocity}`, ...after],
    ],
  );
}

// Many contacts: a row each.
function contactsTable(run) {
  const slip = (vector) => Math.hypot(...vector.slice(0, -1));
  return table(
    `Contacts${unitSuffix(run.info, "impulse")}${unitSuffix(run.info, "velocity")}`,
    ["contact", "impulse", "normal velocity", "after", "sliding", "after"],
    run.contacts.map((_, i) => {
      const { impulse, before, after } = contactNumbers(run, i);
      const cells = [impulse.at(-1), before.at(-1), after.at(-1), slip(before), slip(after)];
      return [contactName(run.info, i), ...cells.map((x) => number(x, 4))];
    }),
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
  const head = ["", "x", "y", "z"];
  const title = (words, kind) => words + unitSuffix(run.info, kind);
  return [
    table(title("Velocity", "velocity"), head, rows("velocity")),
    table(title("Spin, angular velocity", "angular_velocity"), head, rows("angular_velocity")),
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
  const row = (name, value) => [
    name,
    settled(value, run.before),
    percent(settled(value, run.before), run.before),
  ];
  return table(
    `${run.absolute ? "Kinetic energy" : "Energy of the motion at the contact, v·W⁻¹v/2"}${unitSuffix(run.info, "energy")}`,
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
    const contacts =
      run.contacts.length > IN_FULL
        ? [contactsTable(run)]
        : run.contacts.map((_, i) => contactTable(run, i));
    const units = run.info.units ? "" : " The scene does not say its units.";
    const foot = h(
      "p",
      { class: "about" },
      `${run.info.model}, ${run.info.restitution}; estimated relative error ${number(run.result.error_estimate, 2)}.${units}`,
    );
    element.replaceChildren(energyTable(run), ...motion, ...contacts, foot);
  }

  store.on(["run", "tab"], draw);
}
