// Solving in a worker that runs the page's own script, so that the page stays responsive.
import { makeRun } from "./run.js";

/** In the worker: solve each list of scenes received. */
export function serve(engine) {
  self.onmessage = ({ data }) => postMessage(data.map((scene) => makeRun(engine, scene)));
  postMessage("ready");
}

let address = null; // URL of the worker's script, created once: it is as large as the page

// A classic script, because browsers refuse module workers to a page opened from disk. The script imports
// nothing, so it can run as the body of a function.
function startWorker() {
  if (!address) {
    const script = document.querySelector("script[type=module]").textContent;
    const parts = ["(async () => {", script, '\n})().catch(() => postMessage("failed"));'];
    address = URL.createObjectURL(new Blob(parts, { type: "text/javascript" }));
  }
  return new Worker(address);
}

/** solve(scenes) resolves to their runs. The next call stops it; it then resolves to null. */
export function createSolver(engine) {
  let worker = null; // started when it is needed
  let give = null; // resolves the pending call

  function stop() {
    if (give) {
      worker.terminate();
      worker = null;
      give(null);
      give = null;
    }
  }

  function solve(scenes) {
    stop();
    return new Promise((resolve) => {
      const answer = (runs) => {
        give = null;
        resolve(runs);
      };
      // without a worker, solve here and block the page
      const fail = () => {
        worker = null;
        answer(scenes.map((scene) => makeRun(engine, scene)));
      };
      const heard = {
        ready: () => worker.postMessage(scenes),
        failed: fail,
      };
      give = resolve;
      if (worker) {
        worker.postMessage(scenes);
      }
      worker ??= startWorker();
      worker.onmessage = ({ data }) => (typeof data === "string" ? heard[data]() : answer(data));
      worker.onerror = fail;
    });
  }

  return { solve, stop };
}
