// How contacts look when there are several of them in one plot.
import { contactName } from "../events.js";

/** Beyond this many, contacts are thin lines without names; the chosen one stands out. */
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

/** Lines of one column of every contact against x. */
export function contactLines(run, x, column, chosen) {
  const crowd = run.contacts.length > NAMED;
  const lines = run.contacts.map((contact, i) => ({
    x,
    y: column(contact),
    class: crowd ? `thin ${contactClass(i)}` : contactClass(i),
    dash: crowd ? null : contactDash(i),
  }));
  if (chosen !== null && lines[chosen]) {
    lines.push({ ...lines[chosen], class: `strong ${contactClass(chosen)}` });
  }
  return lines;
}

/** Legend entries for them. */
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
