// What the learner made of a lesson's cells, kept in the notebook that the live notebooks open.
import { changeNotebook, notebookOf, storedFiles } from "./stored.js";

const pathOf = (lesson) => `${lesson}.ipynb`;

// Returns what is kept of each code cell: its name -> { source, outputs }.
export async function keptCells(lesson) {
  const model = (await storedFiles()).get(pathOf(lesson));
  if (!model) return new Map();
  const cells = notebookOf(model).cells.filter(({ cell_type: type }) => type === "code");
  return new Map(cells.map(({ id, source, outputs }) => [id, { source: joined(source), outputs }]));
}

export async function keepCell(lesson, cell, source, outputs) {
  const fresh = (await fetch(new URL(`../files/${pathOf(lesson)}`, import.meta.url))).json();
  const came = await fresh;
  await changeNotebook(pathOf(lesson), (kept) => {
    const notebook = kept ?? came;
    const own = notebook.cells.find(({ id }) => id === cell);
    if (own) Object.assign(own, { source }, outputs && { outputs });
    return notebook;
  });
}

const joined = (source) => (Array.isArray(source) ? source.join("") : source);
