// Light or dark: follows the system until the button is pressed. The state's "look" is the one shown.
import { byId } from "../dom.js";

const NEXT = { auto: "light", light: "dark", dark: "auto" };
const SIGNS = { auto: ["◐", "as the system"], light: ["☀", "light"], dark: ["☾", "dark"] };

export function createTheme(store) {
  const button = byId("theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  let theme = "auto";

  function apply() {
    const look = theme === "auto" ? (system.matches ? "dark" : "light") : theme;
    const [sign, words] = SIGNS[theme];
    button.textContent = sign;
    button.setAttribute("aria-label", `Colours: ${words}`);
    button.title = `Colours: ${words}`;
    document.documentElement.dataset.look = look; // before store.set(), because the picture reads its colours there
    store.set({ look });
  }

  button.addEventListener("click", () => {
    theme = NEXT[theme];
    apply();
  });
  system.addEventListener("change", apply);
  apply();
}
