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

function follow(name, signal) {
  const over = new AbortController();
  const stop = () => over.abort();
  let end = Date.now() + LOADING;
  let isThere = false;
  const timer = setInterval(() => {
    const heading = headingOf(name);
    if (heading && !isThere) end = Date.now() + SETTLING;
    isThere ||= Boolean(heading);
    if (heading) bringBack(heading);
    if (Date.now() > end) stop();
  }, 100);
  over.signal.addEventListener("abort", () => clearInterval(timer));
  signal.addEventListener("abort", stop, { signal: over.signal });
  for (const each of HANDS) document.addEventListener(each, stop, { capture: true, signal: over.signal });
}

function followLinks() {
  const over = new AbortController();
  const hear = (event) => {
    const link = event.target.closest?.(".jp-RenderedHTML a");
    const target = [link?.getAttribute("href"), link?.dataset.commandlinkerArgs].join(" ");
    if (target.includes("#cell-id=")) follow(link.textContent, over.signal);
  };
  document.addEventListener("click", hear, { signal: over.signal });
  return { end: () => over.abort() };
}

export default {
  initialize: ({ model, signal }) => void oneForAll("links", followLinks, jupyterLab(model, signal).gone),
};
