// Says on the first page what is done of each lesson, as this browser keeps it, and where to go on.
import { PROGRESS, storedFiles, textOf } from "./stored.js";

const DONE = ["right", "predicted"];

const read = (line) => {
  try {
    return JSON.parse(line);
  } catch {
    return {}; // a line that nobody can read says nothing
  }
};

const file = (await storedFiles()).get(PROGRESS);
const done = new Set((file ? textOf(file) : "").split("\n").map(read).filter(({ kind }) => DONE.includes(kind)).map(({ name }) => name));
const open = [];
for (const line of document.querySelectorAll(".lesson-map > li")) {
  const asked = line.dataset.asks.split(" ").filter(Boolean);
  const count = asked.filter((name) => done.has(name)).length;
  if (count) line.querySelector(".is-done").textContent = count === asked.length ? "✓ done" : `${count} of ${asked.length} answered`;
  if (count < asked.length) open.push(line);
}
if (done.size && open.length) {
  const [next] = open;
  next.classList.add("next");
  next.querySelector(".is-done").append(" · go on here");
  const begin = document.querySelector(".begin");
  const { href, textContent } = next.querySelector("a");
  Object.assign(begin, { href, textContent: `Go on: ${textContent}` });
}
