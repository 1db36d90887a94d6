// The code of a cell becomes an editor under the hand that comes to it.
import { offerKeys } from "./code_keys.js";
import { element } from "./saying.js";

// At once the text itself takes what is typed; as soon as the editor is here it takes its place, with the hand where it was.
// run(): on Shift + Enter; changed(text): after every key. Returns the editor, or null where it did not come.
export async function openEditor(code, { run, changed }) {
  keepKeys(code.closest(".cell_input"));
  let byHand = false;
  code.addEventListener("pointerdown", () => { byHand = true; });
  const typed = () => code.textContent.trimEnd();
  try {
    code.contentEditable = "plaintext-only";
  } catch { /* an older browser waits for the editor */ }
  code.addEventListener("input", () => changed(typed()));
  code.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.shiftKey || event.ctrlKey)) return;
    event.preventDefault();
    run();
  });
  const module = await import("./bundled/editor.js").catch(() => null);
  if (!module) return null;
  const hadHand = code.contains(document.activeElement);
  const place = element("div", { className: "editor" });
  const editor = module.edit(place, { text: typed(), ...chosenIn(code), label: code.ariaLabel, byHand, run, changed });
  code.closest('[class*="highlight-"]').replaceWith(place);
  offerKeys(place, editor);
  if (hadHand) editor.focus();
  return editor;
}

// What is typed is text: the page has keys of its own, as / for its search.
const keepKeys = (place) => place.addEventListener("keydown", (event) => {
  if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
});

// What of a text is chosen, as places in it.
function chosenIn(code) {
  const { anchorNode, anchorOffset, focusNode, focusOffset } = document.getSelection();
  const most = code.textContent.trimEnd().length;
  const placeOf = (node, offset) => {
    if (!code.contains(node)) return 0;
    const range = document.createRange();
    range.setStart(code, 0);
    range.setEnd(node, offset);
    return Math.min(range.toString().length, most);
  };
  return { anchor: placeOf(anchorNode, anchorOffset), head: placeOf(focusNode, focusOffset) };
}
