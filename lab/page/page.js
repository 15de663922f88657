// The page: parts are made, and a scene goes in.
import { createDialog } from "./dialog.js";
import { byId, h } from "./dom.js";
import { createExport, createShare } from "./export.js";
import { createKeys, showHelp } from "./keys.js";
import { createOpen } from "./open.js";
import { createPace, isLarge } from "./pace.js";
import { createCompare } from "./panels/compare.js";
import { createControls } from "./panels/controls.js";
import { createEvents } from "./panels/events.js";
import { createNumbers } from "./panels/numbers.js";
import { createSummary } from "./panels/summary.js";
import { createTabs } from "./panels/tabs.js";
import { createPicker, sceneNamed } from "./picker.js";
import { createPlots } from "./plots/plots.js";
import { makeRun } from "./run.js";
import { readFragment } from "./share.js";
import { createSolver } from "./solver.js";
import { createStore } from "./store.js";
import { createTheme } from "./theme.js";
import { createTimeline } from "./timeline.js";
import { createView } from "./view/view.js";

const FIRST = "thrown_ball";
const NONE = { ok: false, status: "", message: "", info: null };

export async function startPage(engine) {
  const store = createStore({
    scene: null, // the scene as it is now
    base: null, // as it was loaded
    file: null, // its name in the tour, if it has one
    run: NONE,
    problem: "", // with what was to be loaded
    cursor: 0,
    hover: null,
    playing: false,
    saying: null, // what is being dragged, over the picture
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

  // A scene that the program would refuse is not taken; its message says which field is wrong.
  function take(text, from) {
    const checked = engine.describe(text);
    if (!checked.scene) {
      store.set({ problem: `${from}: ${checked.message}` });
      return;
    }
    try {
      load(JSON.parse(text));
    } catch (error) {
      store.set({ problem: `${from}: ${error.message}` }); // what the program's reader allows and this one not
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
