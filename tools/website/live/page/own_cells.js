// What the learner made of a lesson's cells, kept in the notebook that the live notebooks open.
import { changeNotebook, isThereFile, notebookOf, storedFiles, unlined } from "./browser_store.js";

const CHANGED = "changed_on_page", RAN = "ran_on_page", OTHER = "other_on_page", CAME = "came_on_page"; // as a notebook says of a cell
const empty = () => ({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 });

const pathOf = (lesson) => `${lesson}.ipynb`;
const fetched = async (path) => (await fetch(new URL(path, import.meta.url))).json();

// Returns what the learner made of code cells, by their names: the source, their other text and outputs, each of them or null;
// came: the text in whose place the source was written, if that is known; known: the source that is kept; isWritten: whether it
// was on the page. Of a lesson that is newer than what is kept, only what was written on its page, or as an answer.
export async function keptCells(lesson) {
  const model = (await storedFiles()).get(pathOf(lesson));
  if (!model) return new Map();
  const { cells, metadata: { lesson: stamp } } = notebookOf(model);
  const lessons = await fetched("parts.json").then((parts) => parts.lessons, () => []);
  const isOfToday = lessons.every(({ name, stamp: now }) => name !== lesson || now === stamp);
  const isOwn = (metadata) => isOfToday || metadata[CHANGED] || metadata.tags?.includes("stub");
  return new Map(cells.filter(({ cell_type: type }) => type === "code").map(({ id, source, outputs, metadata }) => [id, {
    source: isOwn(metadata) ? unlined(source) : null,
    other: metadata[OTHER] ?? null,
    came: metadata[CAME],
    known: unlined(source),
    isWritten: Boolean(metadata[CHANGED]),
    outputs: metadata[RAN] ? outputs : null,
  }]));
}

let fresh = null; // the lesson as it comes, once it is asked for

export function lessonAsItComes(lesson) {
  fresh ??= fetched(`../files/${pathOf(lesson)}`).catch((error) => {
    fresh = null; // for another try
    throw error;
  });
  return fresh;
}

// change: the source, other and outputs that are new, or undefined; came: the text in whose place it is; known: what was there
// when this page last looked. Returns what another tab wrote there meanwhile, or null: that becomes the other text.
export async function keepCell(lesson, id, change) {
  const { source, came, known } = change;
  const asItComes = (await isThereFile(pathOf(lesson))) ? empty() : await lessonAsItComes(lesson);
  let meanwhile = null;
  await changeNotebook(pathOf(lesson), (kept) => {
    const notebook = kept ?? asItComes;
    const there = unlined(cellOf(notebook, id).source);
    if (kept && source !== undefined && ![known, source, came].includes(there)) meanwhile = there;
    return changed(notebook, id, { ...change, other: meanwhile ?? change.other });
  });
  return meanwhile;
}

// Returns files with what could not be kept: changes by the names of cells.
export async function withCells(files, lesson, changes) {
  if (changes.size === 0) return files;
  const model = files.get(pathOf(lesson));
  const notebook = model ? notebookOf(model) : await lessonAsItComes(lesson).catch(empty);
  const content = structuredClone(notebook);
  for (const [id, change] of changes) changed(content, id, change);
  return new Map([...files, [pathOf(lesson), { type: "notebook", content }]]);
}

function changed(notebook, id, { source, other, outputs, came }) {
  const cell = cellOf(notebook, id);
  if (source !== undefined) Object.assign(cell, { source, metadata: { ...cell.metadata, [CHANGED]: true, [OTHER]: other, [CAME]: came } });
  if (outputs) Object.assign(cell, { outputs, metadata: { ...cell.metadata, [RAN]: true } });
  return notebook;
}

// A cell that came with a newer lesson than the one that is kept is added.
function cellOf({ cells }, id) {
  const there = cells.find((each) => each.id === id);
  if (there) return there;
  const cell = { cell_type: "code", id, metadata: {}, execution_count: null, outputs: [], source: "" };
  cells.push(cell);
  return cell;
}
