// The cursor, a number from 0 to 3: flight before the impact (0 to 1), the impact along its clock p (1 to 2),
// flight after (2 to 3). Hovering a plot overrides it.

export const START = 0;
export const END = 3;

// The position shown.
export function place(state) {
  return state.hover ?? state.cursor;
}

// The clock at a position: 0 before the impact, its end after. A run without a process jumps to its end.
export function clockAt(position, run) {
  const share = Math.min(Math.max(position - 1, 0), 1);
  return (run.jumps ? Number(position >= 1) : share) * (run.end ?? 0);
}

export function placeOfClock(clock, run) {
  return 1 + (run.end > 0 ? clock / run.end : 0);
}

export function partOf(position) {
  return position < 1 ? "before" : position <= 2 ? "impact" : "after";
}
