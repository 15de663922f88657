// The picture: follows the state of the page; its arrows can be dragged.
import * as THREE from "three";
import { byId, h, reuse } from "../dom.js";
import { place } from "../model/cursor.js";
import { castOf } from "./cast.js";
import { Drag } from "./drag.js";
import { Figure } from "./figure.js";
import { drawLabels, placeLabels } from "./labels.js";
import { Stage, dispose } from "./stage.js";

function hint(handles) {
  const touch = matchMedia("(pointer: coarse)").matches;
  const arrows = touch ? "drag ○ to change an arrow" : "drag a round end ○ of an arrow to change it";
  const turn = `Drag to turn, ${touch ? "pinch" : "scroll"} to zoom`;
  return `${turn}${handles ? `; ${arrows}` : ""}.`;
}

function colorsNow() {
  const style = getComputedStyle(document.documentElement);
  const read = (name) => new THREE.Color(style.getPropertyValue(name).trim());
  return {
    view: read("--view"),
    velocity: read("--velocity"),
    spin: read("--spin"),
    impulse: read("--impulse"),
    ground: read("--ground"),
    line: read("--ground-line"),
    fixed: read("--fixed"),
    bodies: ["--body-0", "--body-1", "--body-2", "--body-3", "--body-4"].map(read),
  };
}

// View direction: from above for many bodies in a plane, else from slightly above.
function directionFor(cast) {
  const moving = cast.bodies.filter((body) => !body.fixed);
  const level =
    Math.max(...moving.map((body) => body.position[2])) -
    Math.min(...moving.map((body) => body.position[2]));
  const wide =
    Math.max(...moving.map((body) => body.position[1])) -
    Math.min(...moving.map((body) => body.position[1]));
  if (moving.length > 3 && wide > 4 * level) {
    return [-0.35, -0.7, 1.1];
  }
  return moving.length > 3 ? [-0.15, -1, 0.35] : [-0.3, -1, 0.4];
}

// Margins that text over the picture takes, in pixels.
function margins() {
  const [key, hint] = [byId("key"), byId("hint")];
  return { top: key.offsetTop + key.offsetHeight + 4, bottom: hint.offsetHeight + 12, side: 14 };
}

const fontScale = () => parseFloat(getComputedStyle(document.documentElement).fontSize) / 14;

// The height of a horizontal floor below everything, or null.
function floorOf({ contacts, bodies }) {
  const floor = contacts.find(
    ({ bodies: [, second], frame }) => bodies[second].shape.kind === "ground" && frame[2][2] > 0.999,
  );
  return floor ? floor.point[2] : null;
}

function startStage(canvas, options) {
  try {
    return new Stage(canvas, options);
  } catch {
    return null;
  }
}

// A key that changes when other meshes are needed: with the bodies, not with velocities or coefficients.
function shapeOf({ base, look }, info) {
  const bodies = info.bodies?.map((body) => [body.mass, body.inertia, body.position]);
  return JSON.stringify([base.name, look, info.source, info.contacts.length, bodies]);
}

class View {
  constructor(store, engine, canvas) {
    Object.assign(this, { store, engine, figure: null, used: false });
    this.stage = startStage(canvas, { onDraw: () => this.#labels(), margins });
    const handles = () => this.figure?.handles() ?? [];
    this.drag = this.stage && new Drag(store, this.stage, { handles, onUse: () => this.#use() });
  }

  #use() {
    this.used = true;
    this.#tell();
  }

  // The hint is shown until the picture is first used.
  #tell() {
    const handles = this.figure?.handles().length > 0;
    const texts = [this.figure?.note(), this.used ? "" : hint(handles)].filter(Boolean);
    reuse(byId("hint"), h, texts.map((text) => ["span", {}, text]));
    byId("axis-label").hidden = !handles;
  }

  #legend() {
    const items = this.figure.legend();
    const shown = JSON.stringify(items);
    if (shown !== this.shown) {
      this.shown = shown;
      byId("key").replaceChildren(
        ...items.map(([kind, text]) => h("li", { class: kind }, h("i", { "aria-hidden": "true" }), text)),
      );
    }
  }

  #labels() {
    if (!this.figure) {
      return;
    }
    const handles = this.figure.handles().flatMap(({ tip, key, title }) => {
      const kind = `handle ${key}${this.drag.hot?.title === title ? " hot" : ""}`;
      const at = this.stage.project(tip);
      return at.front ? [{ text: "", kind, x: at.x, y: at.y }] : [];
    });
    const words = placeLabels(this.stage, this.figure.labels(), this.stage.free, fontScale());
    drawLabels(byId("labels"), [...words, ...handles, ...this.#value()]);
  }

  // The number beside the tip that is dragged, inside the picture.
  #value() {
    const { value } = this.drag;
    if (!value) {
      return [];
    }
    const at = this.stage.project(value.at);
    const { left, right, top, bottom } = this.stage.free;
    const wide = 7.4 * fontScale() * value.text.length;
    const x = at.x + 14 + wide < right ? at.x + 14 : at.x - 14 - wide;
    const y = Math.min(Math.max(at.y + 12, top), bottom - 20);
    return [{ text: value.text, kind: "value", x: Math.min(Math.max(x, left), right - wide), y }];
  }

  #build(cast, run) {
    if (this.figure) {
      dispose(this.figure.group);
    }
    const colors = colorsNow();
    this.stage.scene.background = colors.view;
    this.figure = new Figure(this.engine, colors);
    this.stage.scene.add(this.figure.group);
    this.figure.build(cast, run);
    this.stage.floor = floorOf(cast);
  }

  /** Show a new run, of the same bodies or of others. */
  update(state) {
    const { run, base } = state;
    if (!run.info) {
      return;
    }
    const cast = castOf(this.engine, run.scene, run.info); // the page may have a newer scene already
    const shape = shapeOf(state, run.info);
    const fresh = base !== this.base;
    if (fresh || shape !== this.shape) {
      this.#build(cast, run);
    } else {
      this.figure.update(cast, run);
    }
    this.#legend();
    this.#tell();
    [this.base, this.shape] = [base, shape];
    if (fresh) {
      this.stage.look({ points: this.figure.frame(), direction: directionFor(cast) });
    }
    this.show(state);
  }

  show(state) {
    if (this.figure && state.run.info) {
      this.figure.show(place(state));
      this.stage.request();
    }
  }
}

/** The stage, or null if the browser has no WebGL. */
export function createView(store, engine) {
  const view = new View(store, engine, byId("canvas"));
  if (!view.stage) {
    byId("hint").textContent = "This browser shows no 3D (WebGL is off); everything else works.";
    return null;
  }
  byId("home").addEventListener("click", () => view.stage.look(view.stage.home));
  store.on(["run", "look"], (state) => view.update(state));
  store.on(["cursor", "hover"], (state) => view.show(state));
  return view.stage;
}
