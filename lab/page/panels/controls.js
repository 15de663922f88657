// The sliders. Rebuilt when the structure of the scene changes; otherwise they follow its values.
import { h } from "../dom.js";
import { number } from "../model/format.js";
import { contactName } from "../model/events.js";
import {
  bodyControls,
  contactControls,
  geometryControls,
  get,
  lawOf,
  lawsOf,
  motionGroups,
  withControl,
  withLaw,
} from "../model/scene.js";
import { unitOf } from "../model/units.js";

const STEPS = 1000;

// Between slider position and value; logarithmic for ratios.
function toStep(control, value) {
  const { min, max } = control;
  const x = control.log
    ? Math.log(Math.max(value, min) / min) / Math.log(max / min)
    : (value - min) / (max - min);
  return Math.round(STEPS * Math.min(Math.max(x, 0), 1));
}

function fromStep(control, step) {
  const { min, max } = control;
  const x = step / STEPS;
  const value = control.log ? min * (max / min) ** x : min + (max - min) * x;
  return Number(value.toPrecision(control.log ? 3 : 4));
}

function valueOf(scene, control) {
  const value = get(scene, control.paths[0]);
  return typeof value === "number" ? value : control.fallback;
}

// One slider with a field for the exact number.
function slider(store, control, info) {
  const change = (value) => store.set({ scene: withControl(store.state.scene, control, value) });
  const range = h("input", {
    type: "range",
    min: 0,
    max: STEPS,
    step: 1,
    "aria-label": control.title,
    "data-control": control.id,
  });
  const field = h("input", {
    type: "number",
    step: "any",
    "aria-label": `${control.title}, exact value`,
    "data-field": control.id,
  });
  range.addEventListener("input", () => change(fromStep(control, Number(range.value))));
  field.addEventListener("change", () => {
    last = null; // an entry that is not a number is replaced by the last value
    if (Number.isFinite(field.valueAsNumber)) {
      change(field.valueAsNumber);
    }
    follow(store.state.scene);
  });
  const row = h(
    "div",
    { class: "slider" },
    h(
      "span",
      { class: "name", title: control.about },
      control.title,
      control.unit && unitOf(info, control.unit)
        ? h("small", {}, ` ${unitOf(info, control.unit)}`)
        : null,
    ),
    range,
    field,
  );
  let last = null;
  const follow = (scene) => {
    const value = valueOf(scene, control);
    if (value === last) {
      return;
    }
    last = value;
    range.value = toStep(control, value);
    range.setAttribute("aria-valuetext", number(value));
    const small = value !== 0 && Math.abs(value) < 1e-3; // few digits would fit the field
    field.value = small ? value.toExponential(3) : String(Number(value.toPrecision(4)));
    field.title = String(value);
  };
  return { row, follow };
}

// Arrow keys move within a group, as in native radio groups.
function chooseByKey(event, buttons) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (step) {
    const at = buttons.indexOf(event.target) + step + buttons.length;
    const next = buttons[at % buttons.length];
    next.focus();
    next.click();
    event.preventDefault();
  }
}

function lawChoice(store, scene) {
  const [now, all] = [lawOf(scene), lawsOf(scene)];
  const buttons = all.map((law) =>
    h(
      "button",
      {
        type: "button",
        role: "radio",
        "aria-checked": String(law === now),
        tabindex: law === (now ?? all[0]) ? 0 : -1,
        title: law.about,
        "data-law": law.id,
        onclick: () => store.set({ scene: withLaw(store.state.scene, law) }),
      },
      law.title,
    ),
  );
  return h(
    "div",
    {},
    h("h3", {}, "Law of the bounce"),
    h(
      "div",
      {
        class: "choice",
        role: "radiogroup",
        "aria-label": "Law of the bounce",
        onkeydown: (event) => chooseByKey(event, buttons),
      },
      ...buttons,
    ),
    h("p", { class: "about" }, now?.about ?? ""),
  );
}

// Choice of the contact or body that the sliders below belong to.
function chooser(label, names, value, choose) {
  const select = h(
    "select",
    { "aria-label": label, onchange: (event) => choose(event.target.value) },
    ...names.map(([id, name]) =>
      h("option", { value: id, selected: String(id) === String(value) }, name),
    ),
  );
  return h("label", { class: "chooser" }, h("span", {}, label), select);
}

export function createControls(store, history, element) {
  let followers = [];
  let shape = "";
  let opened = innerHeight > 1200; // the part about masses and geometry

  function sliders(controls) {
    const made = controls.map((control) => slider(store, control, store.state.run.info));
    followers.push(...made.map((entry) => entry.follow));
    return made.map((entry) => entry.row);
  }

  function contactPart(scene, run) {
    const { contact } = store.state;
    const names = [
      ["all", "all contacts"],
      ...scene.contacts.map((_, i) => [
        i,
        `${i}: ${run.info ? contactName(run.info, i) : "contact"}`,
      ]),
    ];
    return [
      h("h3", {}, "Surface"),
      scene.contacts.length > 1
        ? chooser("Contact", names, contact ?? "all", (id) =>
            store.set({ contact: id === "all" ? null : Number(id) }),
          )
        : null,
      ...sliders(contactControls(scene, scene.contacts.length > 1 ? contact : 0)),
    ];
  }

  function motionPart(scene) {
    const groups = motionGroups(scene, store.state.base);
    const chosen = Math.min(store.state.body, groups.length - 1);
    const names = groups.map((group, i) => [i, group.title]);
    return [
      h("h3", {}, groups.length === 1 ? `Motion before: ${groups[0].title}` : "Motion before"),
      groups.length > 1
        ? chooser("Body", names, chosen, (id) => store.set({ body: Number(id) }))
        : null,
      ...(groups[chosen] ? sliders(groups[chosen].controls) : []),
    ];
  }

  // Masses, moments, stiffnesses and normals, folded away: of the chosen body and contact.
  function otherPart(scene, run) {
    const { base, contact, body } = store.state;
    const group = motionGroups(scene, base)[body];
    const index = scene.contacts.length > 1 ? contact : 0;
    const name = (i) => (run.info ? contactName(run.info, i) : `contact ${i}`);
    const controls = [
      ...bodyControls(scene, base, group?.body),
      ...geometryControls(scene, index, name),
    ];
    const about =
      scene.contacts.length > 1 && index === null && scene.bodies
        ? h("p", { class: "about" }, "Choose a contact above to change its normal.")
        : null;
    const details = h(
      "details",
      { class: "more", open: opened },
      h("summary", {}, scene.bodies ? "Mass, inertia, geometry" : "Stiffness"),
      ...[...sliders(controls), about].filter(Boolean),
    );
    details.addEventListener("toggle", () => (opened = details.open));
    return controls.length > 0 ? details : null;
  }

  function build({ scene, run }) {
    followers = [];
    const step = (id, sign, title, act) =>
      h("button", { type: "button", id, title, "aria-label": title, onclick: act }, sign);
    const undo = step("undo", "↶", "Undo (Ctrl+Z)", history.undo);
    const redo = step("redo", "↷", "Redo (Ctrl+Y)", history.redo);
    const reset = h(
      "button",
      { type: "button", id: "reset", onclick: () => store.set({ scene: store.state.base }) },
      "Reset",
    );
    element.replaceChildren(
      ...[
        h("div", { class: "heading" }, h("h2", {}, "Change it"), undo, redo, reset),
        ...contactPart(scene, run),
        lawChoice(store, scene),
        ...motionPart(scene),
        otherPart(scene, run),
      ].filter(Boolean),
    );
  }

  // A key that changes when other sliders are needed.
  const shapeOf = ({ scene, base, contact, body }) =>
    JSON.stringify([
      scene.contacts.length,
      scene.model,
      scene.restitution,
      contact,
      body,
      base.name,
    ]);

  function update(state) {
    // keep the sliders until the run of the new scene arrives
    element.inert = !state.run.info && state.base !== update.base;
    if (element.inert) {
      return;
    }
    const next = shapeOf(state);
    if (next !== shape || state.base !== update.base) {
      const { control, law } = document.activeElement?.dataset ?? {};
      shape = next;
      update.base = state.base;
      build(state);
      const focused = control ? `[data-control="${control}"]` : `[data-law="${law}"]`;
      element.querySelector(focused)?.focus();
    }
    followers.forEach((follow) => follow(state.scene));
    able(state);
  }

  function able({ scene, base, canUndo, canRedo }) {
    const able = { reset: scene !== base, undo: canUndo, redo: canRedo };
    for (const [id, is] of Object.entries(able)) {
      const button = element.querySelector(`#${id}`);
      if (button) {
        button.disabled = !is;
      }
    }
  }

  store.on(["run", "contact", "body"], update);
  store.on(["canUndo", "canRedo"], able);
  // at once, even if the answer takes long
  store.on(["scene"], ({ scene, base }) => {
    if (base === update.base) {
      followers.forEach((follow) => follow(scene));
      able(store.state);
    }
  });
}
