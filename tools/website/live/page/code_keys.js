// A row of the characters that code needs and a phone's keyboard hides, above that keyboard.
import { element } from "./saying.js";

const INDENT = "⇥";
const KEYS = { // with the names that are heard
  [INDENT]: "Indent", "(": "Left parenthesis", ")": "Right parenthesis", "[": "Left bracket", "]": "Right bracket", "@": "At sign",
  ".": "Point", ",": "Comma", "=": "Equals", ":": "Colon", _: "Underscore", "/": "Slash", "*": "Asterisk",
};
const isTouched = matchMedia("(pointer: coarse)");

let editor = null; // that has the focus
const row = element("div", { className: "code-keys", role: "toolbar", ariaLabel: "Characters for code", hidden: true }, ...Object.entries(KEYS).map(([key, ariaLabel]) => {
  const button = element("button", { type: "button", tabIndex: -1, ariaLabel }, key);
  button.addEventListener("pointerdown", (event) => event.preventDefault()); // the keyboard stays
  button.addEventListener("click", () => (key === INDENT ? editor.indent() : editor.insert(key)));
  return button;
}));
document.body.append(row);

// The keyboard covers the page's lower part, which a fixed place knows nothing of.
let seen = visualViewport.height;
const lift = () => {
  const { height, offsetTop } = visualViewport;
  row.style.bottom = `${Math.max(0, innerHeight - height - offsetTop)}px`;
  if (height < seen) requestAnimationFrame(() => editor?.showHand(row.offsetHeight)); // the keyboard has come
  seen = height;
};
for (const event of ["resize", "scroll"]) visualViewport.addEventListener(event, () => row.hidden || lift());

export function offerKeys(place, its) {
  place.addEventListener("focusin", () => {
    if (!isTouched.matches) return;
    editor = its;
    row.hidden = false;
    lift();
  });
  place.addEventListener("focusout", () => {
    editor = null;
    row.hidden = true;
  });
}
