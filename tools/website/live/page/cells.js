// Each code cell of a page can be changed and run where it stands.
import { openEditor } from "./editing.js";
import { drawOutput } from "./outputs.js";
import { keepCell, keptCells } from "./own_cells.js";
import { element } from "./saying.js";
import { endPython, forget, hear, touch, withPython } from "./waking.js";

const { lesson } = document.querySelector("[data-lesson]").dataset;
const SAVED = 500; // milliseconds after the last key
const NOT_BEFORE = ".tag_check, .tag_solution"; // what another cell never needs
const STOPPED = "Stopped. What you wrote stays; what had run runs again, in order, at the next touch.";
const cells = [...document.querySelectorAll(".cell[data-cell]")].map(cellOf);
let now = null; // what was given to Python last
const ran = new Map(); // in this Python: cell -> the text that ran
for (const [number, cell] of cells.entries()) { // an exercise is answered in one cell, and checked by the next
  if (cell.at.matches(".tag_stub")) Object.assign(cell, { check: cells[number + 1], run: named(cell.run, "Check") });
}

function cellOf(at) {
  const code = at.querySelector(".cell_input pre");
  const asItCame = code.textContent.trimEnd();
  const status = element("span", { role: "status" });
  const run = named(element("button", { type: "button", className: "run-cell" }), "Run");
  const back = element("button", { type: "button", hidden: true }, "As it was");
  const bar = element("div", { className: "cell-bar" }, status, back, run);
  const cell = { at, id: at.dataset.cell, code, asItCame, text: asItCame, other: asItCame, status, run, back, editor: null, wasRun: false };
  at.querySelector(".cell_input").append(bar);
  run.addEventListener("click", () => (isRunning(cell) ? stop(cell) : runCell(cell)));
  back.addEventListener("click", () => takeOther(cell));
  Object.assign(code, { tabIndex: 0, role: "textbox", ariaMultiLine: "true", ariaLabel: nameOf(at) });
  const hears = { run: () => runCell(cell), changed: (text) => change(cell, text) };
  code.addEventListener("focus", async () => { cell.editor = await openEditor(code, hears); }, { once: true });
  return cell;
}

function named(button, text) {
  button.textContent = button.dataset.does = text;
  return button;
}

function nameOf(at) {
  const heading = at.closest("section")?.querySelector("h1, h2, h3, h4")?.firstChild.textContent ?? "";
  return `${heading}: ${at.matches(".tag_stub") ? "your answer" : "code"}. Escape, then Tab leaves.`;
}

function change(cell, text) {
  if (text === cell.text) return;
  cell.text = text;
  if (text !== cell.asItCame) cell.other = cell.asItCame;
  show(cell);
  clearTimeout(cell.timer);
  cell.timer = setTimeout(() => keep(cell), SAVED);
}

function show(cell) {
  cell.back.hidden = cell.text === cell.other;
  cell.back.textContent = cell.text === cell.asItCame ? "As I had it" : "As it was";
  cell.at.classList.toggle("is-own", cell.text !== cell.asItCame);
}

function keep(cell) {
  clearTimeout(cell.timer);
  cell.timer = null;
  keepCell(lesson, cell.id, cell.text, cell.outputs).catch(() => {
    cell.status.textContent = "This browser keeps nothing of what you write.";
  });
}

// What came, or what the learner had: neither is lost.
function takeOther(cell) {
  const { text, other } = cell;
  if (cell.editor) cell.editor.text = other;
  else cell.code.textContent = other;
  change(cell, other);
  cell.other = text;
  show(cell);
}

const isRunning = ({ run }) => run.textContent === "Stop";
const isAbove = (cell) => (each) => cells.indexOf(each) < cells.indexOf(cell);

// Where a cell finds what it needs: in all above that has not run yet, and in what the learner ran in a Python that has ended.
const before = (cell) => {
  const isNeeded = (each) => each.wasRun || (isAbove(cell)(each) && !each.at.matches(NOT_BEFORE));
  return cells.filter((each) => each !== cell && !ran.has(each) && isNeeded(each));
};

async function runCell(cell) {
  const sleeper = cell.text === cell.asItCame && cell.at.querySelector(".sleeper");
  if (sleeper) return touch(sleeper);
  if (isRunning(cell)) return;
  cell.isStopped = false;
  cell.run.textContent = "Stop";
  cell.status.textContent = "runs …";
  hear();
  try {
    const ended = await runOne(cell);
    if (cell.check && ended[cell.id]) await runOne(cell.check);
    cell.status.replaceChildren(...toldOf(cell, ended));
  } catch (error) {
    if (error.message !== STOPPED) endPython(error.message);
    if (now === cell || now === cell.check) ran.clear();
    cell.status.textContent = error.message === STOPPED ? STOPPED : `Python broke off: ${error.message} What you wrote stays.`;
  }
  cell.run.textContent = cell.run.dataset.does;
}

async function runOne(cell) {
  const outputs = [];
  let place = null;
  const shown = (output) => {
    place ??= emptied(cell);
    drawOutput(place, output);
    if (!output.place) outputs.push(output);
  };
  const { text } = cell;
  const ended = await withPython((python) => {
    if (cell.isStopped) throw new Error(STOPPED);
    now = cell;
    return python.run(cell.id, text, before(cell).map((each) => [each.id, each.text]), shown);
  });
  for (const each of cells.filter(({ id }) => id in ended)) ran.set(each, each === cell ? text : each.text);
  place ??= emptied(cell);
  Object.assign(cell, { wasRun: true, outputs });
  keep(cell);
  return ended;
}

// One that waits for another's end, or for Python, is told not to begin.
function stop(cell) {
  cell.isStopped = true;
  if (cell === now || cell.check === now) endPython(STOPPED);
  else cell.status.textContent = "Stops before it begins …";
}

// Names what did not come to its end above, and what was changed there and not run since.
function toldOf(cell, ended) {
  const above = cells.filter(isAbove(cell));
  const broke = above.filter(({ id, at }) => ended[id] === false && !at.matches(".tag_raises-exception"));
  const changed = above.filter((each) => ran.has(each) && ran.get(each) !== each.text);
  return [...linked("Did not run to its end: ", broke), ...linked("Changed and not run since: ", changed)];
}

const linked = (words, found) => {
  if (found.length === 0) return [];
  return [words, ...found.flatMap(({ at }) => [element("a", { href: `#${at.id ||= `cell-${at.dataset.cell}`}` }, "a cell above"), " "])];
};

// The place of a cell's output, without what stood there.
function emptied(cell) {
  const folded = cell.at.querySelector("details:has(.cell_output)");
  if (folded) folded.open = true;
  const place = cell.at.querySelector(".cell_output") ?? cell.at.appendChild(element("div", { className: "cell_output docutils container" }));
  place.querySelectorAll(".sleeper").forEach(forget);
  place.replaceChildren();
  place.dataset.output = cell.id;
  return place;
}

addEventListener("visibilitychange", () => document.hidden && cells.filter(({ timer }) => timer).forEach(keep));
const kept = await keptCells(lesson).catch(() => new Map());
for (const cell of cells.filter(({ id, code }) => kept.has(id) && !code.isContentEditable)) { // nobody writes there yet
  const { source, outputs, wasHere } = kept.get(cell.id);
  if (source !== cell.asItCame) {
    cell.code.textContent = cell.text = source;
    show(cell);
  } else if (!wasHere) continue;
  cell.outputs = outputs;
  if (outputs.length) for (const each of outputs) drawOutput(cell.drawn ??= emptied(cell), each);
}
document.documentElement.dataset.cells = "ready";
