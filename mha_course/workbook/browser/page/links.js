// JupyterLab follows a link to a cell before the cells above it have their height, and they push it away. So the
// heading that a link names is brought back to the top until the page stands still, or until a hand moves it.

const LOADING = 30000; // milliseconds for a notebook to open
const SETTLING = 3000; // for its cells to get their height
const HANDS = ["wheel", "pointerdown", "keydown", "touchstart"];

const headingOf = (name) =>
  [...document.querySelectorAll(".jp-NotebookPanel:not(.lm-mod-hidden) :is(h1, h2, h3, h4)")].find((each) =>
    each.textContent.startsWith(`${name} `),
  );

const bringBack = (heading) => {
  const page = heading.closest(".jp-WindowedPanel-outer") ?? heading.closest(".jp-Notebook");
  const { top, height } = page.getBoundingClientRect();
  const distance = heading.getBoundingClientRect().top - top;
  if (distance < 0 || distance > height / 6) heading.scrollIntoView();
};

function follow(name) {
  let end = Date.now() + LOADING;
  let isThere = false;
  const stop = () => {
    clearInterval(timer);
    for (const each of HANDS) document.removeEventListener(each, stop, true);
  };
  const timer = setInterval(() => {
    const heading = headingOf(name);
    if (heading && !isThere) end = Date.now() + SETTLING;
    isThere ||= Boolean(heading);
    if (heading) bringBack(heading);
    if (Date.now() > end) stop();
  }, 100);
  for (const each of HANDS) document.addEventListener(each, stop, true);
}

const hear = (event) => {
  const link = event.target.closest?.(".jp-RenderedHTML a");
  const target = [link?.getAttribute("href"), link?.dataset.commandlinkerArgs].join(" ");
  if (target.includes("#cell-id=")) follow(link.textContent);
};

export default {
  initialize({ signal }) {
    if (document.documentElement.dataset.mhaLinks) return; // another notebook's does it for the whole page
    document.documentElement.dataset.mhaLinks = "followed";
    document.addEventListener("click", hear);
    signal.addEventListener("abort", () => {
      delete document.documentElement.dataset.mhaLinks;
      document.removeEventListener("click", hear);
    });
  },
};
