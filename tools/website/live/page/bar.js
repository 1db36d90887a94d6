// The bar above the lesson.
import { element, makeLine } from "./saying.js";

// lessons: of parts.json; path: of the notebook. Returns how the rest of the page speaks, and where its commands go.
export function makeBar({ lessons }, path) {
  const lesson = lessons.find(({ name }) => `${name}.ipynb` === path);
  const line = makeLine("span", { id: "course-status", textContent: "The page is being built …" });
  const action = element("button", { type: "button", hidden: true });
  const commands = element("div", { className: "commands" });
  const menu = element("details", {}, element("summary", {}, "My work"), commands);
  const home = element("a", { href: `../../${lesson?.name ?? "index"}.html`, title: "The same lesson as a page to read" }, "Read");
  const title = element("span", { className: "title" }, lesson?.title ?? "Multi-head attention");
  const bar = element("section", { id: "course-bar", ariaLabel: "This lesson" }, home, title, line.status, line.progress, action, menu);
  document.body.prepend(bar);
  document.body.classList.add("has-course-bar");
  addEventListener("click", (event) => menu.contains(event.target) || (menu.open = false));
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    menu.open = false;
    menu.firstElementChild.focus();
  });

  const setAction = (label = "", act = null) => Object.assign(action, { hidden: !label, textContent: label, onclick: act });
  const say = (text, label, act) => {
    line.say(text);
    setAction(label, act);
  };
  return {
    home,
    say,
    fetching(done, all) {
      setAction();
      line.fetching(done, all);
    },
    starting: () => say("Python is starting …"),
    ready: () => say("Python is ready."),
    // A command of the menu. act: returns what to say, or nothing
    offer(text, act) {
      const run = async () => {
        menu.open = false;
        const said = await act().catch((error) => `That did not work: ${error.message}`);
        if (said) say(said);
      };
      commands.append(element("button", { type: "button", onclick: run }, text));
    },
    explain: (text) => commands.append(element("p", {}, text)),
  };
}
