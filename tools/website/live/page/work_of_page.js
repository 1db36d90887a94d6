// The learner's work on a page to read: downloaded, brought back, or taken away from a computer that others use, too.
import { leave, whenLeft } from "./leaving.js";
import { bring, downloadAndTell, downloadOne } from "./one_file.js";
import { element } from "./saying.js";
import { isCode, putFile, storedFiles } from "./browser_store.js";
import { endPython, warn } from "./activation.js";

const ELSEWHERE = "This lesson is open in another tab, too. What you write is kept from both. Where both change one cell, the "
  + "text of the other tab is behind “As I had it”.";
const READ = 2000; // milliseconds in which a sentence is read

// allFiles: returns all of them, as path -> model, when all is kept that can be.
export function offerWork(allFiles) {
  const status = element("p", { role: "status" });
  const offer = (text, act) => {
    const run = async () => {
      status.textContent = (await allFiles().then(act).catch((error) => `That did not work: ${error.message}`)) ?? "";
    };
    return element("button", { type: "button", onclick: run }, text);
  };
  const ownCode = element("div", { className: "own-code" });
  const offerCode = async () => {
    const paths = [...(await storedFiles()).keys()].filter(isCode);
    ownCode.replaceChildren(...paths.map((path) => offer(`Download ${path}`, async (files) => downloadOne(path, files.get(path)))));
  };
  const commands = [
    offer("Download my work", async (files) => downloadAndTell(files)),
    ownCode,
    offer("Bring my work", bringAll),
    element("p", {}, "On a computer that others use, too: you get the file, and this browser forgets everything."),
    offer("Leave this computer", async (files) => {
      endPython(new Error("The computer is left.")); // or it would go on to keep
      await leave(files, new URL("../../index.html", import.meta.url).href);
    }),
  ];
  const title = element("p", { className: "caption", id: "my-work" }, "My work");
  const explained = element("p", {}, "It stays in this browser. Download it to have it elsewhere.");
  const place = element("section", { className: "my-work" }, title, explained, ...commands, status);
  place.setAttribute("aria-labelledby", title.id);
  document.querySelector(".of-the-page").after(place);
  whenLeft(() => location.reload());
  document.addEventListener("progress", offerCode);
  offerCode().catch(() => {}); // where nothing is stored
}

async function bringAll() {
  const said = await bring(storedFiles, putFile);
  if (said) setTimeout(() => location.reload(), READ); // the page shows what was there before
  return said;
}

// Says so where a lesson is open in an earlier tab.
export function tellOfTabs(lesson) {
  const own = (lock) => (lock ? new Promise(() => {}) : warn(ELSEWHERE)); // as long as the page is there
  navigator.locks?.request(`mha_course ${lesson}`, { ifAvailable: true }, own).catch(() => {});
}
