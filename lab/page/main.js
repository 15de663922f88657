// The laboratory. The same script runs the page and, in a worker started by the page, the solver.
import { loadEngine } from "carom:engine";
import "./style/colors.css";
import "./style/base.css";
import "./style/layout.css";
import "./style/view.css";
import "./style/controls.css";
import "./style/story.css";
import "./style/plots.css";
import "./style/dialog.css";
import "./style/narrow.css";
import { startPage } from "./page.js";
import { serve } from "./model/solver.js";

const engine = await loadEngine();
if (typeof document === "undefined") {
  serve(engine);
} else {
  await startPage(engine);
}
