// The learner's work in a live notebook: downloaded, brought back, left, or a lesson begun anew.
import { notebooks } from "./kernels.js";
import { leave, whenLeft } from "./leaving.js";
import { bring, downloadAndTell } from "./one_file.js";
import { BOARDS, nameOf, store, storedFiles, today } from "./browser_store.js";

const HOME = "../../index.html";

const stemOf = (path) => nameOf(path).replace(/\.ipynb$/, "");

const saveAll = async (app) => {
  const changed = notebooks(app).filter(({ context }) => context.model.dirty);
  await Promise.allSettled(changed.map(({ context }) => context.save()));
};

// All files; a notebook that is not among them, or could not be saved, as it stands on the page.
const allFiles = async (app) => {
  await saveAll(app);
  const stored = await storedFiles();
  const onlyHere = notebooks(app).filter(({ context }) => !stored.has(context.path) || context.model.dirty);
  return new Map([...stored, ...onlyHere.map(({ context }) => [context.path, { type: "notebook", content: context.model.toJSON() }])]);
};

const bringAll = async (app) => {
  await saveAll(app);
  const said = await bring(storedFiles, (path, model) => store(app.serviceManager.contents, path, model));
  if (said) setTimeout(() => location.reload(), 2000); // what is open shows what was there before
  return said;
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
    bar.offer("Download my work", async () => downloadAndTell(await allFiles(app)));
    return;
  }
  bar.explain("What you do stays in this browser, on this computer, and nobody else sees it.");
  bar.offer("Download my work", async () => downloadAndTell(await allFiles(app)));
  bar.offer("Bring my work", () => bringAll(app));
  bar.offer("Begin this lesson anew", () => beginAnew(app));
  bar.offer("Leave this computer", async () => {
    const files = await allFiles(app);
    await app.serviceManager.sessions.shutdownAll(); // what runs would go on to keep
    await leave(files, HOME);
  });
  whenLeft(() => location.replace(HOME));
  addEventListener("visibilitychange", () => document.hidden && saveAll(app));
  const { fileChanged } = app.serviceManager.contents;
  const persist = (_, { type }) => {
    if (type !== "save") return;
    fileChanged.disconnect(persist); // Firefox asks the learner, at every time
    navigator.storage?.persist?.();
  };
  fileChanged.connect(persist);
}
