// A page to read comes alive: where pictures of widgets stood, the widgets live, and their Python runs in a worker.
import { mayBegin, remember, untilIdle } from "./beginning.js";
import { changeEarly, handOver, leadOver } from "./early.js";
import { makeNote, wakingButton } from "./note.js";
import { startPython } from "./python_beside.js";

const { lesson } = document.querySelector("[data-lesson]").dataset;
const asleep = new Set(document.querySelectorAll(".sleeper"));
const beginsByItself = mayBegin();
const note = makeNote(() => wakeAsAsked(), beginsByItself);
let touched = null; // what a hand waits for, and where in it
let isWaking = false;

const wake = async () => {
  if (isWaking) return;
  isWaking = true;
  try {
    const python = await startPython(lesson, note);
    await wakeOne(nextOne(), python);
    note.ready(python.keeps);
    for (let next = nextOne(); next; next = nextOne()) await wakeOne(next, python);
    python.keepPages();
  } catch (error) {
    isWaking = false;
    note.failed(error.message);
  }
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
  keepingStill(sleeper, () => sleeper.classList.add("awake"));
  handOver(sleeper, alive, hand);
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
  line.replaceChildren("This is a picture. ", wakingButton("Make it live"));
  sleeper.addEventListener("keydown", ({ key, target }) => key === "Enter" && target.matches("td[data-at]") && touch(target));
}
if (beginsByItself) untilIdle().then(wake);
