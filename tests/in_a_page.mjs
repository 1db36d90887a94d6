// Runs Python code in Pyodide, which a page would do, and prints what it gives: FOLDER COURSE CODE
import { readdirSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, course, code] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: `${folder}/` });
await python.loadPackage(["numpy", "ipython", "packaging", "threadpoolctl"], { messageCallback() {} });
const PURE = /^(anywidget|cloudpickle|comm|ipywidgets|psygnal|typing_extensions)-/;
for (const file of readdirSync(folder).filter((name) => PURE.test(name)))
  python.unpackArchive(new Uint8Array(readFileSync(`${folder}/${file}`)), "wheel");
python.mountNodeFS("/course", course);
python.runPython("import sys; sys.dont_write_bytecode = True; sys.path[:0] = ['/course', '/course/tests']");
try {
  console.log(python.runPython(code));
} catch (error) {
  console.error(error.message);
  process.exit(1); // the rest of what Node.js would say is Pyodide's own source
}
process.exit(0);
