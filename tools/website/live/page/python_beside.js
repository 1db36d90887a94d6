// The Python of a page to read: it runs in a worker, and what it has to keep goes where the live notebooks keep it.
import { keepForOffline, OF_THE_SITE, registerKeeper, renewKeeper } from "./keeping.js";
import { plainPage } from "./plain_page.js";
import { BOARDS, changeFile, isCode, joined, PROGRESS, storedFiles, textOf } from "./browser_store.js";

const RUN = new URL("../", import.meta.url).href; // the folder of the notebooks

// note: says how far it is. Returns whether the browser keeps anything, what has it keep all pages,
// what activates a widget, of the cell's name, the place it is to live in, and its source, and what runs a cell: show takes each
// output, with the name of the cell that gives it, and the promise tells of each cell that ran whether it came to its end. One
// of these at a time.
export async function startPython(lesson, note) {
  note.begins();
  const parts = fetch(new URL("parts.json", import.meta.url)).then((answer) => answer.json());
  const [{ reading }, keeps] = await Promise.all([parts, registerKeeper(OF_THE_SITE), renewKeeper(RUN)]);
  const worker = new Worker(new URL("reading_worker.js", import.meta.url));
  const say = (message) => worker.postMessage(message);
  const hear = plainPage(say);
  let waiting = {}; // for a widget's first answer, or a cell's end

  const heard = async (message) => {
    if (message.show) waiting.id = message.show;
    await hear(message);
    if (message.to && message.to === waiting.id) waiting.done();
  };
  const keep = (path, text) => {
    const change = path === PROGRESS ? (before) => joined(before ?? "", text) : () => text;
    const told = () => (path === PROGRESS || isCode(path)) && document.dispatchEvent(new Event("progress"));
    changeFile(path, change).then(told, () => note.warn("What you do cannot be kept: this browser has no room for it, or may not."));
  };

  await new Promise((done, refuse) => {
    const fail = (error) => {
      worker.terminate(); // whose other news would hide this
      refuse(error);
    };
    worker.addEventListener("error", () => fail(new Error("a part of it did not load.")));
    worker.addEventListener("message", ({ data }) => {
      const { fetched, all, ready, error, file, text, output, shown, ran } = data;
      if (error) (waiting.fail ?? fail)(new Error(error));
      else if (all) note.fetching(fetched, all);
      else if (ready) done();
      else if (file) keep(file, text);
      else if (output) waiting.show(shown, output);
      else if (ran) waiting.done(ran);
      else heard(data);
    });
    say({ start: reading });
  });
  note.starting();
  say({ begin: `${lesson}.ipynb`, files: await filesThat((path) => path === PROGRESS || path.startsWith(BOARDS) || isCode(path)) });
  return {
    keeps,
    keepPages: () => keeps && keepForOffline({ all: true }),
    activate: (cell, place, source) => new Promise((done, fail) => {
      waiting = { done, fail };
      say({ activate: cell, place, source });
    }),
    run: async (cell, source, before, show) => {
      const files = await filesThat(isCode); // another tab may have kept more meanwhile
      return new Promise((done, fail) => {
        waiting = { done, fail, show };
        say({ run: cell, source, before, files });
      });
    },
    end: (error) => {
      worker.terminate();
      waiting.fail?.(error);
    },
  };
}

const filesThat = async (isWanted) => {
  const files = await storedFiles().catch(() => new Map());
  const own = [...files].filter(([path]) => isWanted(path));
  return Object.fromEntries(own.map(([path, model]) => [path, textOf(model)]));
};
