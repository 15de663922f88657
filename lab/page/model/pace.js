// When and where to solve. Only the latest scene is solved, never a queue. Quick scenes are solved in every
// frame; slower ones leave as much time between solves as one takes; slow ones wait until input rests and
// are solved in a worker.
const FRAME = 16; // milliseconds, as all below
export const SLOW = 120;
export const REST = 180;
const LARGE = 40; // contacts

/** Large scenes count as slow until they have been solved. */
export const isLarge = (scene) => scene.contacts.length > LARGE;

/** here() solves the latest scene at once, beside() in a worker; both return the time it took. busy(true) is
 * called at a change, busy(false) at the answer. */
export function createPace({ here, beside, busy }) {
  let took = 0;
  let first = true;
  let changes = 0;
  let planned = null; // "frame" or "rest": the next solve is scheduled
  let [timer, frame] = [0, 0];

  function end(time) {
    // the first answer also builds the drawing: do not count it
    took = first && took === 0 ? 0 : time;
    first = false;
    busy(false);
  }

  function inFrame() {
    frame = requestAnimationFrame(() => {
      planned = null;
      end(here());
    });
  }

  async function atRest() {
    const change = changes;
    planned = null;
    const time = await beside();
    if (change === changes) {
      end(time);
    }
  }

  return {
    /** A new scene is loaded. */
    fresh(scene) {
      first = true;
      took = isLarge(scene) ? Infinity : 0;
    },
    /** The scene has changed. */
    change() {
      changes++;
      busy(true);
      const slow = took >= SLOW;
      if (planned === "frame" && !slow) {
        return; // that solve takes the latest scene
      }
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      planned = slow ? "rest" : "frame";
      if (slow) {
        timer = setTimeout(atRest, REST);
      } else if (took > FRAME) {
        timer = setTimeout(inFrame, took);
      } else {
        inFrame();
      }
    },
  };
}
