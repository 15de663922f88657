// Styles of several contacts in one plot, and code shared by plots over the clock.
import { contactName } from "../model/events.js";
import { number } from "../model/format.js";
import { unitSuffix } from "../model/units.js";
import { columnAt, valueAt } from "../model/run.js";

/** Beyond this number contacts are thin lines without names; the chosen one is emphasised. */
export const NAMED = 6;

const DASHES = [null, "7 3", "2 3", "9 3 2 3", "4 2", "12 4"];

export function contactClass(index) {
  return `c${index % 6}`;
}

export function contactDash(index) {
  return (
    DASHES[Math.floor(index / 6) % DASHES.length] ?? (index % 6 > 0 ? DASHES[index % 6] : null)
  );
}

// A line per contact against the clock.
function contactLines(run, columns, chosen) {
  const crowd = columns.length > NAMED;
  const lines = columns.map((column, i) => ({
    x: run.clock,
    y: column,
    class: crowd ? `thin ${contactClass(i)}` : contactClass(i),
    dash: crowd ? null : contactDash(i),
  }));
  if (chosen !== null && lines[chosen]) {
    lines.push({ ...lines[chosen], class: `strong ${contactClass(chosen)}` });
  }
  return lines;
}

/** Legend entries for contacts. */
export function contactKey(run, chosen) {
  if (run.contacts.length <= NAMED) {
    return run.contacts.map((_, i) => ({
      class: contactClass(i),
      text: contactName(run.info, i),
      contact: i,
    }));
  }
  const shown = chosen ?? 0;
  return [
    {
      class: "",
      text: `${run.contacts.length} contacts; values of ${contactName(run.info, shown)}`,
      contact: shown,
    },
  ];
}

/** The axis of the clock. */
export function clockAxis(run) {
  const several = run.contacts.length > 1;
  return {
    label: `${several ? "p, normal impulses of all contacts so far" : "p, normal impulse so far"}${unitSuffix(run.info, "impulse")}`,
    range: [0, run.end],
  };
}

/** One column of every contact against the clock; kind: as for valueAt(). */
export function contactPlot(run, chosen, { columns, kind, y, title, about }) {
  const key = contactKey(run, chosen);
  return {
    plot: { x: clockAxis(run), y, lines: contactLines(run, columns, chosen), about },
    title,
    key,
    values: (clock) =>
      key.map((entry) => number(valueAt(run, columns[entry.contact], clock, kind), 3)),
    dots: (clock) =>
      columns.length > NAMED
        ? []
        : columns.map((column, i) => ({
            x: clock,
            y: columnAt(run, column, clock),
            class: contactClass(i),
          })),
    overClock: true,
  };
}
