// Dragging the ends of arrows in the picture, and turning it by keys. A drag changes numbers of the scene;
// everything else follows from the scene.
import { number } from "../model/format.js";
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

// The scene with the vector of a handle set to new values.
function withVector(scene, { edit, key }, values) {
  const first = (key === "velocity" ? edit.offset : edit.spinOffset) ?? 0;
  const old = get(scene, edit[key]) ?? [0, 0, 0];
  const next = old.map((value, i) => values[i - first] ?? value);
  return withValue(scene, edit[key], next);
}

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

  // Keep the tip under the pointer, in the plane parallel to the image.
  #pull(event) {
    const { tip, origin, scale, title } = this.handle;
    const to = this.stage.unproject(...this.#at(event), tip);
    if (!to) {
      return;
    }
    const values = to.sub(origin).divideScalar(scale).toArray();
    const round = values.map((value) => Number(value.toPrecision(3)));
    this.store.set({
      scene: withVector(this.store.state.scene, this.handle, round),
      saying: `${title}: (${round.map((value) => number(value, 3)).join(", ")})`,
    });
  }

  #release() {
    this.handle = null;
    this.stage.controls.enabled = true;
    this.store.set({ saying: null });
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
