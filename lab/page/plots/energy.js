// Energies during the impact, stacked: kinetic, stored at the contacts, lost.
import { valueAt } from "../model/run.js";
import { number } from "../model/format.js";
import { unitSuffix } from "../model/units.js";
import { extent } from "./scale.js";
import { NAMED, clockAxis } from "./series.js";

const PARTS = [
  { key: "kinetic", text: "motion" },
  { key: "stored", text: "stored" },
  { key: "tangential", text: "stored along the surface" },
  { key: "normal", text: "lost in the bounce" },
  { key: "friction", text: "lost to friction" },
];

export function energyPlot(run) {
  const parts = PARTS.filter(
    ({ key }) => Math.max(...extent(run.energy[key]).map(Math.abs)) > 1e-6 * run.before,
  );
  const areas = [];
  let base = new Float64Array(run.rows);
  for (const { key } of parts) {
    const top = base.map((value, i) => value + run.energy[key][i]);
    areas.push({ x: run.clock, low: base, high: top, class: key });
    base = top;
  }
  const [low, high] = extent(0, run.before, ...areas.map((area) => area.high));
  return {
    plot: {
      x: clockAxis(run),
      y: { label: `energy${unitSuffix(run.info, "energy")}`, range: [low < -1e-6 * high ? 1.05 * low : 0, 1.04 * high] },
      areas,
      lines: [{ x: [0, run.end], y: [run.before, run.before], class: "total", dash: "2 3" }],
      rules: run.contacts.length > NAMED ? [] : run.events.map((event) => event.clock),
      about: "Energy during the impact, stacked: motion, stored, lost",
    },
    title: "Energy: where it goes",
    key: parts.map(({ key, text }) => ({ class: key, text })),
    values: (clock) =>
      parts.map(({ key }) => number(valueAt(run, run.energy[key], clock, "energy"), 3)),
    dots: () => [],
    overClock: true,
  };
}
