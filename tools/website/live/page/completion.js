// Says what is done, as this browser keeps it: on the first page of each lesson, and where to go on; on a lesson's page of
// each section.
import { PROGRESS, storedFiles, textOf } from "./browser_store.js";

const DONE = ["right", "predicted"], TRIED = ["mistake", "difference"];

const read = (line) => {
  try {
    return JSON.parse(line);
  } catch {
    return {}; // a line that nobody can read says nothing
  }
};

// Returns what was done, and what was tried.
const kept = async () => {
  const file = (await storedFiles()).get(PROGRESS);
  const events = (file ? textOf(file) : "").split("\n").map(read);
  return [DONE, TRIED].map((kinds) => new Set(events.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name)));
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

const tellSections = (done, tried) => {
  for (const link of document.querySelectorAll(".sections a")) {
    const section = document.querySelector(link.hash);
    const asked = [...section.querySelectorAll("[data-asks]")].map(({ dataset }) => dataset.asks);
    const isDone = asked.length > 0 && asked.every((name) => done.has(name));
    const isTried = asked.some((name) => tried.has(name) || done.has(name));
    const isExercise = link.matches(".sections ul a"); // whose own title says it, too
    for (const each of isExercise ? [link, section.querySelector("h2, h3")] : [link]) {
      each.toggleAttribute("data-done", isDone);
      each.toggleAttribute("data-tried", isExercise && isTried && !isDone);
    }
  }
};

if (document.querySelector(".lesson-map")) tellLessons((await kept())[0]);
else {
  const tell = async () => tellSections(...(await kept()));
  document.addEventListener("progress", tell);
  await tell();
}
