// The list of events in words. A click on a line moves the cursor there.
import { h } from "../dom.js";
import { clockAt, place, placeOfClock } from "../model/cursor.js";
import { contactName, eventWords, outcomesOf, sequenceWords, startWords } from "../model/events.js";
import { list, number } from "../model/format.js";
import { unitOf } from "../model/units.js";

// A run without a process: what each contact does. Else the events; activations at the start share one line.
function lines(run) {
  if (run.jumps) {
    return outcomesOf(run).map(({ words }, i) => ({ clock: 0, at: `contact ${i}`, text: words }));
  }
  const atStart = run.events.filter((event) => event.event === "activation" && event.clock === 0);
  const several = run.info.contacts.length > 1;
  const start = several
    ? `${atStart.length} of ${run.contacts.length} contacts act from the start`
    : startWords(run);
  const few =
    several && atStart.length <= 4
      ? `${list(atStart.map((event) => contactName(run.info, event.contact)))} act from the start`
      : start;
  const first = few ? [{ clock: 0, text: few }] : [];
  return [
    ...first,
    ...run.events
      .filter((event) => !atStart.includes(event))
      .map((event) => ({ clock: event.clock, text: eventWords(event, run), kind: event.event })),
  ];
}

// Plain words first, then the name that the papers give to the sequence.
function sequence(run) {
  if (run.jumps) {
    const said = run.message && `${run.message[0].toUpperCase()}${run.message.slice(1)}. `;
    return h("p", { class: "sequence" }, said, NO_PROCESS);
  }
  const said = sequenceWords(run);
  return (
    said &&
    h("p", { class: "sequence" }, `In short: ${said.words.join(", ")} (`, h("code", {}, said.name), ").")
  );
}

const NO_PROCESS =
  "This law relates the velocities before and after. There is no order of events, and no process to play or plot.";

export function createEvents(store, element) {
  const rows = []; // reused from one run to the next
  const story = h("ol", { class: "events" });
  const name = h("div");
  let count = 0; // of the visible rows
  element.append(story, name);

  function addRow() {
    const row = { clock: 0, p: h("span", { class: "p" }), text: h("span") };
    const go = () =>
      store.set({
        cursor: placeOfClock(row.clock, store.state.run),
        playing: false,
        hover: null,
      });
    row.item = h("li", {}, h("button", { type: "button", onclick: go }, row.p, row.text));
    rows.push(row);
  }

  function write(row, line) {
    row.clock = line.clock;
    const unit = unitOf(store.state.run.info, "impulse");
    const texts = [line.at ?? `p = ${number(line.clock, 4)}${unit && ` ${unit}`}`, line.text];
    [row.p, row.text].forEach((span, i) => {
      if (span.textContent !== texts[i]) {
        span.textContent = texts[i];
      }
    });
  }

  function draw({ run, tab }) {
    if (tab !== "events") {
      return;
    }
    const list = run.ok ? lines(run) : [];
    while (rows.length < list.length) {
      addRow();
    }
    list.forEach((line, i) => write(rows[i], line));
    if (list.length !== count) {
      count = list.length;
      story.replaceChildren(...rows.slice(0, count).map((row) => row.item));
    }
    name.replaceChildren(...[run.ok && sequence(run)].filter(Boolean));
    follow(store.state);
  }

  // Mark the lines up to the cursor, and the last of them.
  function follow(state) {
    if (!state.run.ok) {
      return;
    }
    const position = place(state);
    const clock = clockAt(position, state.run) + 1e-9 * state.run.end;
    const shown = rows.slice(0, count);
    const last = position < 1 ? -1 : shown.findLastIndex((row) => row.clock <= clock);
    shown.forEach(({ item }, i) => {
      item.classList.toggle("past", i <= last);
      item.classList.toggle("here", i === last && !state.run.jumps);
    });
  }

  store.on(["run", "tab"], draw);
  store.on(["cursor", "hover"], follow);
}
