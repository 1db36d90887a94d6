// A computer that others use, too: its learner takes everything along, and nothing of it stays.
import { dropAllDrafts } from "./drafts.js";
import { download } from "./one_file.js";
import { element } from "./saying.js";
import { forgetFiles, storeNoMore } from "./browser_store.js";

const LEFT = "left";
const FORGOTTEN = 1000; // milliseconds in which all is
const tabs = new BroadcastChannel("mha_course");

// Of the course's other tabs, each is told, and goes to another page when all is forgotten. act: how this one does.
export const whenLeft = (act) => tabs.addEventListener("message", ({ data }) => {
  if (data !== LEFT) return;
  storeNoMore();
  setTimeout(act, FORGOTTEN);
});

// files: path -> model. Gives them as one file, forgets them, and shows nothing else any more. home: the first page's address.
export async function leave(files, home) {
  const link = download(files);
  tabs.postMessage(LEFT);
  storeNoMore();
  dropAllDrafts();
  await forgetFiles();
  try {
    sessionStorage.clear();
  } catch { /* it may not be asked */ }
  const title = element("h1", { tabIndex: -1 }, "You can leave this computer");
  const took = link ? ["What you did is in one file, among your downloads: ", link, ". Is it not there? The link gives it again, as long as this page is open. Take it to another computer, and choose “Bring my work” there."] : ["Nothing of yours was here."];
  const parts = [title, element("p", {}, ...took), element("p", {}, "This browser has forgotten all of it."), element("p", {}, element("a", { href: home }, "The first page"))];
  document.body.replaceChildren(element("main", { className: "left" }, ...parts));
  title.focus();
}
