// The impulse against p. One contact: the tangential impulse within the friction cone. Several: the normal
// impulse of each.
import { columnAt, valueAt } from "../model/run.js";
import { number } from "../model/format.js";
import { unitSuffix } from "../model/units.js";
import { extent } from "./scale.js";
import { clockAxis, contactPlot } from "./series.js";

function single(run) {
  const { impulse } = run.contacts[0];
  const { mu } = run.info.contacts[0];
  const limit = mu * run.end;
  const names = run.info.planar ? ["along the surface"] : ["along t1", "along t2"];
  const largest = Math.max(...extent(...impulse.slice(0, 2)).map(Math.abs));
  const high =
    Math.max(Math.min(limit, 2.5 * largest), largest, limit > 0 ? 1e-3 * limit : 1) * 1.1;
  return {
    plot: {
      x: clockAxis(run),
      y: { label: `tangential${unitSuffix(run.info, "impulse")}`, range: [-high, high] },
      areas: [
        {
          x: [0, Math.min(run.end, high / (mu || 1e-300))],
          low: [0, -Math.min(limit, high)],
          high: [0, Math.min(limit, high)],
          class: "cone",
        },
        ...(limit > high
          ? [{ x: [high / mu, run.end], low: [-high, -high], high: [high, high], class: "cone" }]
          : []),
      ],
      lines: names.map((_, k) => ({
        x: run.clock,
        y: impulse[k],
        class: `t${k + 1}`,
        dash: k === 1 ? "6 3" : null,
      })),
      rules: run.events.map((event) => event.clock),
      about: "Impulse along the surface against the normal impulse, with the friction cone",
    },
    title: "Impulse curve, inside the friction cone",
    key: [
      ...names.map((text, k) => ({ class: `t${k + 1}${k === 1 ? " dashed" : ""}`, text })),
      { class: "cone", text: "cone ±μp" },
    ],
    values: (clock) => [
      ...names.map((_, k) => number(valueAt(run, impulse[k], clock, "impulse"), 3)),
      number(mu * clock, 3),
    ],
    dots: (clock) =>
      names.map((_, k) => ({ x: clock, y: columnAt(run, impulse[k], clock), class: `t${k + 1}` })),
    overClock: true,
  };
}

function several(run, chosen) {
  const columns = run.contacts.map((contact) => contact.impulse[2]);
  return contactPlot(run, chosen, {
    columns,
    kind: "impulse",
    y: {
      label: `normal${unitSuffix(run.info, "impulse")}`,
      range: [0, 1.06 * Math.max(...extent(...columns))],
    },
    title: "Impulse curve: normal impulse of each contact",
    about: "Normal impulse of each contact against the sum of all",
  });
}

export function impulseCurve(run, chosen) {
  return run.contacts.length > 1 ? several(run, chosen) : single(run);
}
