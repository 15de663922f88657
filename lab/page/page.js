// The page: creates all parts, and loads scenes into the store.
import { byId, h } from "./dom.js";
import { createPace, isLarge } from "./model/pace.js";
import { makeRun } from "./model/run.js";
import { readFragment } from "./model/share.js";
import { createSolver } from "./model/solver.js";
import { createStore } from "./model/store.js";
import { sceneNamed } from "./model/tour.js";
import { createCompare } from "./panels/compare.js";
import { createControls } from "./panels/controls.js";
import { createEvents } from "./panels/events.js";
import { createNumbers } from "./panels/numbers.js";
import { createSummary } from "./panels/summary.js";
import { createTabs } from "./panels/tabs.js";
import { createPlots } from "./plots/plots.js";
import { createDialog } from "./shell/dialog.js";
import { createExport, createShare } from "./shell/export.js";
import { createKeys, showHelp } from "./shell/keys.js";
import { createOpen } from "./shell/open.js";
import { createPicker } from "./shell/picker.js";
import { createTheme } from "./shell/theme.js";
import { createTimeline } from "./shell/timeline.js";
import { createView } from "./view/view.js";

const FIRST = "thrown_ball";
const NONE = { ok: false, status: "", message: "", info: null };

export async function startPage(engine) {
  const store = createStore({
    scene: null, // the current scene
    base: null, // the scene as loaded
    file: null, // its file name, if it is one of the tour
    run: NONE,
    problem: "", // why a scene was not loaded
    cursor: 0,
    hover: null,
    playing: false,
    saying: null, // the value being dragged, shown over the picture
    speed: 1,
    contact: null, // chosen for the sliders, null: all
    body: 0,
    tab: "events",
    look: "light", // or dark
  });

  function load(scene, file = null) {
    store.set({ problem: "", playing: false, hover: null, contact: null, body: 0, cursor: 0, file });
    store.set({ base: scene, scene, run: isLarge(scene) ? NONE : store.state.run });
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
      store.set({ playing: true });
    } else {
      store.set({ cursor: 1.5 });
    }
  }

  function loadNamed(file) {
    load(sceneNamed(file).scene, file);
  }

  // Load a scene from its text. One that the program would refuse is not loaded; the message names the field.
  function take(text, from) {
    const checked = engine.describe(text);
    if (!checked.scene) {
      store.set({ problem: `${from}: ${checked.message}` });
      return;
    }
    try {
      load(JSON.parse(text));
    } catch (error) {
      store.set({ problem: `${from}: ${error.message}` }); // accepted by the program's reader, not by JSON.parse()
    }
  }

  async function follow(fragment) {
    const wanted = await readFragment(fragment);
    if (wanted?.file) {
      loadNamed(wanted.file);
    } else if (wanted?.text !== undefined) {
      take(wanted.text, "link");
    } else if (wanted?.error) {
      store.set({ problem: wanted.error });
    }
    return Boolean(wanted && !wanted.error);
  }

  const solver = createSolver(engine);
  const pace = createPace({
    here: () => {
      solver.stop();
      const start = performance.now();
      store.set({ run: makeRun(engine, store.state.scene) });
      return performance.measure("solve", { start }).duration;
    },
    beside: async () => {
      const { scene } = store.state;
      const runs = await solver.solve([scene]);
      if (runs && scene === store.state.scene) {
        store.set({ run: { ...runs[0], scene } });
      }
      return runs?.[0].took;
    },
    busy: (busy) => document.querySelector("main").setAttribute("aria-busy", String(busy)),
  });
  store.on(["base"], ({ base }) => pace.fresh(base));
  store.on(["scene"], () => {
    store.set({ problem: "" });
    pace.change();
  });

  function makeParts() {
    createTheme(store);
    createDialog();
    createPicker(store, loadNamed);
    createControls(store, byId("controls"));
    const timeline = createTimeline(store);
    const stage = createView(store, engine);
    const charts = createPlots(store, byId("plots"));
    createSummary(store);
    createTabs(store);
    createEvents(store, byId("panel-events"));
    createCompare(store, engine, solver, byId("panel-compare"));
    createNumbers(store, byId("panel-numbers"));
    createOpen(take, (problem) => store.set({ problem }));
    createKeys(store, timeline, () =>
      store.set({ tab: store.state.tab === "compare" ? "events" : "compare" }),
    );
    byId("export").addEventListener("click", createExport(store, engine, stage, charts));
    byId("share").addEventListener("click", createShare(store));
    byId("help").addEventListener("click", showHelp);
    byId("key").append(
      ...[
        ["velocity", "velocity"],
        ["spin", "spin"],
        ["impulse", "impulse, friction cone"],
      ].map(([kind, text]) => h("li", { class: kind }, h("i", { "aria-hidden": "true" }), text)),
    );
  }

  makeParts();
  addEventListener("hashchange", () => follow(location.hash));
  if (!(await follow(location.hash))) {
    const { problem } = store.state;
    loadNamed(FIRST);
    store.set({ problem });
  }
}
