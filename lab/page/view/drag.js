// Dragging the ends of arrows in the picture, and turning it by keys. A drag changes numbers of the scene;
// everything else follows from the scene. A drag may be bound to an axis: by the list, by x, y or z held
// down, or by Shift, which takes the axis nearest to the movement.
import * as THREE from "three";
import { byId } from "../dom.js";
import { length } from "../model/format.js";
import { quantity } from "../model/units.js";
import { get, withValue } from "../model/scene.js";

// Pixels within which the pointer counts as on the handle.
const REACH = { mouse: 14, touch: 26, pen: 18 };

const MOVES = {
  ArrowLeft: { azimuth: -0.1 },
  ArrowRight: { azimuth: 0.1 },
  ArrowUp: { polar: -0.1 },
  ArrowDown: { polar: 0.1 },
  "+": { zoom: 0.9 },
  "=": { zoom: 0.9 },
  "-": { zoom: 1.1 },
};

// The scene with the vector of a handle set to new values (x, y, z).
function withVector(scene, { edit }, values) {
  const { path, first = 0, axes = [0, 1, 2] } = edit;
  const old = get(scene, path) ?? [0, 0, 0];
  const next = old.map((value, i) => values[axes[i - first]] ?? value);
  return withValue(scene, path, next);
}

const AXES = { x: 0, y: 1, z: 2 };

export class Drag {
  /** handles(): those of the figure; onUse(): called when the picture is used for the first time. */
  constructor(store, stage, { handles, onUse }) {
    const { canvas } = stage;
    Object.assign(this, { store, stage, canvas, handles, onUse, handle: null, hot: null });
    canvas.addEventListener("pointerdown", (event) => this.#grab(event), true);
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    canvas.addEventListener("pointerup", () => this.#release());
    canvas.addEventListener("pointercancel", () => this.#release());
    canvas.addEventListener("keydown", (event) => this.#key(event));
    this.held = null; // the axis whose key is down
    addEventListener("keydown", ({ key }) => (this.held = AXES[key] ?? this.held));
    addEventListener("keyup", ({ key }) => (this.held = AXES[key] === this.held ? null : this.held));
  }

  // The pointer in pixels of the canvas.
  #at(event) {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  #nearest(event) {
    const [x, y] = this.#at(event);
    let [best, found] = [REACH[event.pointerType] ?? REACH.mouse, null];
    for (const handle of this.handles()) {
      const at = this.stage.project(handle.tip);
      const distance = Math.hypot(at.x - x, at.y - y);
      if (distance < best) {
        [best, found] = [distance, handle];
      }
    }
    return found;
  }

  // Called before the camera's controls, which pause while an arrow is held.
  #grab(event) {
    this.onUse();
    this.handle = event.button > 0 ? null : this.#nearest(event);
    if (this.handle) {
      this.from = this.#at(event);
      this.stage.controls.enabled = false;
      this.canvas.setPointerCapture(event.pointerId);
      this.store.set({ playing: false });
    }
  }

  #move(event) {
    if (this.handle) {
      this.#pull(event);
      return;
    }
    const hot = event.buttons === 0 ? this.#nearest(event) : null;
    this.canvas.style.cursor = hot ? "grab" : "";
    if (hot?.title !== this.hot?.title) {
      this.hot = hot;
      this.canvas.title = hot ? `Drag to change the ${hot.title}` : "";
      this.stage.request();
    }
  }

  // The axis that binds the drag, or null.
  #axis(event, at) {
    const chosen = byId("axis").value;
    if (this.held !== null || chosen !== "") {
      return this.held ?? Number(chosen);
    }
    if (!event.shiftKey) {
      return null;
    }
    const moved = [at[0] - this.from[0], at[1] - this.from[1]];
    const along = this.#directions().map(([x, y]) => Math.abs(x * moved[0] + y * moved[1]) / (Math.hypot(x, y) || 1));
    return along.indexOf(Math.max(...along));
  }

  // The pixels by which a tip moves when it goes by 1 along each axis.
  #directions() {
    const start = this.stage.project(this.handle.tip);
    return [0, 1, 2].map((k) => {
      const unit = new THREE.Vector3().setComponent(k, 1);
      const size = this.stage.project(this.handle.tip.clone().addScaledVector(unit, 1e-3));
      return [(size.x - start.x) / 1e-3, (size.y - start.y) / 1e-3];
    });
  }

  // The tip under the pointer: in the plane parallel to the image, or on a line along an axis.
  #target(event) {
    const { tip } = this.handle;
    const at = this.#at(event);
    const axis = this.#axis(event, at);
    if (axis === null) {
      return this.stage.unproject(...at, tip);
    }
    const [x, y] = this.#directions()[axis];
    const start = this.stage.project(tip);
    const step = ((at[0] - start.x) * x + (at[1] - start.y) * y) / (x * x + y * y || 1);
    const to = tip.clone();
    return to.setComponent(axis, to.getComponent(axis) + step);
  }

  #pull(event) {
    const { origin, scale, title, key } = this.handle;
    const to = this.#target(event);
    if (!to) {
      return;
    }
    const { axes = [0, 1, 2] } = this.handle.edit;
    const values = to.clone().sub(origin).divideScalar(scale).toArray();
    const round = values.map((value, k) => (axes.includes(k) ? Number(value.toPrecision(3)) : 0));
    const { info } = this.store.state.run;
    const show = (value) => quantity(null, key, value);
    const size = quantity(info, key, length(round));
    this.value = { at: to, text: `(${round.map(show).join(", ")}), size ${size}` };
    this.store.set({
      scene: withVector(this.store.state.scene, this.handle, round),
      saying: `${title}: ${this.value.text}`,
    });
  }

  #release() {
    this.handle = this.value = null;
    this.stage.controls.enabled = true;
    this.store.set({ saying: null });
    this.stage.request();
  }

  #key(event) {
    if (MOVES[event.key]) {
      this.onUse();
      this.stage.move(MOVES[event.key]);
      event.preventDefault();
      event.stopPropagation();
    }
  }
}
