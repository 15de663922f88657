// When and where to solve: always the latest scene and never a queue of them. What is quick follows the hand
// in every frame; what takes longer leaves as much time between as it takes; what is slow waits for the hand
// to rest and is solved beside the page.
const FRAME = 16; // milliseconds, as all below
export const SLOW = 120;
export const REST = 180;
const LARGE = 40; // contacts

/** Before a scene has been solved, what is large is taken to be slow. */
export const isLarge = (scene) => scene.contacts.length > LARGE;

/** here() solves the latest scene at once, beside() does later: both answer with the time it took. busy is
 * told from the first change to the answer. */
export function createPace({ here, beside, busy }) {
  let took = 0;
  let first = true;
  let changes = 0;
  let planned = null; // "frame" or "rest": the next answer is on its way
  let [timer, frame] = [0, 0];

  function end(time) {
    // the first answer in the page also builds what is drawn: that is no measure
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
    /** Another scene comes. */
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
        return; // it will find the latest scene
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
