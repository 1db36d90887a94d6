// The Python of a page to read. reading_page.py says what messages mean; before the first one of Python's there are
// {fetched, all}, in bytes, and then {ready: true}. What goes wrong is {error}.
/* global loadPyodide */
importScripts("unpacking.js");

const START = `
import pyodide_js
from mha_course.engine.browser.fetch_on_import import fetch_at_import
from mha_course.engine.browser.reading_page import ReadingPage
fetch_at_import(pyodide_js)
ReadingPage(post)
`;
const RUNS_CELLS = "ipython"; // once one is to run
const QUIETLY = { messageCallback: () => {} };
const post = (text) => postMessage(JSON.parse(text));

const start = async ({ files, packages }) => {
  const { fetchPython } = await import("./fetching.js");
  await fetchPython(files, (fetched, all) => postMessage({ fetched, all }));
  const python = await loadPyodide({ indexURL: new URL("../python/", location).href, packages });
  const page = python.runPython(START, { globals: python.toPy({ post }) });
  postMessage({ ready: true });
  return async (data) => {
    const text = JSON.stringify(data);
    if ("run" in data) await python.loadPackage(RUNS_CELLS, QUIETLY);
    for (const source of page.sources(text)) await python.loadPackagesFromImports(source, QUIETLY).catch(() => {}); // the import tells
    page.hear(text);
  };
};

let started = null;
addEventListener("message", async ({ data }) => {
  try {
    if (data.start) await (started = start(data.start));
    else await (await started)(data);
  } catch (error) {
    console.error(error);
    postMessage({ error: String(error.message ?? error).trim().split("\n").pop() });
  }
});
