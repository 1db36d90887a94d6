// A page to read comes alive: where pictures of widgets stood, the widgets live, and their Python runs in a worker.
import { makeNote, wakingButton } from "./note.js";
import { startPython } from "./python_beside.js";

const AWAKE = "awake";
const { lesson } = document.querySelector("[data-lesson]").dataset;
const asleep = new Set(document.querySelectorAll(".sleeper"));
const note = makeNote(() => wake());
let first = null; // what the hand waits for: a sleeper, and where in it
let isWaking = false;

const wake = async (target = null) => {
  first = target && { sleeper: target.closest(".sleeper"), at: target.closest("[data-at]")?.dataset.at };
  if (isWaking) return;
  isWaking = true;
  try {
    const python = await startPython(lesson, note);
    await wakeOne(nextOne(), python);
    note.ready(python.keeps);
    remember();
    for (let next = nextOne(); next; next = nextOne()) await wakeOne(next, python);
  } catch (error) {
    isWaking = false;
    note.failed(error.message);
  }
};

const nextOne = () => {
  if (asleep.has(first?.sleeper)) return first.sleeper;
  const distance = (sleeper) => Math.abs(sleeper.getBoundingClientRect().top);
  return [...asleep].sort((a, b) => distance(a) - distance(b))[0];
};

const wakeOne = async (sleeper, python) => {
  const alive = sleeper.appendChild(document.createElement("div"));
  Object.assign(alive, { id: `${sleeper.dataset.cell}-alive`, className: "alive" });
  await python.wake(sleeper.dataset.cell, alive.id, sleeper.dataset.source);
  asleep.delete(sleeper);
  keepingStill(sleeper, () => sleeper.classList.add("awake"));
  if (first?.sleeper === sleeper) focusIn(alive);
};

// Whatever changes its height, what is being looked at stays where it is.
const keepingStill = (sleeper, change) => {
  const seen = document.elementFromPoint(innerWidth / 2, innerHeight / 3)?.closest(".sleeper, .bd-article section > *") ?? sleeper;
  const before = seen.getBoundingClientRect().top;
  change();
  scrollBy({ top: seen.getBoundingClientRect().top - before, behavior: "instant" });
};

const focusIn = (alive) => {
  const entry = first.at && alive.querySelector(`[data-at="${first.at}"]`);
  (entry?.querySelector("input") ?? entry ?? alive.querySelector("input, select, button"))?.focus({ preventScroll: true });
  first = null;
};

// Since a page of this visit came alive, the others do so by themselves, where the browser remembers it.
function remember() {
  try {
    sessionStorage.setItem(AWAKE, lesson);
  } catch { /* it may not */ }
}

function isRemembered() {
  try {
    return Boolean(sessionStorage.getItem(AWAKE));
  } catch {
    return false;
  }
}

// What was clicked wakes the picture that it stands in, unless it does something by itself.
export const touch = (target) => {
  if (asleep.has(target.closest(".sleeper")) && !target.closest("a, summary")) wake(target);
};

document.addEventListener("click", ({ target }) => touch(target));
for (const sleeper of asleep) {
  const line = sleeper.querySelector('a[href="#run"]').closest("p");
  line.replaceChildren("This is a picture. ", wakingButton("Make it live"));
  sleeper.addEventListener("keydown", ({ key, target }) => key === "Enter" && target.matches("td[data-at]") && wake(target));
}
if (isRemembered()) wake();
