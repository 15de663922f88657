// The plots as one SVG file that needs no style sheet.
import { svg } from "../dom.js";

const LOOKS = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linejoin",
  "paint-order",
  "opacity",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
];

// A standalone copy: computed styles become attributes.
function standalone(element) {
  const copy = element.cloneNode(true);
  const copies = [copy, ...copy.querySelectorAll("*")];
  [element, ...element.querySelectorAll("*")].forEach((one, i) => {
    const style = getComputedStyle(one);
    LOOKS.forEach((name) => copies[i].setAttribute(name, style.getPropertyValue(name)));
    copies[i].removeAttribute("class");
  });
  return copy;
}

// The legend, wrapped to the width, with a coloured sign before each entry.
function legendOf(chart, top, width) {
  const lines = [];
  let used = Infinity;
  for (const item of chart.legend.children) {
    const tone = getComputedStyle(item).getPropertyValue("--tone").trim();
    const sign = tone ? (item.classList.contains("dashed") ? "╍ " : "■ ") : "";
    const words = `${[...item.childNodes]
      .map((node) => node.textContent)
      .join(" ")
      .trim()}   `;
    const size = 6.4 * (sign.length + words.length);
    if (used + size > width) {
      const place = { x: 14, y: top + 15 * lines.length, "xml:space": "preserve" };
      lines.push(svg("text", { ...place, "font-size": 11, fill: "currentColor" }));
      used = 14;
    }
    lines.at(-1).append(svg("tspan", { fill: tone || "none" }, sign), svg("tspan", {}, words));
    used += size;
  }
  return lines;
}

// The bars of the contact states, as SVG of the given width; returns the elements and their height.
function statesOf(states, top, width) {
  const [NAME, LANE] = [150, 9];
  const parts = [];
  let y = top;
  for (const row of states.rows.querySelectorAll(".row")) {
    const lanes = [...row.querySelectorAll(".lane")];
    const name = row.querySelector(".name").title;
    parts.push(svg("text", { x: 14, y: y + 9, "font-size": 10, fill: "currentColor" }, name));
    for (const lane of lanes) {
      for (const bar of lane.children) {
        const [left, wide] = [bar.style.left, bar.style.width].map((text) => parseFloat(text) / 100);
        const place = { x: NAME + left * (width - NAME - 14), width: wide * (width - NAME - 14) };
        const fill = getComputedStyle(bar).backgroundColor;
        parts.push(svg("rect", { ...place, y, height: LANE - 2, fill }));
      }
      y += LANE;
    }
    y += 3;
  }
  return { parts, bottom: y };
}

/** { charts, states, width }: plots that are in the page, so that their styles are known. Stacked in one SVG. */
export function plotsSvg({ charts, states, width, done }, title) {
  const style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue(name).trim();
  const text = (y, size, words) =>
    svg("text", { x: 14, y, fill: color("--text"), "font-size": size, "font-weight": 600 }, words);
  const parts = [text(20, 14, title)];
  let top = 30;
  for (const chart of charts) {
    const legend = legendOf(chart, top + 30, width);
    const copy = standalone(chart.svg);
    parts.push(text(top + 14, 12, chart.title.textContent), ...legend, copy);
    top += 20 + 15 * legend.length;
    copy.setAttribute("y", top);
    top += chart.height + 12;
  }
  parts.push(text(top + 14, 12, states.title.textContent), ...legendOf(states, top + 30, width));
  const bars = statesOf(states, top + 42, width);
  parts.push(...bars.parts);
  top = bars.bottom + 8;
  const paper = svg("rect", { width: "100%", height: "100%", fill: color("--panel") });
  const size = { viewBox: `0 0 ${width} ${top}`, width, height: top };
  const root = svg(
    "svg",
    { ...size, color: color("--text"), "font-family": "system-ui, sans-serif" },
    paper,
    ...parts,
  );
  done();
  return new XMLSerializer().serializeToString(root);
}
