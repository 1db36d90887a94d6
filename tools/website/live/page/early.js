// A number that is changed before Python is there: in a field of the picture, which the board takes over when it lives.
import { element } from "./saying.js";

const entryAt = (node) => node.closest?.("[data-at]");
const isInput = (td) => td.closest("[data-inputs]")?.dataset.inputs.split(" ").includes(td.closest("table").dataset.matrix);
const inputOf = (alive, at) => alive.querySelector(`[data-at="${at}"] input`);

// Lets an input be changed where its picture stands.
export function changeEarly(target) {
  const td = entryAt(target);
  const there = td?.querySelector("input");
  if (there) return there.select();
  if (!td || !isInput(td)) return;
  const value = td.textContent.trim();
  const field = element("input", { value, defaultValue: value, className: "early", inputMode: "decimal", ariaLabel: td.ariaLabel });
  field.addEventListener("keydown", (event) => {
    event.stopPropagation(); // arrows stay in the field
    field.toggleAttribute("data-entered", event.key === "Enter");
    if (event.key === "Enter") field.select();
  });
  td.replaceChildren(field);
  field.select();
}

// Gives a living board what was written into its picture, or into the board before it whose Python took no more; what is
// still being written can be written on.
export function handOver(placeholder, former, alive, hand) {
  for (const field of [...placeholder.querySelectorAll(".early"), ...(former?.querySelectorAll("td[data-at] input") ?? [])]) {
    const own = inputOf(alive, entryAt(field).dataset.at);
    if (!own || field.value === field.defaultValue) continue;
    own.value = field.value;
    field.defaultValue = field.value; // it is theirs now, and given once
    own.dispatchEvent(new Event("input", { bubbles: true })); // which makes room for it
    if (field !== hand || field.matches("[data-entered]")) own.dispatchEvent(new Event("focusout", { bubbles: true }));
  }
}

// Leads the hand from where it was in the picture to the same place of what lives.
export function leadOver(alive, hand) {
  const at = entryAt(hand)?.dataset.at;
  const place = inputOf(alive, at) ?? alive.querySelector(`[data-at="${at}"]`) ?? alive.querySelector("input, select, button");
  place?.focus({ preventScroll: true });
  if (hand.matches(".early") && place?.matches("input:not([type])")) place.setSelectionRange(hand.selectionStart, hand.selectionEnd);
}
