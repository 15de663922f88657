// The one cursor. It runs from 0 to 3: the flight before the impact, the impact (in the clock p, while no
// time passes), the flight after. Hovering a plot shows another place for a while.

export const START = 0;
export const END = 3;

// Where to look: while a plot is hovered, there.
export function place(state) {
  return state.hover ?? state.cursor;
}

// The clock at a place, 0 before and the end after.
export function clockAt(position, run) {
  return Math.min(Math.max(position - 1, 0), 1) * (run.end ?? 0);
}

export function placeOfClock(clock, run) {
  return 1 + (run.end > 0 ? clock / run.end : 0);
}

export function partOf(position) {
  return position < 1 ? "before" : position <= 2 ? "impact" : "after";
}
