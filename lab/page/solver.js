// Solving beside the page: a worker that runs the page's own script, so that the page can be used while
// something large is computed.
import { makeRun } from "./run.js";

/** In the worker: solve what comes, a list of scenes. */
export function serve(engine) {
  self.onmessage = ({ data }) => postMessage(data.map((scene) => makeRun(engine, scene)));
  postMessage("ready");
}

let address = null; // of the worker's script, made once: it is as large as the page

// No module: browsers refuse those to a page that was opened from disk. The script imports nothing, so as the
// body of a function it does the same.
function startWorker() {
  if (!address) {
    const script = document.querySelector("script[type=module]").textContent;
    const parts = ["(async () => {", script, '\n})().catch(() => postMessage("failed"));'];
    address = URL.createObjectURL(new Blob(parts, { type: "text/javascript" }));
  }
  return new Worker(address);
}

/** solve(scenes) promises their runs. The next call stops the one before, which then promises null. */
export function createSolver(engine) {
  let worker = null; // started when it is needed
  let give = null; // whoever waits

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
      // where a worker cannot be had, the page stands still for a while
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
