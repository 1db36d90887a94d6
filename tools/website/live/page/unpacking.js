// Pyodide, for a worker. Its largest parts travel packed, which halves what a page fetches where a host packs nothing.
/* global loadPyodide */
const PACKED = { // what the browser is told that each part is; python.py packs them
  "pyodide-lock.json": "application/json",
  "pyodide.asm.js": "text/javascript",
  "pyodide.asm.wasm": "application/wasm",
};

const unpacked = async (address, type) => {
  const answer = await fetch(`${address}.packed`); // not .gz, which some servers say they have packed themselves
  if (!answer.ok) throw new Error("A part of Python did not load.");
  return new Response(answer.body.pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": type } });
};

// Returns what fetches as before, but packed parts as if they were not, so that they are compiled as they come.
const unpacking = (plain, folder) => (asked, options) => {
  const type = PACKED[String(asked).replace(folder, "")];
  return type ? unpacked(asked, type) : plain(asked, options);
};

self.loadPyodide = async (options) => {
  const { indexURL } = options;
  const script = await unpacked(`${indexURL}pyodide.asm.js`, PACKED["pyodide.asm.js"]);
  importScripts(URL.createObjectURL(await script.blob()), `${indexURL}pyodide.js`);
  self.fetch = unpacking(fetch, indexURL);
  return loadPyodide(options); // which is now Pyodide's own
};
