// The plots beside the picture. All share one cursor; hovering one moves it in all.
import { clockAt, place, placeOfClock } from "../model/cursor.js";
import { h } from "../dom.js";
import { Chart } from "./chart.js";
import { energyPlot } from "./energy.js";
import { hodograph, nearestClock } from "./hodograph.js";
import { impulseCurve } from "./impulse.js";
import { States } from "./states.js";

// Text alternative of a plot: its content and its final values.
function aboutOf(view, run) {
  const values = view.values(run.end);
  const named = view.key
    .map((entry, i) => (values[i] ? `${entry.text} ${values[i]}` : ""))
    .filter(Boolean);
  return `${view.plot.about}. At the end: ${named.join(", ")}.`;
}

const REST = 250; // milliseconds

/** Create the plots; returns a function that draws them again in a chosen size, for export. */
export function createPlots(store, element) {
  const views = {};
  // measured once, not at each drawing, because that forces a layout
  let [width, scale, room] = [360, 1, 0];
  const point = (id) => (where, down) => {
    const { run } = store.state;
    if (!run.ok) {
      return;
    }
    const view = views[id];
    const clock = view.overClock
      ? Math.min(Math.max(where.x, 0), run.end)
      : nearestClock(run, view, charts[id], where.at);
    show(placeOfClock(clock, run), down);
  };
  const show = (position, down) =>
    store.set(down ? { cursor: position, hover: null, playing: false } : { hover: position });
  const leave = () => store.set({ hover: null });
  const make = (id, title, height) =>
    new Chart({ id, title, height, onPoint: point(id), onLeave: leave });
  const charts = {
    hodograph: make("hodograph", "Hodograph", 190),
    impulse: make("impulse", "Impulse curve", 150),
    energy: make("energy", "Energy", 165),
  };
  const plotOf = { hodograph, impulse: impulseCurve, energy: energyPlot };
  const states = new States((share, down) => store.state.run.ok && show(1 + share, down), leave);
  const none = h(
    "p",
    { class: "no-process" },
    "Nothing to plot: with this law all velocities jump at once. Under springs (",
    h("em", {}, "Bi-stiffness"),
    ") the same impact has a process.",
  );
  element.append(...Object.values(charts).map((chart) => chart.element), states.element, none);

  const parts = [
    ...Object.entries(charts).map(([id, chart]) => ({
      element: chart.element,
      draw: ({ run, contact }) => {
        views[id] = plotOf[id](run, contact);
        chart.title.textContent = views[id].title;
        chart.draw(views[id].plot, width);
        chart.key(views[id].key);
        chart.svg.setAttribute("aria-label", aboutOf(views[id], run));
      },
      follow: (clock) => {
        chart.cursor(views[id].overClock ? clock : null, views[id].dots(clock));
        chart.say(views[id].values(clock));
      },
    })),
    {
      element: states.element,
      draw: ({ run }) => states.draw(run),
      follow: (clock, run) => states.cursor(run.end > 0 ? clock / run.end : 0),
    },
  ];
  const all = () => true;
  let rest = 0;
  let drawn = null; // the scene of the plots

  // Visible plots are drawn at once, the others after a pause.
  function draw(state) {
    element.classList.toggle("stale", !state.run.ok);
    element.classList.toggle("empty", !state.run.ok && state.base !== drawn);
    element.classList.toggle("none", Boolean(state.run.jumps));
    if (!state.run.ok || state.run.jumps) {
      return;
    }
    drawn = state.base;
    parts.forEach((part) => (part.stale = true));
    drawStale((part) => part.seen);
    clearTimeout(rest);
    rest = setTimeout(drawStale, REST, all);
  }

  function drawStale(wanted) {
    const { state } = store;
    const able = state.run.ok && !state.run.jumps;
    for (const part of parts.filter((one) => one.stale && wanted(one) && able)) {
      part.stale = false;
      part.draw(state);
      part.follow(clockAt(place(state), state.run), state.run);
    }
  }

  function follow(state) {
    if (!state.run.ok || state.run.jumps) {
      return;
    }
    const clock = clockAt(place(state), state.run);
    parts.filter((part) => !part.stale).forEach((part) => part.follow(clock, state.run));
  }

  store.on(["run", "contact"], draw);
  store.on(["cursor", "hover"], follow);
  // The charts take the height of their column if it is higher than they need.
  function size({ width: wide, height }) {
    const columns = getComputedStyle(element).gridTemplateColumns.split(" ").length;
    const apart = parseFloat(getComputedStyle(element).columnGap) || 0;
    const next = Math.floor(Math.max((wide - (columns - 1) * apart) / columns, 200));
    const font = parseFloat(getComputedStyle(element).fontSize) / 14;
    const fixed = getComputedStyle(element).overflowY === "auto" ? height : 0;
    if (next === width && font === scale && fixed === room) {
      return;
    }
    [width, scale, room] = [next, font, fixed];
    const all = Object.values(charts);
    const texts = columns > 1 ? 90 : 270; // titles, legends and states
    const least = all.reduce((sum, chart) => sum + chart.least, 0) / columns;
    const grown = (room - texts * scale) / least;
    for (const chart of all) {
      chart.scale = scale;
      chart.height = Math.round(chart.least * Math.min(Math.max(grown, scale), 3.2));
    }
    draw(store.state);
  }
  new ResizeObserver(([{ contentRect }]) => size(contentRect)).observe(element);
  const watch = new IntersectionObserver((changes) => {
    for (const { target, isIntersecting } of changes) {
      parts.find((part) => part.element === target).seen = isIntersecting;
    }
    drawStale((part) => part.seen);
  });
  parts.forEach((part) => {
    Object.assign(part, { seen: true, stale: true });
    watch.observe(part.element);
  });
  // All plots of the present run with a chosen size, out of sight but in the page, where styles apply.
  return function plotsAt(wide, high) {
    const { run, contact } = store.state;
    const clock = clockAt(place(store.state), run);
    const aside = h("div", { class: "plots aside" });
    element.after(aside);
    const made = Object.keys(charts).map((id) => {
      const view = plotOf[id](run, contact);
      const chart = new Chart({ id: `${id}-copy`, title: view.title, height: high });
      aside.append(chart.element);
      chart.draw(view.plot, wide);
      chart.key(view.key);
      chart.cursor(view.overClock ? clock : null, view.dots(clock));
      chart.say(view.values(clock));
      return chart;
    });
    const lanes = new States();
    aside.append(lanes.element);
    lanes.draw(run);
    return { charts: made, states: lanes, width: wide, done: () => aside.remove() };
  };
}
