// The learner's files as one: packed, and brought back. Nothing is ever thrown away.
import { strToU8, unzipSync, zipSync } from "./bundled/packing.js";
import { element } from "./saying.js";
import { joined, notebookOf, textOf, today, unlined } from "./browser_store.js";

const OUTSIDE = { name: "python3", display_name: "Python 3 (ipykernel)", language: "python" };
const LINES = ".jsonl"; // each once, so that what was answered here and there counts
const OUTER = /^my_attention_course_[^/]*\//, NO_WORK = /\/$|(^|\/)(__MACOSX\/|\.)/; // as computers pack a folder again

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
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return { type: "file", format: "base64", content: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")) };
  }
  if (!path.endsWith(".ipynb")) return { type: "file", format: "text", content: text };
  const content = JSON.parse(text);
  for (const { data } of content.cells.flatMap(({ outputs = [] }) => outputs)) joinLines(data ?? {});
  return { type: "notebook", format: "json", content };
};

// A file on disk may hold a text as lines, which JupyterLab would show with commas between them.
const joinLines = (data) => {
  for (const [kind, text] of Object.entries(data)) data[kind] = unlined(text);
};

// files: path -> model. Downloads them as one file, and returns the link that does; null if there are none.
export function download(files) {
  if (files.size === 0) return null;
  const zip = zipSync(Object.fromEntries([...files].map(([path, model]) => [path, bytesOf(model)])));
  const name = `my_attention_course_${today()}.zip`;
  const link = element("a", { href: URL.createObjectURL(new Blob([zip], { type: "application/zip" })), download: name }, name);
  link.click();
  return link;
}

// Downloads one of them as it is, and returns what to say.
export function downloadOne(path, model) {
  element("a", { href: URL.createObjectURL(new Blob([bytesOf(model)])), download: path }).click();
  return `${path} is among your downloads.`;
}

// Does so with all of them, and returns what to say.
export function downloadAndTell(files) {
  if (!download(files)) return "There is nothing yet: no lesson was changed, and nothing was answered.";
  return `${files.size === 1 ? "1 file was" : `${files.size} files were`} put into one, among your downloads.`;
}

const chosen = () => new Promise((done) => {
  const input = element("input", { type: "file", accept: ".zip,.ipynb,.jsonl,.py", multiple: true });
  input.onchange = () => done([...input.files]);
  input.oncancel = () => done([]);
  input.click();
});

const unpacked = async (file) => {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return file.name.endsWith(".zip") ? Object.entries(unzipSync(bytes)) : [[file.name, bytes]];
};

const isOther = (one, another) => String(bytesOf(one)) !== String(bytesOf(another));

// A name beside a file's own that is not taken.
const besideOf = (path, taken) => {
  const names = Array.from({ length: taken.size + 1 }, (_, turn) => path.replace(/(\.\w+)?$/, `_before_${today()}${turn ? `_${turn}` : ""}$1`));
  return names.find((name) => !taken.has(name));
};

const OURS = /\.(zip|ipynb|jsonl|py)$/;

// Asks for files, and puts them beside those that are here, or in their place: those are kept under another name.
// here: gives the files that are here, as path -> model; put: of a path and a model. Returns what to say.
export async function bring(here, put) {
  const files = await chosen();
  if (files.length === 0) return "";
  const strange = files.find(({ name }) => !OURS.test(name));
  if (strange) return `${strange.name} is no file of the course: those end in .zip, .ipynb, .jsonl or .py.`;
  const parts = (await Promise.all(files.map(unpacked))).flat().map(([path, bytes]) => [path.replace(OUTER, ""), bytes]).filter(([path]) => path && !NO_WORK.test(path));
  const brought = parts.map(([path, bytes]) => [path, modelOf(path, bytes)]); // all can be read, before the first is put
  const own = new Map(await here());
  const keep = async (path, model) => {
    own.set(path, model);
    await put(path, model);
  };
  for (const [path, model] of brought) {
    const before = own.get(path);
    if (path.endsWith(LINES)) model.content = joined(before ? textOf(before) : "", model.content);
    else if (before && isOther(before, model)) await keep(besideOf(path, own), before);
    await keep(path, model);
  }
  return `${brought.length === 1 ? "1 file is" : `${brought.length} files are`} here now. What stood in their place is kept beside them.`;
}
