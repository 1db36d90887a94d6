// What the learner made of a lesson's cells, kept in the notebook that the live notebooks open.
import { changeNotebook, notebookOf, storedFiles } from "./stored.js";

const pathOf = (lesson) => `${lesson}.ipynb`;

const HERE = "run_on_page"; // as the notebook says of a cell

// Returns what is kept of each code cell: its name -> { source, outputs, wasRun }.
export async function keptCells(lesson) {
  const model = (await storedFiles()).get(pathOf(lesson));
  if (!model) return new Map();
  const cells = notebookOf(model).cells.filter(({ cell_type: type }) => type === "code");
  return new Map(cells.map(({ id, source, outputs, metadata }) => [id, { source: joined(source), outputs, wasRun: metadata[HERE] }]));
}

export async function keepCell(lesson, cell, source, outputs) {
  const came = await (await fetch(new URL(`../files/${pathOf(lesson)}`, import.meta.url))).json();
  await changeNotebook(pathOf(lesson), (kept) => {
    const notebook = kept ?? came;
    const own = notebook.cells.find(({ id }) => id === cell);
    if (own) Object.assign(own, { source }, outputs && { outputs, metadata: { ...own.metadata, [HERE]: true } });
    return notebook;
  });
}

const joined = (source) => (Array.isArray(source) ? source.join("") : source);
