// The learner's files as JupyterLite keeps them in the browser; a lesson is among them once it was saved.
const NAME = "mha_course"; // `contentsStorageName` in jupyter-lite.json

const asked = (request) => new Promise((done, fail) => {
  request.onsuccess = () => done(request.result);
  request.onerror = () => fail(request.error);
});

// Returns the models of all files, by their paths.
export async function storedFiles() {
  const base = await asked(indexedDB.open(NAME));
  try {
    if (![...base.objectStoreNames].includes("files")) return new Map();
    const files = await asked(base.transaction("files").objectStore("files").getAll());
    return new Map(files.filter(({ type }) => type !== "directory").map((model) => [model.path, model]));
  } finally {
    base.close();
  }
}

// What a model of a notebook holds.
export const notebookOf = ({ content }) => (typeof content === "string" ? JSON.parse(content) : content);

export const nameOf = (path) => path.split("/").pop();

// Writes a file under a path, and the folders in which it lies.
export async function store(contents, path, model) {
  const folders = path.split("/").slice(0, -1);
  for (const [number, name] of folders.entries()) {
    const folder = folders.slice(0, number + 1).join("/");
    await contents.get(folder, { content: false }).catch(() => contents.save(folder, { type: "directory", name, path: folder }));
  }
  return contents.save(path, { ...model, path, name: nameOf(path) });
}

export const today = () => new Date().toISOString().slice(0, 16).replace("T", "_").replace(":", "");
