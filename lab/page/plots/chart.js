// A chart: axes, areas, lines and marks in SVG, a cursor, and the pointer's position in values. Each plot
// passes a plain description to draw().
import { h, reuse, svg } from "../dom.js";
import { number } from "../model/format.js";
import { linear, ticks } from "./scale.js";

// In pixels at the font size of 14; larger fonts scale them.
const MARGIN = { left: 52, right: 14, top: 10, bottom: 36 };

const tenth = (pixel) => Math.round(10 * pixel) / 10;

function path(x, y, from = 0, to = x.length - 1) {
  let text = "";
  for (let i = from; i <= to; i++) {
    text += `${i === from ? "M" : "L"}${tenth(x[i])},${tenth(y[i])}`;
  }
  return text;
}

function areaPath(x, low, high) {
  const back = [...x].reverse();
  return `${path(x, high)}L${path(back, [...low].reverse()).slice(1)}Z`;
}

// The same unit on both axes: widen the range of the axis with spare room.
function equalDomains(x, y, width, height) {
  const unit = Math.max((x[1] - x[0]) / width, (y[1] - y[0]) / height);
  const widen = ([low, high], pixels) => {
    const half = (unit * pixels) / 2;
    return [(low + high) / 2 - half, (low + high) / 2 + half];
  };
  return [widen(x, width), widen(y, height)];
}

export class Chart {
  /** title and about: text; onPoint(value, down): called with the position of the pointer. */
  constructor({ id, title, height = 190, onPoint, onLeave }) {
    this.height = this.least = height;
    this.scale = 1;
    this.svg = svg("svg", { role: "img", class: "chart", id: `chart-${id}` });
    this.legend = h("ul", { class: "legend" });
    this.title = h("h3", {}, title);
    this.element = h(
      "figure",
      { class: "plot", id: `plot-${id}` },
      this.title,
      this.legend,
      this.svg,
    );
    this.layers = {};
    for (const name of ["grid", "areas", "lines", "marks", "frame", "cursor"]) {
      this.layers[name] = svg("g", { class: name });
      this.svg.append(this.layers[name]);
    }
    this.#listen(onPoint, onLeave);
  }

  #listen(onPoint, onLeave) {
    const tell = (event, down) => {
      if (!this.x) {
        return;
      }
      const box = this.svg.getBoundingClientRect();
      const at = [event.clientX - box.left, event.clientY - box.top];
      onPoint?.({ at, x: this.x.invert(at[0]), y: this.y.invert(at[1]) }, down);
    };
    this.svg.addEventListener("pointerdown", (event) => {
      this.svg.setPointerCapture(event.pointerId);
      tell(event, true);
    });
    this.svg.addEventListener("pointermove", (event) => tell(event, event.buttons > 0));
    this.svg.addEventListener("pointerleave", () => onLeave?.());
  }

  // A margin in pixels.
  #margin(side) {
    return this.scale * MARGIN[side];
  }

  /** width in pixels; plot: { x: { label, range }, y, equal, areas, lines, marks, rules, about } in values. */
  draw(plot, width) {
    const [left, top] = [this.#margin("left"), this.#margin("top")];
    const inner = [
      width - left - this.#margin("right"),
      this.height - top - this.#margin("bottom"),
    ];
    let [xr, yr] = [plot.x.range, plot.y.range];
    if (plot.equal) {
      [xr, yr] = equalDomains(xr, yr, ...inner);
    }
    this.width = width;
    this.x = linear(xr, [left, left + inner[0]]);
    this.y = linear(yr, [top + inner[1], top]);
    const size = `0 0 ${width} ${this.height}`;
    if (this.svg.getAttribute("viewBox") !== size) {
      this.svg.setAttribute("viewBox", size);
      this.svg.setAttribute("width", width);
      this.svg.setAttribute("height", this.height);
    }
    this.#frame(plot);
    this.#content(plot);
  }

  #frame(plot) {
    const [left, right] = [this.x(this.x.domain[0]), this.x(this.x.domain[1])];
    const [bottom, top] = [this.y(this.y.domain[0]), this.y(this.y.domain[1])];
    const grid = [];
    const texts = [];
    const k = this.scale;
    for (const value of ticks(...this.x.domain, (right - left) / (50 * k))) {
      const x = this.x(value);
      grid.push([
        "line",
        { x1: x, x2: x, y1: bottom, y2: top, class: value === 0 ? "zero" : null },
      ]);
      texts.push(["text", { x, y: bottom + 14 * k, "text-anchor": "middle" }, number(value, 3)]);
    }
    for (const value of ticks(...this.y.domain, (bottom - top) / (26 * k))) {
      const y = this.y(value);
      grid.push([
        "line",
        { x1: left, x2: right, y1: y, y2: y, class: value === 0 ? "zero" : null },
      ]);
      const at = { x: left - 6, y: y + 3.5 * k, "text-anchor": "end", class: "tick" };
      texts.push(["text", at, number(value, 3)]);
    }
    const label = { "text-anchor": "middle", class: "label" };
    const below = { x: (left + right) / 2, y: this.height - 5 * k };
    texts.push(["text", { ...label, ...below }, plot.x.label]);
    const turned = `translate(${11 * k} ${(top + bottom) / 2}) rotate(-90)`;
    texts.push(["text", { ...label, transform: turned }, plot.y.label]);
    reuse(this.layers.grid, svg, grid);
    reuse(this.layers.frame, svg, texts);
  }

  #content(plot) {
    const xs = (values) => Array.from(values, this.x);
    const ys = (values) => Array.from(values, this.y);
    const areas = (plot.areas ?? []).map((area) => [
      "path",
      { d: areaPath(xs(area.x), ys(area.low), ys(area.high)), class: `area ${area.class}` },
    ]);
    reuse(this.layers.areas, svg, areas);
    reuse(this.layers.lines, svg, this.#lines(plot.lines ?? [], xs, ys));
    const rules = (plot.rules ?? []).map((x) => ["line", { ...this.#upright(x), class: "rule" }]);
    reuse(this.layers.marks, svg, [
      ...rules,
      ...this.#marks(plot.marks ?? [], plot.lines ?? []),
    ]);
  }

  // Lines of the same style are joined into one path: hundreds of contacts need six.
  #lines(lines, xs, ys) {
    const paths = new Map();
    for (const line of lines) {
      const look = `${line.class}, ${line.dash}`;
      const known = paths.get(look) ?? { class: `line ${line.class}`, d: "" };
      known.d += path(xs(line.x), ys(line.y), line.from, line.to);
      known["stroke-dasharray"] = line.dash;
      paths.set(look, known);
    }
    return [...paths.values()].map((attributes) => ["path", attributes]);
  }

  #upright(x) {
    const [low, high] = this.y.domain.map(this.y);
    return { x1: this.x(x), x2: this.x(x), y1: low, y2: high };
  }

  // Marks at the same place share a label; labels that would cover another are left out.
  #marks(marks, lines) {
    if (marks.length === 0) {
      return [];
    }
    const drawn = [];
    for (const { x, y, label, class: name = "" } of marks) {
      const at = [this.x(x), this.y(y)];
      const same = drawn.find((other) => Math.hypot(at[0] - other.at[0], at[1] - other.at[1]) < 7);
      if (same && label) {
        same.labels.add(label);
      }
      drawn.push({ at, name, labels: new Set(same || !label ? [] : [label]) });
    }
    const around = ([x, y], room) => ({
      left: x - room,
      right: x + room,
      top: y - room,
      bottom: y + room,
    });
    const curves = lines.flatMap((line) =>
      Array.from(line.x, (x, i) => [this.x(x), this.y(line.y[i])]).filter((_, i) => i % 4 === 0),
    );
    const taken = [...drawn.map(({ at }) => around(at, 5)), ...curves.map((at) => around(at, 1))];
    return drawn.flatMap(({ at, name, labels }) => [
      ["circle", { cx: at[0], cy: at[1], r: 3.6 * this.scale, class: `mark ${name}` }],
      ...this.#label(at, [...labels].join(", "), taken),
    ]);
  }

  #label([x, y], text, taken) {
    const size = 5.9 * this.scale * text.length;
    for (const [side, dy] of [
      [1, -7],
      [1, 15],
      [-1, -7],
      [-1, 15],
      [1, 4],
      [-1, 4],
      [1, 27],
      [1, -19],
    ]) {
      const left = side > 0 ? x + 8 : x - 8 - size;
      const box = { left, right: left + size, top: y + dy - 10 * this.scale, bottom: y + dy + 2 };
      const inside =
        box.left > this.#margin("left") &&
        box.right < this.width - 2 &&
        box.top > 0 &&
        box.bottom < this.height - this.#margin("bottom");
      const free = taken.every(
        (other) =>
          box.right < other.left ||
          box.left > other.right ||
          box.bottom < other.top ||
          box.top > other.bottom,
      );
      if (text && inside && free) {
        taken.push(box);
        return [["text", { x: left, y: y + dy, class: "note" }, text]];
      }
    }
    return [];
  }

  /** The cursor: a vertical line at x (or none), and dots. */
  cursor(x, dots = []) {
    const line = x === null ? [] : [["line", { ...this.#upright(x), class: "now" }]];
    const circles = dots.map((dot) => [
      "circle",
      { cx: this.x(dot.x), cy: this.y(dot.y), r: 4.5 * this.scale, class: `dot ${dot.class ?? ""}` },
    ]);
    reuse(this.layers.cursor, svg, [...line, ...circles]);
  }

  /** entries: [{ class, text, width }], width of the value in characters; say() updates the values to the
   * cursor. */
  key(entries) {
    const shown = entries.map((entry) => `${entry.class} ${entry.text}`).join("\n");
    if (shown === this.shown) {
      return;
    }
    this.shown = shown;
    // a fixed width, so that nothing moves when values change
    this.values = entries.map(({ width = 9 }) => h("output", { style: `min-width:${width}ch` }));
    this.legend.replaceChildren(
      ...entries.map((entry, i) =>
        h(
          "li",
          { class: entry.class },
          h("i", { "aria-hidden": "true" }),
          entry.text,
          this.values[i],
        ),
      ),
    );
  }

  say(values) {
    values.forEach((value, i) => {
      if (this.values?.[i]) {
        this.values[i].textContent = value;
      }
    });
  }
}
