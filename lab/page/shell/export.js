// Export of scene, result, process, comparison, plots and picture; and the link to the scene.
import { h } from "../dom.js";
import { comparisonCsv, processCsv } from "../model/tables.js";
import { lawsOf, withLaw } from "../model/scene.js";
import { fragmentOf } from "../model/share.js";
import { showDialog } from "./dialog.js";
import { plotsSvg } from "./plots_svg.js";

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

function toPng(stage) {
  stage.draw();
  return new Promise((resolve) => stage.canvas.toBlob(resolve, "image/png"));
}

// A field for a size in pixels.
function sizeField(title, value) {
  const field = h("input", {
    type: "number",
    min: 200,
    max: 4000,
    step: 10,
    value,
    "aria-label": `${title} of the plots in pixels`,
  });
  const within = () => Math.min(Math.max(field.valueAsNumber || value, 200), 4000);
  return { field, within };
}

export function createExport(store, { engine, solver, stage, plotsAt }) {
  const name = () => fileName(store.state.scene);
  const json = (file, text) => download(file, `${text}\n`, "application/json");
  const size = [sizeField("Width", 720), sizeField("Height", 300)];

  async function compare() {
    const { scene } = store.state;
    const laws = lawsOf(scene);
    const runs = await solver.solve(laws.map((law) => withLaw(scene, law)));
    if (runs) {
      download(`${name()}_laws.csv`, comparisonCsv(laws, runs), "text/csv");
    }
  }

  const ways = [
    {
      title: "Scene (JSON)",
      about: "to open here or with the program",
      act: () => json(`${name()}.json`, JSON.stringify(store.state.scene, null, 2)),
    },
    {
      title: "Result (JSON)",
      about: "as carom solve --json prints it",
      act: () => json(`${name()}_result.json`, engine.solve(store.state.run.scene).json),
      solved: true,
    },
    {
      title: "Process (CSV)",
      about: "impulse, velocity, energies and events along the impact",
      act: () => download(`${name()}.csv`, processCsv(engine, store.state.run), "text/csv"),
      solved: true,
      process: true,
    },
    {
      title: "Laws (CSV)",
      about: "the same impact under each law, as in Compare laws",
      act: compare,
      solved: true,
    },
    {
      title: "Plots (SVG)",
      about: h(
        "span",
        { class: "size" },
        "with the contact states, each ",
        size[0].field,
        " × ",
        size[1].field,
        " pixels",
      ),
      act: () => {
        const [width, height] = size.map(({ within }) => within());
        const title = store.state.scene.name ?? "impact";
        download(`${name()}_plots.svg`, plotsSvg(plotsAt(width, height), title), "image/svg+xml");
      },
      solved: true,
      process: true,
    },
    {
      title: "Picture (PNG)",
      about: "of the bodies as seen now",
      act: async () => download(`${name()}.png`, await toPng(stage)),
      never: !stage,
    },
  ];

  return function open() {
    const { run } = store.state;
    const rows = ways.map(({ title, about, act, solved, process, never }) => {
      const absent = process && run.jumps;
      const disabled = never || absent || (solved && !run.ok);
      const button = h("button", { type: "button", disabled, onclick: act }, title);
      return h("li", {}, button, h("span", {}, absent ? "none: this law has no process" : about));
    });
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
