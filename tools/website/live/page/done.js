// Says what is done, as this browser keeps it: on the first page of each lesson, and where to go on; on a lesson's page of
// each section.
import { PROGRESS, storedFiles, textOf } from "./stored.js";

const DONE = ["right", "predicted"];

const read = (line) => {
  try {
    return JSON.parse(line);
  } catch {
    return {}; // a line that nobody can read says nothing
  }
};

const allDone = async () => {
  const file = (await storedFiles()).get(PROGRESS);
  return new Set((file ? textOf(file) : "").split("\n").map(read).filter(({ kind }) => DONE.includes(kind)).map(({ name }) => name));
};

const tellLessons = (done) => {
  const open = [];
  for (const line of document.querySelectorAll(".lesson-map > li")) {
    const asked = line.dataset.asks.split(" ").filter(Boolean);
    const count = asked.filter((name) => done.has(name)).length;
    if (count) line.querySelector(".is-done").textContent = count === asked.length ? "✓ done" : `${count} of ${asked.length} answered`;
    if (count < asked.length) open.push(line);
  }
  if (!done.size || !open.length) return;
  const [next] = open;
  next.classList.add("next");
  next.querySelector(".is-done").append(" · go on here");
  const begin = document.querySelector(".begin");
  const { href, textContent } = next.querySelector("a");
  Object.assign(begin, { href, textContent: `Go on: ${textContent}` });
};

const tellSections = (done) => {
  for (const link of document.querySelectorAll(".sections a")) {
    const asked = [...document.querySelectorAll(`${link.hash} [data-asks]`)];
    const isDone = asked.length > 0 && asked.every(({ dataset }) => done.has(dataset.asks));
    link.toggleAttribute("data-done", isDone);
  }
};

if (document.querySelector(".lesson-map")) tellLessons(await allDone());
else {
  tellSections(await allDone());
  document.addEventListener("progress", async () => tellSections(await allDone()));
}
