// A page to read comes alive: where pictures of widgets stood, the widgets live, and their Python runs in a worker.
import { mayBegin, remember, untilIdle } from "./auto_start.js";
import { changeEarly, handOver, leadOver } from "./early.js";
import { makeNote, activationButton } from "./note.js";
import { startPython } from "./python_beside.js";

const { lesson } = document.querySelector("[data-lesson]").dataset;
const placeholders = new Set(document.querySelectorAll(".widget-placeholder"));
const beginsByItself = mayBegin();
const note = makeNote(() => activateAsAsked(), beginsByItself);
let touched = null; // what a hand waits for, and where in it
let isActivating = false;
let beside = null; // Python, once it was asked for
let whyEnded = null; // an error
let turn = Promise.resolve(); // it does one thing at a time

const started = () => {
  beside ??= startPython(lesson, note).catch((error) => {
    beside = null;
    throw error;
  });
  return beside;
};

// Does something with Python as soon as it is there and idle, and returns what came of it.
export function withPython(act) {
  turn = turn.catch(() => {}).then(async () => {
    const own = started();
    const python = await own;
    if (beside !== own) throw whyEnded; // while it started
    const given = await act(python);
    note.ready(python.keeps);
    return given;
  });
  return turn;
}

// Ends Python in the midst of whatever it does, and all that it kept alive.
export function endPython(error) {
  beside?.then(({ end }) => end(error));
  beside = null;
  whyEnded = error;
  placeholders.clear();
}

// Ends it, and lets the boards live again with another one. Until then they take nothing that would be lost.
export function restartPython(error) {
  const resting = [...(isActivating ? placeholders : []), ...document.querySelectorAll(".widget-placeholder.is-active")];
  endPython(error);
  for (const placeholder of resting) {
    placeholders.add(placeholder);
    for (const alive of placeholder.querySelectorAll(".alive")) alive.inert = true;
  }
  activate();
}

// What is said of Python is for whoever runs a cell, too.
export const { hear, warn } = note;

// A picture that another output takes the place of is activated no more.
export const forget = (placeholder) => placeholders.delete(placeholder);

const activate = async () => {
  if (isActivating || placeholders.size === 0) return;
  isActivating = true;
  try {
    while (placeholders.size) await withPython((python) => placeholders.size && activateOne(nextOne(), python)).catch(unlessEnded);
    (await beside)?.keepPages();
  } catch (error) {
    note.failed(error.message);
  }
  isActivating = false;
};

// Another one goes on.
const unlessEnded = (error) => {
  if (error !== whyEnded) throw error;
};

const activateAsAsked = () => {
  remember();
  activate();
};

const placeholderOf = (node) => node?.closest(".widget-placeholder");

const nextOne = () => {
  if (placeholders.has(placeholderOf(touched))) return placeholderOf(touched);
  const distance = (placeholder) => Math.abs(placeholder.getBoundingClientRect().top);
  return [...placeholders].sort((a, b) => distance(a) - distance(b))[0];
};

const activateOne = async (placeholder, python) => {
  const former = placeholder.querySelector(".alive"); // whose Python has ended
  former?.removeAttribute("id");
  const alive = placeholder.appendChild(document.createElement("div"));
  Object.assign(alive, { id: `${placeholder.dataset.cell}-alive`, className: "alive" });
  try {
    await python.activate(placeholder.dataset.cell, alive.id, placeholder.dataset.source);
  } catch (error) {
    alive.remove(); // its place is free for another try
    throw error;
  }
  placeholders.delete(placeholder);
  const hand = handIn(placeholder);
  former?.remove();
  keepingStill(placeholder, () => placeholder.classList.add("is-active"));
  handOver(placeholder, former, alive, hand);
  if (hand) leadOver(alive, hand);
};

// What the hand holds of a picture, or touched last: a place that takes no focus leaves it to the page.
const handIn = (placeholder) => {
  const focused = document.activeElement === document.body ? touched : document.activeElement;
  return placeholder.contains(focused) ? focused : null;
};

// Whatever changes its height, what is being looked at stays where it is.
const keepingStill = (placeholder, change) => {
  const seen = document.elementFromPoint(innerWidth / 2, innerHeight / 3)?.closest(".widget-placeholder, .bd-article section > *") ?? placeholder;
  const before = seen.getBoundingClientRect().top;
  change();
  scrollBy({ top: seen.getBoundingClientRect().top - before, behavior: "instant" });
};

// What was clicked activates the picture that it stands in, unless it does something by itself.
export const touch = (target) => {
  touched = null; // whoever reads on is not called back
  if (!placeholderOf(target) || target.closest("a, summary")) return;
  note.hear();
  if (!placeholders.has(placeholderOf(target))) return;
  touched = target;
  changeEarly(target);
  activateAsAsked();
};

document.addEventListener("click", ({ target }) => touch(target));
document.addEventListener("input", ({ target }) => placeholderOf(target) && note.hear());
for (const placeholder of placeholders) {
  const line = placeholder.querySelector('a[href="#run"]').closest("p");
  line.replaceChildren(beginsByItself ? "This picture comes alive in a few seconds. " : "This is a picture. ", activationButton("Make it live"));
  placeholder.addEventListener("keydown", ({ key, target }) => key === "Enter" && target.matches("td[data-at]") && touch(target));
}
if (beginsByItself) untilIdle().then(activate);
