// The learner's files as JupyterLite keeps them in the browser; a lesson is among them once it was saved.
const NAME = "mha_course"; // `contentsStorageName` in jupyter-lite.json
const STORE = "files";

export const PROGRESS = "my_progress.jsonl"; // the file in which Python keeps what was done
export const BOARDS = "my_progress/"; // the folder in which it keeps each board

const asked = (request) => new Promise((done, fail) => {
  request.onsuccess = () => done(request.result);
  request.onerror = () => fail(request.error);
});

const isThere = (base) => [...base.objectStoreNames].includes(STORE);

// Does something while no other tab of the course does; the rest of this page goes on. Where the address is not secure,
// as in a school's own network, a browser has no locks.
export const alone = (act) => (navigator.locks ? navigator.locks.request(NAME, act) : act());

// Returns the models of all files, by their paths.
export async function storedFiles() {
  const base = await asked(indexedDB.open(NAME));
  try {
    if (!isThere(base)) return new Map();
    const files = await asked(base.transaction(STORE).objectStore(STORE).getAll());
    return new Map(files.filter(({ type }) => type !== "directory").map((model) => [model.path, model]));
  } finally {
    base.close();
  }
}

// Returns the store, which is made where no notebook was opened yet.
const opened = async () => {
  const base = await asked(indexedDB.open(NAME));
  if (isThere(base)) return base;
  const { version } = base;
  base.close();
  const request = indexedDB.open(NAME, version + 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  return asked(request);
};

// Changes a text file where no JupyterLab runs. change: of the text that is there, or null, makes the new one, or null.
export const changeFile = (path, change) => alone(() => changed(path, (model) => {
  const text = change(model?.content ?? null);
  return text === null ? null : { type: "file", format: "text", mimetype: "text/plain", content: text, size: new Blob([text]).size };
}));

// Changes a notebook in the same way.
export const changeNotebook = (path, change) => alone(() => changed(path, (model) => {
  const content = change(model ? notebookOf(model) : null);
  return { type: "notebook", format: "json", mimetype: "application/json", content };
}));

async function changed(path, change) {
  const base = await opened();
  try {
    const files = base.transaction(STORE, "readwrite").objectStore(STORE);
    const before = await asked(files.get(path));
    const now = change(before ?? null);
    if (now === null) return await asked(files.delete(path));
    const folder = path.split("/").slice(0, -1).join("/");
    if (folder) await asked(files.put({ ...modelOf(folder), type: "directory", format: "json", size: 0, content: null }, folder));
    return await asked(files.put({ ...modelOf(path), ...now }, path));
  } finally {
    base.close();
  }
}

const modelOf = (path) => {
  const now = new Date().toISOString();
  return { name: nameOf(path), path, created: now, last_modified: now, writable: true };
};

// What a model of a notebook holds.
export const notebookOf = ({ content }) => (typeof content === "string" ? JSON.parse(content) : content);

// What a model of a text file holds; JupyterLite may have read what looks like JSON.
export const textOf = ({ content }) => (typeof content === "string" ? content : JSON.stringify(content));

// What a notebook holds as one text, or as its lines.
export const unlined = (text) => (Array.isArray(text) ? text.join("") : text);

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

// Lines of both, each once, so that what was answered here and there counts.
export const joined = (here, brought) => {
  const lines = new Set(`${here}\n${brought}`.split("\n").filter(Boolean));
  return `${[...lines].join("\n")}\n`;
};
