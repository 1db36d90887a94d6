// Each code cell of a page can be changed and run where it stands.
import { untilIdle } from "./auto_start.js";
import { draftOf, dropDraft, setDraft } from "./drafts.js";
import { openEditor } from "./editing.js";
import { linesNamed, linksToLines, nameOf, wayOn } from "./exercises.js";
import { drawOutput } from "./outputs.js";
import { keepCell, keptCells, lessonAsItComes, withCells } from "./own_cells.js";
import { element } from "./saying.js";
import { isStored, storedFiles } from "./browser_store.js";
import { forget, hear, restartPython, touch, withPython } from "./activation.js";
import { offerWork, tellOfTabs } from "./work_of_page.js";

const { lesson } = document.querySelector("[data-lesson]").dataset;
const SAVED = 500; // milliseconds after the last key
const NOT_BEFORE = ".tag_check, .tag_solution"; // what another cell never needs
const STOPPED = new Error("Stopped. What you wrote stays. Python starts anew when it is needed.");
const RESTS = "Python was stopped: run this cell again to go on with what it shows.";
const NOT_KEPT = "This browser keeps nothing of what you write: before you close this page, download it (My work).";
const NEWER = "This cell is newer than what you wrote. “As it was” shows the new one, and keeps yours.";
const keeps = await isStored();
const kept = await keptCells(lesson).catch(() => new Map());
const hasOutputs = [...kept.values()].some(({ outputs }) => outputs?.length);
const cleaning = hasOutputs ? await import("./bundled/cleaning.js").catch(() => null) : null; // whoever gave the file
const cells = [...document.querySelectorAll(".cell[data-cell]")].map(cellOf);
let now = null; // what Python runs
let isGettingReady = false;
const ran = new Map(); // in this Python: cell -> the text that ran to its end
for (const [number, cell] of cells.entries()) { // an exercise is answered in one cell, and checked by the next
  if (!cell.at.matches(".tag_stub")) continue;
  cell.check = cells[number + 1];
  cell.check.answer = cell;
  name(cell.run, "Check");
}
cells.forEach(restore);

function cellOf(at) {
  const code = at.querySelector(".cell_input pre");
  const asItCame = code.textContent.trimEnd();
  const status = element("span", { role: "status" });
  const run = element("button", { type: "button", className: "run-cell" });
  name(run, "Run");
  const asItWas = element("button", { type: "button", hidden: true }, "As it was");
  const asIHadIt = element("button", { type: "button", hidden: true }, "As I had it");
  const bar = element("div", { className: "cell-bar" }, run, asItWas, asIHadIt, status);
  const cell = { at, id: at.dataset.cell, code, asItCame, text: asItCame, other: null, status, run, asItWas, asIHadIt, editor: null, named: [], wasRun: false };
  at.querySelector(".cell_input").append(bar);
  run.addEventListener("click", () => (isRunning(cell) ? stop(cell) : runCell(cell)));
  asItWas.addEventListener("click", () => take(cell, asItCame));
  asIHadIt.addEventListener("click", () => take(cell, cell.other));
  Object.assign(code, { tabIndex: 0, role: "textbox", ariaMultiLine: "true", ariaLabel: nameOf(at) });
  new MutationObserver(() => code.tabIndex === 0 || (code.tabIndex = 0)).observe(code, { attributeFilter: ["tabindex"] }); // of the theme
  code.addEventListener("focus", () => open(cell), { once: true });
  return cell;
}

function name(button, text) {
  button.textContent = button.dataset.does = text;
}

// Returns the cell's editor, or null where it does not come.
function open(cell) {
  cell.opened ??= openEditor(cell.code, { run: () => runCell(cell), changed: (text) => change(cell, text) }).then((editor) => {
    editor?.mark(cell.named);
    return (cell.editor = editor);
  });
  if (kept.size === 0) lessonAsItComes(lesson).catch(() => {}); // soon there will be something to keep
  return cell.opened;
}

function change(cell, text) {
  if (text === cell.text) return;
  cell.text = text;
  cell.named = []; // as the editor marks none of them any more
  for (const each of [cell, cell.check]) each?.at.querySelector(".named-lines")?.remove();
  cell.isChanged = true;
  setDraft(lesson, cell.id, text);
  getReady();
  show(cell);
  clearTimeout(cell.timer);
  cell.timer = setTimeout(() => keep(cell), SAVED);
}

// Whoever writes will run it: what that needs is fetched meanwhile, but for those who save data.
function getReady() {
  if (isGettingReady || navigator.connection?.saveData) return;
  isGettingReady = true;
  withPython((python) => python.run("", "", [], () => {})).catch(() => {}); // whoever then runs a cell is told
}

function show(cell) {
  cell.asItWas.hidden = cell.text === cell.asItCame;
  cell.asIHadIt.hidden = [null, cell.text, cell.asItCame].includes(cell.other);
  cell.at.classList.toggle("is-own", cell.text !== cell.asItCame);
}

// What was changed or made here, and no more: another tab may know better of the rest. One change after the other.
function keep(cell) {
  clearTimeout(cell.timer);
  cell.timer = null;
  cell.keeping = (cell.keeping ?? Promise.resolve()).then(() => keepNow(cell));
  return cell.keeping;
}

async function keepNow(cell) {
  const change = changeOf(cell);
  try {
    const meanwhile = await keepCell(lesson, cell.id, change);
    if (change.source !== undefined) cell.known = change.source;
    if (change.source === cell.text && keeps) dropDraft(lesson, cell.id);
    if (meanwhile !== null) show(Object.assign(cell, { other: meanwhile }));
    cell.isUnkept = false;
    if (!keeps) say(cell, NOT_KEPT);
  } catch {
    cell.isUnkept = true;
    say(cell, NOT_KEPT);
  }
}

const changeOf = ({ isChanged, text: source, other, outputs, asItCame: came, known }) => ({ ...(isChanged && { source, other }), outputs, came, known });

const keepWaiting = () => Promise.all(cells.filter(({ timer }) => timer).map(keep));

// All files, with what could not be kept.
async function allFiles() {
  await keepWaiting();
  await Promise.all(cells.map(({ keeping }) => keeping));
  const unkept = cells.filter(({ isUnkept }) => isUnkept).map((cell) => [cell.id, changeOf(cell)]);
  return withCells(await storedFiles(), lesson, new Map(unkept));
}

function restore(cell) {
  const { source = null, other = null, outputs, came = cell.asItCame, known } = kept.get(cell.id) ?? {};
  if (source !== null && source !== came) cell.code.textContent = cell.text = source;
  Object.assign(cell, { known, other });
  const draft = draftOf(lesson, cell.id);
  if (draft !== null) change(cell, cell.code.textContent = draft);
  show(cell);
  if (cell.text !== cell.asItCame) {
    cell.at.closest("details")?.setAttribute("open", ""); // of what is optional
    untilIdle().then(() => open(cell)); // with its colours
  }
  if (came !== cell.asItCame && cell.text !== cell.asItCame) say(cell, NEWER);
  if (!outputs?.length) return;
  cell.outputs = outputs;
  const place = emptied(cell);
  for (const each of outputs) drawOutput(place, cleaning ? { ...each, place: null } : withoutHtml(each), cleaning?.clean);
  leadOn(cell, place);
}

// Where nothing can clean it.
function withoutHtml({ data, ...output }) {
  return { ...output, place: null, data: data && { "text/plain": data["text/plain"] ?? "" } };
}

// From what a cell gave to the learner's own lines that it names; from a verdict to what taught it, or what comes next.
function leadOn(cell, place) {
  const { answer = cell } = cell;
  answer.named = linesNamed(cell.outputs, answer.text, cell !== answer);
  answer.editor?.mark(answer.named);
  if (answer.named.length) {
    const go = async (line) => (await open(answer))?.goTo(line);
    place.prepend(linksToLines(answer.named, answer.text, go));
  }
  if (cell.answer && cell.outputs.length) place.append(wayOn(cell.at, cell.outputs));
}

// What the learner wrote in cells that the lesson no longer has.
function showLost() {
  const here = new Set(cells.map(({ id }) => id));
  const lost = [...kept].filter(([id, { isWritten }]) => isWritten && !here.has(id));
  if (lost.length === 0) return;
  const texts = lost.map(([, { known }]) => element("pre", {}, known));
  document.querySelector(".bd-article > section").append(element("section", {}, element("h2", {}, "What you wrote in cells that are gone"), ...texts));
}

// What came, or what the learner had; what stands there now is then what they had.
function take(cell, wanted) {
  const { text } = cell;
  if (cell.editor) cell.editor.text = wanted;
  else cell.code.textContent = wanted;
  change(cell, wanted);
  cell.other = text;
  show(cell);
}

const isRunning = ({ run }) => run.textContent === "Stop";
const isAbove = (cell) => (each) => cells.indexOf(each) < cells.indexOf(cell);

// Where a cell finds what it needs: in all above that has not run yet, and in what the learner ran in a Python that has ended.
const before = (cell) => {
  const isNeeded = (each) => each.hangs !== each.text && (each.wasRun || (isAbove(cell)(each) && !each.at.matches(NOT_BEFORE)));
  return cells.filter((each) => each !== cell && !ran.has(each) && isNeeded(each));
};

async function runCell(cell) {
  const placeholder = cell.text === cell.asItCame && cell.at.querySelector(".widget-placeholder");
  if (placeholder) return touch(placeholder);
  if (isRunning(cell)) return;
  cell.isStopped = false;
  cell.run.textContent = "Stop";
  say(cell, "runs …");
  if (cell.check) forgetVerdict(cell.check);
  hear();
  try {
    const ended = await runOne(cell);
    if (cell.check && ended[cell.id]) await runOne(cell.check);
    const told = toldOf(cell, ended);
    if (told.length) cell.status.replaceChildren(...told);
    else say(cell, cameTo(cell, ended), true);
  } catch (error) {
    if (error !== STOPPED) restart(error);
    forgetOutput(cell);
    say(cell, error === STOPPED ? STOPPED.message : `Python broke off: ${error.message} What you wrote stays.`);
  }
  cell.run.textContent = cell.run.dataset.does;
}

async function runOne(cell) {
  const outputs = [];
  const places = new Map(); // of the outputs of what runs
  const placeOf = (each) => places.get(each) ?? places.set(each, emptied(each)).get(each);
  const shown = (output, id) => {
    const from = cells.find((each) => each.id === id);
    drawOutput(placeOf(from), output);
    if (from === cell && !output.place) outputs.push(output);
  };
  const sent = new Map();
  const ended = await withPython(async (python) => {
    if (cell.isStopped) throw STOPPED;
    for (const each of [...before(cell), cell]) sent.set(each, each.text);
    const above = [...sent].filter(([each]) => each !== cell).map(([{ id }, text]) => [id, text]);
    now = cell;
    try {
      return await python.run(cell.id, sent.get(cell), above, shown);
    } catch (error) {
      ran.clear(); // with its Python
      cell.hangs = sent.get(cell); // nothing that runs later tries it again
      throw error;
    } finally {
      now = null;
    }
  });
  for (const [each, text] of sent) {
    if (ended[each.id]) ran.set(each, text);
    else if (each.id in ended) ran.delete(each); // the next that needs it tries again, and is told
  }
  Object.assign(cell, { wasRun: true, outputs });
  leadOn(cell, placeOf(cell));
  keep(cell);
  return ended;
}

// One that waits for another's end, or for Python, is told not to begin.
function stop(cell) {
  for (const each of [cell, cell.check]) if (each) each.isStopped = true;
  if (now && (cell === now || cell.check === now)) restart(STOPPED);
  else say(cell, "Stops before it begins …");
}

// What cells have shown takes nothing more that would be lost.
function restart(error) {
  for (const cell of cells) {
    const living = cell.at.querySelectorAll(".living");
    for (const each of living) each.inert = true;
    if (living.length) say(cell, RESTS);
  }
  restartPython(error);
}

// isQuiet: for those who hear it, where others see it.
function say(cell, text, isQuiet = false) {
  cell.status.textContent = text;
  cell.status.classList.toggle("heard", isQuiet);
}

const cameTo = (cell, ended) => {
  if (!ended[cell.id]) return "An error ended it.";
  const said = cell.check?.at.querySelectorAll("[data-output] :is(b, p:has(b) + p)"); // the verdict's name, and its reason
  return said?.length ? [...said].map(({ textContent }) => textContent).join(" ") : "Done.";
};

function forgetVerdict(check) {
  check.isStopped = false;
  forgetOutput(check);
}

function forgetOutput(cell) {
  cell.at.querySelector("[data-output]")?.replaceChildren();
  if (cell.outputs?.length) keep(Object.assign(cell, { outputs: [] }));
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
  const linkTo = ({ at, id }) => {
    const link = element("a", { href: `#${at.id ||= `cell-${id}`}` }, "a cell above");
    link.addEventListener("click", () => at.querySelectorAll("details").forEach((each) => { each.open = true; }));
    return link;
  };
  return [words, ...found.flatMap((cell) => [linkTo(cell), " "])];
};

// The place of a cell's output, without what stood there.
function emptied({ at, id }) {
  const folded = at.querySelector("details:has(.cell_output)");
  if (folded) folded.open = true;
  const place = at.querySelector(".cell_output") ?? at.appendChild(element("div", { className: "cell_output docutils container" }));
  place.querySelectorAll(".widget-placeholder").forEach(forget);
  place.replaceChildren();
  place.dataset.output = id;
  return place;
}

showLost();
offerWork(allFiles);
tellOfTabs(lesson);
addEventListener("pageshow", ({ persisted }) => persisted && location.reload()); // in the notebook, more was written since
addEventListener("visibilitychange", () => document.hidden && keepWaiting());
document.documentElement.dataset.cells = "ready";
