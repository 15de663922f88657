// Export of scene, result, process, plots and picture; and the link to the scene.
import { h, svg } from "../dom.js";
import { showDialog } from "./dialog.js";
import { fragmentOf } from "../model/share.js";

function download(name, content, type) {
  const url = URL.createObjectURL(
    content instanceof Blob ? content : new Blob([content], { type }),
  );
  const link = h("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** A file name from the scene's name. */
function fileName(scene) {
  const name = (scene.name ?? "")
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_|_$/g, "");
  return name || "scene";
}

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

// All plots in one SVG, stacked.
function plotsSvg(list, title) {
  const style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue(name).trim();
  const width = Math.max(...list.map((chart) => chart.width ?? 0));
  const text = (y, size, weight, words) =>
    svg(
      "text",
      { x: 14, y, fill: color("--text"), "font-size": size, "font-weight": weight },
      words,
    );
  const parts = [text(20, 14, 600, title)];
  let top = 30;
  for (const chart of list) {
    const legend = legendOf(chart, top + 30, width);
    const copy = standalone(chart.svg);
    parts.push(text(top + 14, 12, 600, chart.title.textContent), ...legend, copy);
    top += 20 + 15 * legend.length;
    copy.setAttribute("y", top);
    top += chart.height + 12;
  }
  const paper = svg("rect", { width: "100%", height: "100%", fill: color("--panel") });
  const size = { viewBox: `0 0 ${width} ${top}`, width, height: top };
  const root = svg(
    "svg",
    { ...size, color: color("--text"), "font-family": "system-ui, sans-serif" },
    paper,
    ...parts,
  );
  return new XMLSerializer().serializeToString(root);
}

function toPng(stage) {
  stage.draw();
  return new Promise((resolve) => stage.canvas.toBlob(resolve, "image/png"));
}

export function createExport(store, engine, stage, charts) {
  const ways = [
    [
      "Scene (JSON)",
      "to open here or with the program",
      () =>
        download(
          `${name()}.json`,
          `${JSON.stringify(store.state.scene, null, 2)}\n`,
          "application/json",
        ),
    ],
    [
      "Result (JSON)",
      "as carom solve --json prints it",
      () =>
        download(
          `${name()}_result.json`,
          `${engine.solve(store.state.run.scene).json}\n`,
          "application/json",
        ),
      true,
    ],
    [
      "Process (CSV)",
      "impulse, velocity, energy along the impact",
      () => download(`${name()}.csv`, engine.csv(store.state.run.trace), "text/csv"),
      true,
    ],
    [
      "Plots (SVG)",
      "with the cursor where it is",
      () =>
        download(
          `${name()}_plots.svg`,
          plotsSvg(charts(), store.state.scene.name ?? "impact"),
          "image/svg+xml",
        ),
      true,
    ],
    [
      "Picture (PNG)",
      "of the bodies as seen now",
      async () => download(`${name()}.png`, await toPng(stage)),
      false,
      !stage,
    ],
  ];
  const name = () => fileName(store.state.scene);

  return function open() {
    const rows = ways.map(([title, about, act, needsRun, never]) =>
      h(
        "li",
        {},
        h(
          "button",
          { type: "button", disabled: never || (needsRun && !store.state.run.ok), onclick: act },
          title,
        ),
        h("span", {}, about),
      ),
    );
    showDialog("Export", h("ul", { class: "ways" }, ...rows));
  };
}

export function createShare(store) {
  return async function open() {
    const link = location.href.replace(/#.*$/s, "") + (await fragmentOf(store.state));
    const field = h("input", {
      type: "text",
      readonly: true,
      value: link,
      "aria-label": "Link to this scene",
      id: "share-link",
    });
    const said = h("span", { role: "status" });
    const copy = async () => {
      field.select();
      try {
        await navigator.clipboard.writeText(link);
      } catch {
        document.execCommand("copy");
      }
      said.textContent = "Copied.";
    };
    const about =
      location.protocol === "file:"
        ? "The scene is in the part after #. For others, put the page where they can open it, or send it along."
        : "The scene is in the part after #; nothing is stored anywhere.";
    showDialog(
      "Link to this scene",
      field,
      h("p", {}, h("button", { type: "button", onclick: copy }, "Copy"), " ", said),
      h("p", { class: "about" }, about),
    );
    field.focus();
    field.select();
  };
}
