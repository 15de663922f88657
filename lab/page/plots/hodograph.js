// The velocity at the contact during the impact. One contact in space: the hodograph, that is, the sliding
// velocity in the tangent plane. One planar contact: sliding against normal velocity. Without sliding: the
// normal velocities against p.
import { columnAt, valueAt } from "../model/run.js";
import { number } from "../model/format.js";
import { unitSuffix } from "../model/units.js";
import { extent, padded } from "./scale.js";
import { NAMED, contactClass, contactDash, contactKey, contactPlot } from "./series.js";

const names = {
  compression_end: "compression ends",
  stick: "sticks",
  slip: "slips on",
  restitution_end: "end",
};

function slides(run) {
  if (run.contacts.length > NAMED) {
    return false;
  }
  const speed = ({ velocity }) => Math.max(...extent(velocity[0], velocity[1]).map(Math.abs));
  const all = Math.max(
    ...run.contacts.map((contact) => Math.max(...extent(...contact.velocity).map(Math.abs))),
  );
  return run.contacts.some((contact) => speed(contact) > 1e-9 * all);
}

// The two components on the axes: those of the sliding velocity or, if it stays on a line, sliding and normal
// velocity.
function plane(run) {
  const moves = [0, 1].map((k) =>
    Math.max(...run.contacts.map(({ velocity }) => Math.max(...extent(velocity[k]).map(Math.abs)))),
  );
  const along = moves.map((size) => size > 1e-6 * run.largest.velocity);
  if (along[0] && along[1]) {
    return {
      k: [0, 1],
      x: "sliding velocity along t1",
      y: "along t2",
      name: "here",
      title: "Hodograph: how the contact slides",
    };
  }
  const t = along[1] ? 1 : 0;
  return {
    k: [t, 2],
    x: `sliding velocity${run.info.planar ? "" : ` along t${t + 1}`}`,
    y: "normal velocity",
    name: "here",
    title: "Hodograph: sliding and normal velocity",
  };
}

// One contact: compression solid, restitution dashed, events labelled.
function single(run, { k }) {
  const { velocity } = run.contacts[0];
  const [x, y] = k.map((i) => velocity[i]);
  const turn = run.events.find((event) => event.event === "compression_end");
  const at = turn ? Math.round((turn.clock / run.end) * (run.rows - 1)) : run.rows - 1;
  const vector = ({ velocity: v }) => (run.info.planar ? [v[0], v[1]] : k.map((i) => v[i]));
  const marks = run.events
    .filter((event) => names[event.event])
    .map((event) => ({
      x: vector(event)[0],
      y: vector(event)[1],
      label: names[event.event],
      class: event.event,
    }));
  return {
    lines: [
      { x, y, from: 0, to: at, class: "compression" },
      { x, y, from: at, to: run.rows - 1, class: "restitution", dash: "6 3" },
    ],
    marks: [{ x: x[0], y: y[0], label: "start", class: "start" }, ...marks],
  };
}

function several(run, { k }) {
  return {
    lines: run.contacts.map((contact, i) => ({
      x: contact.velocity[k[0]],
      y: contact.velocity[k[1]],
      class: contactClass(i),
      dash: contactDash(i),
    })),
    marks: run.contacts.map((contact, i) => ({
      x: contact.first[k[0]],
      y: contact.first[k[1]],
      class: contactClass(i),
    })),
  };
}

function inPlane(run) {
  const view = plane(run);
  const one = run.contacts.length === 1;
  const range = (i) =>
    padded(extent(0, ...run.contacts.map((contact) => contact.velocity[i])), 0.14);
  return {
    plot: {
      x: { label: view.x + unitSuffix(run.info, "velocity"), range: range(view.k[0]) },
      y: { label: view.y + unitSuffix(run.info, "velocity"), range: range(view.k[1]) },
      equal: true,
      about: "Hodograph: the velocity at the contact during the impact",
      ...(one ? single(run, view) : several(run, view)),
    },
    title: view.title,
    key: one
      ? [
          { class: "compression", text: "compression", width: 0 },
          { class: "restitution dashed", text: "restitution", width: 0 },
          { class: "", text: view.name, width: 22 },
        ]
      : contactKey(run, null).map((entry) => ({ ...entry, width: 22 })),
    values: (clock) => {
      const pair = (contact) =>
        `(${view.k.map((i) => number(valueAt(run, contact.velocity[i], clock, "velocity"), 3)).join(", ")})`;
      return one ? ["", "", pair(run.contacts[0])] : run.contacts.map(pair);
    },
    dots: (clock) =>
      run.contacts.map((contact, i) => ({
        x: columnAt(run, contact.velocity[view.k[0]], clock),
        y: columnAt(run, contact.velocity[view.k[1]], clock),
        class: one ? "" : contactClass(i),
      })),
    columns: run.contacts.map((contact) => view.k.map((i) => contact.velocity[i])),
  };
}

function normalVelocities(run, chosen) {
  const columns = run.contacts.map((contact) => contact.velocity[2]);
  return contactPlot(run, chosen, {
    columns,
    kind: "velocity",
    y: {
      label: `normal velocity${unitSuffix(run.info, "velocity")}`,
      range: padded(extent(0, ...columns)),
    },
    title: "Normal velocity: approaching < 0 < parting",
    about: "Normal velocity of each contact against the normal impulse",
  });
}

export function hodograph(run, chosen) {
  return slides(run) ? inPlane(run) : normalVelocities(run, chosen);
}

/** The clock of the sample drawn nearest to a pixel. */
export function nearestClock(run, view, chart, at) {
  let [best, clock] = [Infinity, 0];
  for (const [x, y] of view.columns) {
    for (let i = 0; i < run.rows; i++) {
      const distance = Math.hypot(chart.x(x[i]) - at[0], chart.y(y[i]) - at[1]);
      if (distance < best) {
        [best, clock] = [distance, run.clock[i]];
      }
    }
  }
  return clock;
}
