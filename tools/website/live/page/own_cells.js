// What the learner made of a lesson's cells, kept in the notebook that the live notebooks open.
import { changeNotebook, notebookOf, storedFiles } from "./stored.js";

const HERE = "changed_on_page"; // as the notebook says of a cell

const pathOf = (lesson) => `${lesson}.ipynb`;
const fetched = async (path) => (await fetch(new URL(path, import.meta.url))).json();

// Returns what the learner made of code cells: name -> { source, outputs, wasHere }. Of a lesson that is newer than what is
// kept, only what was written on its page, or as an answer.
export async function keptCells(lesson) {
  const model = (await storedFiles()).get(pathOf(lesson));
  if (!model) return new Map();
  const { cells, metadata: { lesson: stamp } } = notebookOf(model);
  const { lessons } = await fetched("parts.json");
  const isOfToday = stamp === lessons.find(({ name }) => name === lesson)?.stamp;
  const isOwn = ({ cell_type: type, metadata }) => type === "code" && (isOfToday || metadata[HERE] || metadata.tags?.includes("stub"));
  return new Map(cells.filter(isOwn).map(({ id, source, outputs, metadata }) => [id, { source: joined(source), outputs, wasHere: metadata[HERE] }]));
}

let came = null; // the lesson as it comes, once it is asked for

export async function keepCell(lesson, id, source, outputs) {
  came ??= fetched(`../files/${pathOf(lesson)}`);
  const fresh = await came.catch((error) => {
    came = null; // for another try
    throw error;
  });
  await changeNotebook(pathOf(lesson), (kept) => {
    const notebook = kept ?? fresh;
    const cell = notebook.cells.find((each) => each.id === id) ?? added(notebook, id);
    const metadata = { ...cell.metadata, [HERE]: true };
    Object.assign(cell, { source, metadata }, outputs && { outputs });
    return notebook;
  });
}

// A cell that came with a newer lesson than the one that is kept.
const added = ({ cells }, id) => {
  const cell = { cell_type: "code", id, metadata: {}, execution_count: null, outputs: [], source: "" };
  cells.push(cell);
  return cell;
};

const joined = (source) => (Array.isArray(source) ? source.join("") : source);
