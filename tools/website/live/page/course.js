// What stands around a live lesson: a bar that says how far Python is, and the learner's work in their own hands.
import { makeBar } from "./bar.js";
import { saveBesideOthers } from "./beside.js";
import { fetchPython } from "./fetching.js";
import { keepForOffline, OF_THE_NOTEBOOKS, registerKeeper } from "./keeping.js";
import { notebooks, tellNotebooks, watchKernels } from "./kernels.js";
import { offerNewVersion } from "./lessons.js";
import { leadBack, showNamedCell } from "./place.js";
import { saveWithLittleRoom } from "./room.js";
import { offerWork } from "./work.js";

const PATIENCE = 100; // milliseconds between two looks

// JupyterLab forgets at a reload which lesson the address named.
const LESSON = "lesson";
const named = new URLSearchParams(location.search).get("path");
if (named) sessionStorage.setItem(LESSON, named);
const path = named ?? sessionStorage.getItem(LESSON);

const parts = await (await fetch(new URL("parts.json", import.meta.url))).json();
const bar = makeBar(parts, path);
const keeps = registerKeeper(OF_THE_NOTEBOOKS);

const fetched = fetchPython(parts.python, (done, all) => bar.fetching(done, all)).catch((error) => {
  globalThis.sayOnPage(`${error.message} Is the network there? Then reload: what has come stays.`);
});

const app = await new Promise((done) => {
  const look = () => (globalThis.jupyterapp ? done(globalThis.jupyterapp) : setTimeout(look, PATIENCE));
  look();
});
saveBesideOthers(app);
saveWithLittleRoom(app);
await app.restored;
tellNotebooks(app);
if (path && notebooks(app).length === 0) app.commands.execute("docmanager:open", { path });
leadBack(app, bar.home);
showNamedCell(app);
offerWork(app, bar, await keeps);
if (await keeps) offerNewVersion(app, parts);
await fetched;
bar.starting();
await watchKernels(app, bar);
const next = [...parts.python.map(({ name }) => `python/${name}`), ...parts.offline];
if (await keeps) keepForOffline({ next: next.map((path) => new URL(`../${path}`, import.meta.url).href) });
