// A page to read comes alive: where pictures of widgets stood, the widgets live, and their Python runs in a worker.
import { mayBegin, remember, untilIdle } from "./auto_start.js";
import { changeEarly, handOver, leadOver } from "./early.js";
import { makeNote, wakingButton } from "./note.js";
import { startPython } from "./python_beside.js";

const { lesson } = document.querySelector("[data-lesson]").dataset;
const asleep = new Set(document.querySelectorAll(".sleeper"));
const beginsByItself = mayBegin();
const note = makeNote(() => wakeAsAsked(), beginsByItself);
let touched = null; // what a hand waits for, and where in it
let isWaking = false;
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
  asleep.clear();
}

// Ends it, and lets the boards live again with another one. Until then they take nothing that would be lost.
export function restartPython(error) {
  const resting = [...(isWaking ? asleep : []), ...document.querySelectorAll(".sleeper.awake")];
  endPython(error);
  for (const sleeper of resting) {
    asleep.add(sleeper);
    for (const alive of sleeper.querySelectorAll(".alive")) alive.inert = true;
  }
  wake();
}

// What is said of Python is for whoever runs a cell, too.
export const { hear, warn } = note;

// A picture that another output takes the place of wakes no more.
export const forget = (sleeper) => asleep.delete(sleeper);

const wake = async () => {
  if (isWaking || asleep.size === 0) return;
  isWaking = true;
  try {
    while (asleep.size) await withPython((python) => asleep.size && wakeOne(nextOne(), python)).catch(unlessEnded);
    (await beside)?.keepPages();
  } catch (error) {
    note.failed(error.message);
  }
  isWaking = false;
};

// Another one goes on.
const unlessEnded = (error) => {
  if (error !== whyEnded) throw error;
};

const wakeAsAsked = () => {
  remember();
  wake();
};

const sleeperOf = (node) => node?.closest(".sleeper");

const nextOne = () => {
  if (asleep.has(sleeperOf(touched))) return sleeperOf(touched);
  const distance = (sleeper) => Math.abs(sleeper.getBoundingClientRect().top);
  return [...asleep].sort((a, b) => distance(a) - distance(b))[0];
};

const wakeOne = async (sleeper, python) => {
  const former = sleeper.querySelector(".alive"); // whose Python has ended
  former?.removeAttribute("id");
  const alive = sleeper.appendChild(document.createElement("div"));
  Object.assign(alive, { id: `${sleeper.dataset.cell}-alive`, className: "alive" });
  try {
    await python.wake(sleeper.dataset.cell, alive.id, sleeper.dataset.source);
  } catch (error) {
    alive.remove(); // its place is free for another try
    throw error;
  }
  asleep.delete(sleeper);
  const hand = handIn(sleeper);
  former?.remove();
  keepingStill(sleeper, () => sleeper.classList.add("awake"));
  handOver(sleeper, former, alive, hand);
  if (hand) leadOver(alive, hand);
};

// What the hand holds of a picture, or touched last: a place that takes no focus leaves it to the page.
const handIn = (sleeper) => {
  const focused = document.activeElement === document.body ? touched : document.activeElement;
  return sleeper.contains(focused) ? focused : null;
};

// Whatever changes its height, what is being looked at stays where it is.
const keepingStill = (sleeper, change) => {
  const seen = document.elementFromPoint(innerWidth / 2, innerHeight / 3)?.closest(".sleeper, .bd-article section > *") ?? sleeper;
  const before = seen.getBoundingClientRect().top;
  change();
  scrollBy({ top: seen.getBoundingClientRect().top - before, behavior: "instant" });
};

// What was clicked wakes the picture that it stands in, unless it does something by itself.
export const touch = (target) => {
  touched = null; // whoever reads on is not called back
  if (!sleeperOf(target) || target.closest("a, summary")) return;
  note.hear();
  if (!asleep.has(sleeperOf(target))) return;
  touched = target;
  changeEarly(target);
  wakeAsAsked();
};

document.addEventListener("click", ({ target }) => touch(target));
document.addEventListener("input", ({ target }) => sleeperOf(target) && note.hear());
for (const sleeper of asleep) {
  const line = sleeper.querySelector('a[href="#run"]').closest("p");
  line.replaceChildren(beginsByItself ? "This picture comes alive in a few seconds. " : "This is a picture. ", wakingButton("Make it live"));
  sleeper.addEventListener("keydown", ({ key, target }) => key === "Enter" && target.matches("td[data-at]") && touch(target));
}
if (beginsByItself) untilIdle().then(wake);
