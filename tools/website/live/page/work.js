// The learner's work as one file: downloaded, brought back, or a lesson begun anew. Nothing is ever thrown away.
import { strFromU8, strToU8, unzipSync, zipSync } from "./fflate.js";
import { notebooks } from "./kernels.js";
import { BOARDS, nameOf, notebookOf, store, storedFiles, textOf, today, unlined } from "./stored.js";

const OUTSIDE = { name: "python3", display_name: "Python 3 (ipykernel)", language: "python" };
const PROGRESS = ".jsonl"; // whose lines are joined: see beside.js

const stemOf = (path) => nameOf(path).replace(/\.ipynb$/, "");

const bytesOf = (model) => {
  const { type, format, content } = model;
  if (type === "notebook") {
    const notebook = notebookOf(model);
    const metadata = { ...notebook.metadata, kernelspec: OUTSIDE };
    return strToU8(`${JSON.stringify({ ...notebook, metadata }, null, 1)}\n`);
  }
  if (format === "base64") return Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
  return strToU8(textOf(model));
};

const modelOf = (path, bytes) => {
  if (!path.endsWith(".ipynb")) return { type: "file", format: "text", content: strFromU8(bytes) };
  const content = JSON.parse(strFromU8(bytes));
  for (const { data } of content.cells.flatMap(({ outputs = [] }) => outputs)) joinLines(data ?? {});
  return { type: "notebook", format: "json", content };
};

// A file on disk may hold a text as lines, which JupyterLab would show with commas between them.
const joinLines = (data) => {
  for (const [kind, text] of Object.entries(data)) data[kind] = unlined(text);
};

const saveAll = async (app) => {
  const changed = notebooks(app).filter(({ context }) => context.model.dirty);
  await Promise.allSettled(changed.map(({ context }) => context.save()));
};

// All files; a notebook that is not among them, or could not be saved, as it stands on the page.
const allFiles = async (app) => {
  await saveAll(app);
  const stored = await storedFiles().catch(() => null);
  const onlyHere = notebooks(app).filter(({ context }) => !stored || context.model.dirty);
  const models = onlyHere.map(({ context }) => [context.path, { type: "notebook", content: context.model.toJSON() }]);
  return new Map([...(stored ?? []), ...models]);
};

const download = async (app) => {
  const files = await allFiles(app);
  if (files.size === 0) return "There is nothing yet: no lesson was changed, and nothing was answered.";
  const zip = zipSync(Object.fromEntries([...files].map(([path, model]) => [path, bytesOf(model)])));
  const address = URL.createObjectURL(new Blob([zip], { type: "application/zip" }));
  Object.assign(document.createElement("a"), { href: address, download: `my_attention_course_${today()}.zip` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
  return `${files.size === 1 ? "1 file was" : `${files.size} files were`} put into one, among your downloads.`;
};

const chosenFiles = () => new Promise((done) => {
  const input = Object.assign(document.createElement("input"), { type: "file", accept: ".zip,.ipynb,.jsonl", multiple: true });
  input.onchange = () => done([...input.files]);
  input.oncancel = () => done([]);
  input.click();
});

const unpacked = async (file) => {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return file.name.endsWith(".zip") ? Object.entries(unzipSync(bytes)) : [[file.name, bytes]];
};

const bringOne = async (contents, path, bytes, here) => {
  const model = modelOf(path, bytes);
  const own = here.get(path);
  if (own && !path.endsWith(PROGRESS) && strFromU8(bytesOf(own)) !== strFromU8(bytesOf(model))) {
    await store(contents, path.replace(/(\.\w+)?$/, `_before_${today()}$1`), own);
  }
  return store(contents, path, model);
};

const bring = async (app) => {
  const files = await chosenFiles();
  if (files.length === 0) return "";
  await saveAll(app);
  const here = await storedFiles();
  const parts = (await Promise.all(files.map(unpacked))).flat().filter(([path]) => !path.endsWith("/"));
  for (const [path, bytes] of parts) await bringOne(app.serviceManager.contents, path, bytes, here);
  setTimeout(() => location.reload(), 2000); // what is open shows what was there before
  return `${parts.length === 1 ? "1 file is" : `${parts.length} files are`} here now. What stood in their place is kept beside them.`;
};

// The lesson as it came, with its boards; the learner's own stays beside it.
const beginAnew = async (app) => {
  const { context, sessionContext } = app.shell.currentWidget;
  const { contents } = app.serviceManager;
  const { path } = context;
  await context.save();
  const beside = path.replace(/\.ipynb$/, `_mine_${today()}.ipynb`);
  await store(contents, beside, await contents.get(path, { content: true }));
  const boards = [...(await storedFiles()).keys()].filter((each) => each.startsWith(`${BOARDS}${stemOf(path)}_`));
  await Promise.all([path, ...boards].map((each) => contents.delete(each)));
  await context.revert();
  await sessionContext.session?.kernel?.restart();
  return `The lesson is as it came. Yours is kept as ${beside}.`;
};

// keeps: whether this browser keeps files. Where it does not, all but a download is idle.
export function offerWork(app, bar, keeps) {
  if (!keeps) {
    bar.explain("This browser keeps nothing of what you do.");
    bar.offer("Download my work", () => download(app));
    return;
  }
  bar.explain("What you do stays in this browser, on this computer, and nobody else sees it.");
  bar.offer("Download my work", () => download(app));
  bar.offer("Bring my work", () => bring(app));
  bar.offer("Begin this lesson anew", () => beginAnew(app));
  addEventListener("visibilitychange", () => document.hidden && saveAll(app));
  const { fileChanged } = app.serviceManager.contents;
  const persist = (_, { type }) => {
    if (type !== "save") return;
    fileChanged.disconnect(persist); // Firefox asks the learner, at every time
    navigator.storage?.persist?.();
  };
  fileChanged.connect(persist);
}
