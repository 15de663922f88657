// The page: creates all parts, and loads scenes into the store.
import { byId } from "./dom.js";
import { createHistory } from "./model/history.js";
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
import { createAddress } from "./shell/address.js";
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
    notice: null, // { text, title, act }: a sentence with a button
    canUndo: false,
    canRedo: false,
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

  // Show a scene; base: the one to which Reset returns.
  function load(scene, file = null, base = scene) {
    store.set({ problem: "", playing: false, hover: null, contact: null, body: 0, cursor: 0, file });
    store.set({ base, notice: null });
    store.set({ scene, run: isLarge(scene) ? NONE : store.state.run });
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
      store.set({ playing: true });
    } else {
      store.set({ cursor: 1.5 });
    }
  }

  function loadNamed(file) {
    load(sceneNamed(file).scene, file);
  }

  // The text of a scene to solve. A scene for `carom simulate` becomes its first impact.
  function solvable(text) {
    const checked = engine.describe(text);
    if (checked.scene || !isSimulation(text)) {
      return checked.scene ? { text } : { message: checked.message };
    }
    const first = engine.firstImpact(text);
    return first.text
      ? { text: first.text }
      : { message: `a scene for carom simulate: ${first.message}` };
  }

  // Load a scene from its text. One that the program would refuse is not loaded; the message names the field.
  function take(given, from, file = null) {
    const { text, message } = solvable(given);
    if (message !== undefined) {
      store.set({ problem: `${from}: ${message}` });
      return false;
    }
    try {
      load(JSON.parse(text), file, file ? sceneNamed(file).scene : undefined);
      return true;
    } catch (error) {
      store.set({ problem: `${from}: ${error.message}` }); // accepted by the program's reader, not by JSON.parse()
      return false;
    }
  }

  // Load the scene of a fragment. False: there is none, or it is broken, which is said.
  async function follow(fragment) {
    const wanted = await readFragment(fragment);
    if (wanted?.error) {
      store.set({ problem: wanted.error });
    } else if (wanted?.text !== undefined) {
      return take(wanted.text, "link", wanted.file);
    } else if (wanted?.file) {
      loadNamed(wanted.file);
    }
    return Boolean(wanted && !wanted.error);
  }

  const address = createAddress(follow);
  const history = createHistory(store, address.keep);
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
    createControls(store, history, byId("controls"));
    const timeline = createTimeline(store);
    const stage = createView(store, engine);
    const plotsAt = createPlots(store, byId("plots"));
    createSummary(store);
    createTabs(store);
    createEvents(store, byId("panel-events"));
    createCompare(store, engine, solver, byId("panel-compare"));
    createNumbers(store, byId("panel-numbers"));
    createOpen(take, (problem) => store.set({ problem }));
    createKeys(store, timeline, history, () =>
      store.set({ tab: store.state.tab === "compare" ? "events" : "compare" }),
    );
    byId("export").addEventListener("click", createExport(store, { engine, solver, stage, plotsAt }));
    byId("share").addEventListener("click", createShare(store));
    byId("help").addEventListener("click", showHelp);
  }

  // The scene of the address, or else of the last visit, or else the first of the tour.
  async function begin() {
    if (address.current()) {
      return follow(address.current());
    }
    const saved = address.saved();
    if (!saved.startsWith("#json=") || !(await follow(saved))) {
      return false;
    }
    store.set({
      notice: {
        text: "This is your scene of the last visit.",
        title: "Start with the first scene",
        act: () => loadNamed(FIRST),
      },
    });
    return true;
  }

  makeParts();
  if (!(await begin())) {
    const { problem } = store.state;
    loadNamed(FIRST);
    store.set({ problem });
  }
}

// Whether a text is meant for `carom simulate`: it has a field that only such scenes have.
function isSimulation(text) {
  try {
    const { plane, gravity, simulate, bodies } = JSON.parse(text);
    return Boolean(plane ?? gravity ?? simulate ?? bodies?.[0]?.shape);
  } catch {
    return false;
  }
}
