// The tabs of the result panels.
import { byId, h } from "../dom.js";

const TABS = [
  ["events", "What happens"],
  ["compare", "Compare laws"],
  ["numbers", "Numbers"],
];

export function createTabs(store) {
  const buttons = TABS.map(([id, title]) =>
    h(
      "button",
      {
        type: "button",
        role: "tab",
        id: `tab-${id}`,
        "aria-controls": `panel-${id}`,
        onclick: () => store.set({ tab: id }),
      },
      title,
    ),
  );
  byId("tabs").append(...buttons);

  function draw({ tab }) {
    document.querySelector("main").dataset.tab = tab;
    TABS.forEach(([id], i) => {
      const here = id === tab;
      buttons[i].setAttribute("aria-selected", String(here));
      buttons[i].tabIndex = here ? 0 : -1;
      byId(`panel-${id}`).hidden = !here;
    });
  }

  byId("tabs").addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step) {
      const next =
        (TABS.findIndex(([id]) => id === store.state.tab) + step + TABS.length) % TABS.length;
      store.set({ tab: TABS[next][0] });
      buttons[next].focus();
      event.stopPropagation();
    }
  });
  store.on(["tab"], draw);
  draw(store.state);
}
