// The learner's files as JupyterLite keeps them in the browser; a lesson is among them once it was saved.
const NAME = "mha_course"; // `contentsStorageName` in jupyter-lite.json
const STORE = "files";
const OF_JUPYTERLAB = `JupyterLite Storage - ${new URL("../", import.meta.url).pathname}`; // its settings

export const PROGRESS = "my_progress.jsonl"; // the file in which Python keeps what was done
export const isCode = (path) => /^my_\w+\.py$/.test(path); // functions that the learner takes home
export const BOARDS = "my_progress/"; // the folder in which it keeps each board

const asked = (request) => new Promise((done, fail) => {
  request.onsuccess = () => done(request.result);
  request.onerror = () => fail(request.error);
});

const isThere = (base) => [...base.objectStoreNames].includes(STORE);

// What a browser does not let be stored is here as long as the page is open: path -> model.
const onlyHere = new Map();
let mayStore = null; // not known yet
let isLeft = false;

// From now on this page stores nothing.
export const storeNoMore = () => {
  isLeft = true;
};

const mayLock = Promise.resolve(navigator.locks?.query()).then(Boolean, () => false);

// Does something while no other tab of the course does; the rest of this page goes on. Where the address is not secure,
// as in a school's own network, a browser has no locks.
export const alone = async (act) => ((await mayLock) ? navigator.locks.request(NAME, act) : act());

// Returns the models of all files, by their paths.
export async function storedFiles() {
  const base = await based();
  if (!base) return new Map(onlyHere);
  try {
    if (!isThere(base)) return new Map();
    const files = await asked(base.transaction(STORE).objectStore(STORE).getAll());
    return new Map(files.filter(({ type }) => type !== "directory").map((model) => [model.path, model]));
  } finally {
    base.close();
  }
}

// Whether the browser lets anything be stored.
export async function isStored() {
  const base = await based();
  base?.close();
  return base !== null;
}

// Whether a file is stored, without a look at what is in it.
export async function isThereFile(path) {
  const base = await based();
  if (!base) return onlyHere.has(path);
  try {
    return isThere(base) && (await asked(base.transaction(STORE).objectStore(STORE).count(path))) > 0;
  } finally {
    base.close();
  }
}

// Forgets all files, and what JupyterLab keeps of how it was left, also where another tab has them open.
export const forgetFiles = () => alone(async () => {
  onlyHere.clear();
  for (const each of [NAME, OF_JUPYTERLAB]) {
    const base = await based(each);
    for (const name of base?.objectStoreNames ?? []) await asked(base.transaction(name, "readwrite").objectStore(name).clear());
    base?.close();
  }
});

// Returns what the browser stores files in, or null where it may not; what it let be once, and then not, is an error.
const based = async (name = NAME) => {
  if (mayStore === false) return null;
  try {
    const base = await asked(indexedDB.open(name));
    mayStore = true;
    return base;
  } catch (error) {
    if (mayStore) throw error;
    mayStore = false;
    return null;
  }
};

// Returns the store, which is made where no notebook was opened yet.
const opened = async () => {
  const base = await based();
  if (!base || isThere(base)) return base;
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

// Puts a file in the place of another.
export const putFile = (path, model) => alone(() => changed(path, () => model));

// Changes a notebook in the same way.
export const changeNotebook = (path, change) => alone(() => changed(path, (model) => {
  const content = change(model ? notebookOf(model) : null);
  return { type: "notebook", format: "json", mimetype: "application/json", content };
}));

async function changed(path, change) {
  if (isLeft) return;
  const base = await opened();
  const files = base ? storeIn(base) : onlyHere;
  try {
    const now = change((await files.get(path)) ?? null);
    if (now === null) return await files.delete(path);
    const folder = path.split("/").slice(0, -1).join("/");
    if (folder && base) await files.set(folder, { ...modelOf(folder), type: "directory", format: "json", size: 0, content: null });
    return await files.set(path, { ...now, ...modelOf(path) });
  } finally {
    base?.close();
  }
}

const storeIn = (base) => {
  const files = base.transaction(STORE, "readwrite").objectStore(STORE);
  return {
    get: (path) => asked(files.get(path)),
    set: (path, model) => asked(files.put(model, path)),
    delete: (path) => asked(files.delete(path)),
  };
};

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
