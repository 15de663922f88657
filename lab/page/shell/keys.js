// Keyboard shortcuts of the page; inactive in text fields, lists and dialogs.
import { END, START, placeOfClock } from "../model/cursor.js";
import { h } from "../dom.js";
import { showDialog } from "./dialog.js";

const STEP = 0.02;

function nextEvent({ run, cursor }, direction) {
  const places = [
    START,
    1,
    ...(run.ok ? run.events.map((event) => placeOfClock(event.clock, run)) : []),
    END,
  ];
  const ahead = places.filter((place) =>
    direction > 0 ? place > cursor + 1e-6 : place < cursor - 1e-6,
  );
  return direction > 0 ? Math.min(...ahead, END) : Math.max(...ahead, START);
}

export function createKeys(store, timeline, history, compare) {
  const go = (cursor) =>
    store.set({ cursor: Math.min(Math.max(cursor, START), END), playing: false, hover: null });
  const keys = {
    " ": timeline.toggle,
    k: timeline.toggle,
    ",": () => go(store.state.cursor - STEP),
    ".": () => go(store.state.cursor + STEP),
    "[": () => go(nextEvent(store.state, -1)),
    "]": () => go(nextEvent(store.state, 1)),
    c: compare,
    "?": showHelp,
  };
  // Ctrl+Z and its opposites; a text field has its own
  addEventListener("keydown", (event) => {
    const own = event.target.closest?.("input[type=text], input[type=number], textarea, dialog");
    const key = event.key.toLowerCase();
    if (own || event.altKey || !(event.ctrlKey || event.metaKey) || !["z", "y"].includes(key)) {
      return;
    }
    event.preventDefault();
    (key === "y" || event.shiftKey ? history.redo : history.undo)();
  });
  addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input:not([type=range]), select, textarea, dialog");
    const pressing = event.key === " " && event.target.closest?.("button, a");
    if (
      !typing &&
      !pressing &&
      !event.ctrlKey &&
      !event.metaKey &&
      !event.altKey &&
      keys[event.key]
    ) {
      event.preventDefault();
      keys[event.key]();
    }
  });
}

export function showHelp() {
  const term = (key, words) => [
    h("dt", {}, ...key.split(" ").map((one) => h("kbd", {}, one))),
    h("dd", {}, words),
  ];
  showDialog(
    "How to use it",
    h(
      "p",
      {},
      "An impact takes no time, yet much happens in it: the contact slips or sticks, is compressed and let go. The timeline stretches that moment; its clock is p, the normal impulse so far.",
    ),
    h(
      "p",
      {},
      "Choose a scene, move the sliders, or drag the round ends of arrows in the picture. Drag the picture to turn it, scroll or pinch to come closer. Hover a plot to see the values there in all of them; click to stay.",
    ),
    h(
      "p",
      {},
      "Own scenes: open, drop or paste a JSON file of carom. Everything is computed in this page by the library itself; nothing leaves it.",
    ),
    h(
      "dl",
      { class: "help" },
      ...term("space", "play, pause"),
      ...term(", .", "a step back, on"),
      ...term("[ ]", "the event before, the next one"),
      ...term("c", "compare the laws"),
      ...term("Ctrl+Z Ctrl+Y", "undo, redo"),
      ...term("Shift", "while an arrow is dragged: along one axis only (or x, y, z held)"),
      ...term("← → ↑ ↓ + −", "turn the picture and come closer, when it has the focus"),
    ),
  );
}
