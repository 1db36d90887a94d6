// What the learner made of a lesson's cells, kept in the notebook that the live notebooks open.
import { changeNotebook, notebookOf, storedFiles, unlined } from "./stored.js";

const CHANGED = "changed_on_page", RAN = "ran_on_page", OTHER = "other_on_page", CAME = "came_on_page"; // what a notebook says of a cell

const pathOf = (lesson) => `${lesson}.ipynb`;
const fetched = async (path) => (await fetch(new URL(path, import.meta.url))).json();

// Returns what the learner made of code cells: name -> { source or null, other text or null, outputs or null, came: the text
// in whose place the source was written, if that is known, known: what is kept, isWritten: whether on the page }. Of a lesson that is newer than what is kept, only what was
// written on its page, or as an answer.
export async function keptCells(lesson) {
  const model = (await storedFiles()).get(pathOf(lesson));
  if (!model) return new Map();
  const { cells, metadata: { lesson: stamp } } = notebookOf(model);
  const lessons = await fetched("parts.json").then((parts) => parts.lessons, () => []);
  const isOfToday = lessons.every(({ name, stamp: now }) => name !== lesson || now === stamp);
  const isOwn = (metadata) => isOfToday || metadata[CHANGED] || metadata.tags?.includes("stub");
  return new Map(cells.filter(({ cell_type: type }) => type === "code").map(({ id, source, outputs, metadata }) => [id, {
    source: isOwn(metadata) ? unlined(source) : null,
    other: metadata[OTHER] === metadata[CAME] ? null : metadata[OTHER],
    came: metadata[CAME],
    known: unlined(source),
    isWritten: Boolean(metadata[CHANGED]),
    outputs: metadata[RAN] ? outputs : null,
  }]));
}

let came = null; // the lesson as it comes, once it is asked for

export function lessonAsItComes(lesson) {
  came ??= fetched(`../files/${pathOf(lesson)}`).catch((error) => {
    came = null; // for another try
    throw error;
  });
  return came;
}

// source, other, outputs: what is new, or undefined; came: the text in whose place it is; known: what was there when this page
// last looked. Returns what another tab wrote there meanwhile, or null: that becomes the other text.
export async function keepCell(lesson, id, { source, other, outputs, came, known }) {
  const fresh = await lessonAsItComes(lesson);
  let meanwhile = null;
  await changeNotebook(pathOf(lesson), (kept) => {
    const notebook = kept ?? fresh;
    const cell = notebook.cells.find((each) => each.id === id) ?? added(notebook, id);
    const there = unlined(cell.source);
    if (kept && source !== undefined && ![known, source, came].includes(there)) meanwhile = there;
    const own = { [CHANGED]: true, [OTHER]: meanwhile ?? other, [CAME]: came };
    if (source !== undefined) Object.assign(cell, { source, metadata: { ...cell.metadata, ...own } });
    if (outputs) Object.assign(cell, { outputs, metadata: { ...cell.metadata, [RAN]: true } });
    return notebook;
  });
  return meanwhile;
}

// A cell that came with a newer lesson than the one that is kept.
const added = ({ cells }, id) => {
  const cell = { cell_type: "code", id, metadata: {}, execution_count: null, outputs: [], source: "" };
  cells.push(cell);
  return cell;
};
