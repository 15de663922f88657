// When and where to solve: always the latest scene and never a queue of them. What is quick follows the hand
// in every frame; what takes longer leaves as much time between as it takes; what is slow waits for the hand
// to rest and is solved beside the page.
const FRAME = 16; // milliseconds, as all below
export const SLOW = 120;
const REST = 180;
const LARGE = 40; // contacts

/** Before a scene has been solved, what is large is taken to be slow. */
export const isLarge = (scene) => scene.contacts.length > LARGE;

/** here() solves the latest scene at once, beside() does later: both answer with the time it took. busy is
 * told from the first change to the answer. */
export function createPace({ here, beside, busy }) {
  let took = 0;
  let first = true;
  let changes = 0;
  let [pending, timer] = [false, 0];

  function end(time) {
    // the first answer in the page also builds what is drawn: that is no measure
    took = first && took === 0 ? 0 : time;
    first = false;
    busy(false);
  }

  function inFrame() {
    requestAnimationFrame(() => {
      pending = false;
      end(here());
    });
  }

  async function atRest() {
    const change = changes;
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
      clearTimeout(timer);
      if (took >= SLOW) {
        timer = setTimeout(atRest, REST);
      } else if (!pending) {
        pending = true;
        if (took > FRAME) {
          setTimeout(inFrame, took);
        } else {
          inFrame();
        }
      }
    },
  };
}
