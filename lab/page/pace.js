// When to solve: always the latest scene and never a queue of them. What is quick follows the hand in every
// frame; what takes longer leaves as much time between as it takes; what is slow waits for the hand to rest.
const FRAME = 16; // milliseconds, as all below
const SLOW = 120;
const REST = 180;
const LARGE = 40; // contacts: before it has been solved, such a scene is taken to be slow

/** solve() works on the latest scene; busy(whether) is told from the first change to the answer. */
export function createPace(solve, busy) {
  let took = 0;
  let first = true;
  let [pending, timer] = [false, 0];

  function run() {
    pending = false;
    const start = performance.now();
    solve();
    if (!first) {
      took = performance.now() - start; // the first one also builds what is drawn
    }
    first = false;
    busy(false);
  }

  const inFrame = () => requestAnimationFrame(run);
  const afterFrame = () => requestAnimationFrame(() => setTimeout(run, 0)); // the page can say so before

  return {
    /** Another scene comes. */
    fresh(scene) {
      first = true;
      took = scene.contacts.length > LARGE ? SLOW : 0;
    },
    /** The scene has changed. */
    change() {
      busy(true);
      if (took >= SLOW) {
        clearTimeout(timer);
        timer = setTimeout(afterFrame, REST);
      } else if (!pending) {
        pending = true;
        took > FRAME ? setTimeout(inFrame, took) : inFrame();
      }
    },
  };
}
