// The address of the page holds the scene, as the link has it: reload, Back and bookmarks keep it. The last
// scene is also saved in the browser, for a visit without it.
import { fragmentOf } from "../model/share.js";

const KEY = "carom laboratory";

// Storage may be forbidden, as in private windows.
function stored(work) {
  try {
    return work(localStorage);
  } catch {
    return null;
  }
}

export function createAddress(follow) {
  let wanted = 0; // of the latest call

  /** Write the scene; fresh: as a new entry of the browser's history. */
  async function keep(entry, fresh) {
    const call = ++wanted;
    const fragment = await fragmentOf(entry);
    if (call !== wanted || fragment === location.hash) {
      return;
    }
    const first = !readable(location.hash);
    history[fresh && !first ? "pushState" : "replaceState"](null, "", fragment);
    stored((storage) => storage.setItem(KEY, fragment));
  }

  addEventListener("hashchange", () => {
    wanted++; // what was to be written is of the page left
    if (readable(location.hash)) {
      follow(location.hash);
    }
  });
  const current = () => (readable(location.hash) ? location.hash : "");
  return { keep, current, saved: () => stored((storage) => storage.getItem(KEY)) ?? "" };
}

// A fragment that is to be followed: not empty, and not the place of an element in the page.
function readable(fragment) {
  return fragment.length > 1 && !document.getElementById(fragment.slice(1));
}
