// The phases of each contact along p: one bar per contact.
import { h, reuse } from "../dom.js";
import { contactName, modeStretches, phaseStretches } from "../model/events.js";
import { contactClass } from "./series.js";

const words = {
  compression: "compression",
  restitution: "restitution",
  held: "held",
  open: "open",
  slip: "slips",
  stick: "sticks",
};

function fill(lane, run, stretches) {
  const share = (clock) => Number(((100 * clock) / run.end).toFixed(2));
  const bars = stretches.map(({ from, to, kind }) => {
    const style = `left:${share(from)}%;width:${share(to - from)}%`;
    return ["i", { class: kind, style, title: words[kind] }];
  });
  reuse(lane, h, bars);
}

export class States {
  constructor(onPoint, onLeave) {
    this.rows = h("div", { class: "lanes" });
    this.now = h("div", { class: "now" }, h("b"));
    this.legend = h("ul", { class: "legend" });
    this.title = h("h3", {}, "Which contact acts, and how");
    this.element = h("figure", { class: "plot states" }, this.title, this.legend, this.rows);
    const tell = (event, down) => {
      const lane = this.rows.querySelector(".lane")?.getBoundingClientRect();
      if (lane) {
        onPoint?.(Math.min(Math.max((event.clientX - lane.left) / lane.width, 0), 1), down);
      }
    };
    this.rows.addEventListener("pointerdown", (event) => tell(event, true));
    this.rows.addEventListener("pointermove", (event) => tell(event, event.buttons > 0));
    this.rows.addEventListener("pointerleave", () => onLeave?.());
  }

  // One lane for the phases of each contact, and one for slip and stick if there is friction.
  #build(run) {
    const rubs = run.info.contacts.map((contact) => contact.mu > 0);
    const names = run.contacts.map((_, i) => contactName(run.info, i));
    const shape = JSON.stringify([rubs, names]);
    if (shape === this.shape) {
      return;
    }
    this.shape = shape;
    this.lanes = rubs.map((rub) =>
      Array.from({ length: rub ? 2 : 1 }, () => h("div", { class: "lane" })),
    );
    const rows = names.map((title, i) =>
      h(
        "div",
        { class: "row" },
        h("span", { class: `name ${contactClass(i)}`, title }, names.length > 6 ? `${i}` : title),
        h("div", { class: "bars" }, ...this.lanes[i]),
      ),
    );
    const kinds = ["compression", "restitution", ...(rubs.includes(true) ? ["slip", "stick"] : [])];
    this.legend.replaceChildren(
      ...kinds.map((kind) =>
        h("li", { class: kind }, h("i", { "aria-hidden": "true" }), words[kind]),
      ),
    );
    this.rows.classList.toggle("many", names.length > 6);
    this.rows.replaceChildren(...rows, this.now);
  }

  draw(run) {
    this.#build(run);
    this.lanes.forEach(([phases, modes], i) => {
      fill(phases, run, phaseStretches(run, i));
      if (modes) {
        fill(modes, run, modeStretches(run, i));
      }
    });
  }

  cursor(share) {
    this.now.style.transform = `translateX(${(100 * share).toFixed(2)}%)`; // shifts no layout
  }
}
