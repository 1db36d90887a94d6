// The page around a widget that lives in the place of its pictures: its host. The widget itself touches only get, on,
// off and send of its model; whatever else it needs, its host does:
//   inPlaceOfPictures(mark, live)  calls live(element) in the place of each picture with this mark, there now or
//                                  coming later; what it returns is called when that place has gone
//   store(mark, picture)           keeps the picture wherever those with this mark are kept
//   gone                           a signal: the widget has gone, or the kernel that keeps it alive

const GONE = ["restarting", "autorestarting", "terminating", "dead"]; // what a kernel's status is then

// JupyterLab's page. The pictures stand in the cells' outputs: so they are what is saved, and what is there when no
// kernel is. signal: tells that the widget has gone.
function jupyterLab(model, signal) {
  const { context } = model.widget_manager;
  const gone = whenGone(model, context?.sessionContext, signal);

  const inPlaceOfPictures = (mark, live) => {
    let views = [];
    let isNew = true;
    const show = (picture) => {
      const output = picture.closest(".jp-OutputArea-output");
      if (!output || output.nextElementSibling?.classList.contains("mha-alive")) return;
      const place = document.createElement("div");
      place.className = "jp-OutputArea-output mha-alive";
      const el = place.appendChild(document.createElement("div"));
      output.after(place);
      output.classList.add("mha-placeholder");
      views.push({ output, place, end: live(el) });
      if (isNew && wasJustRun(place)) requestAnimationFrame(() => bringIntoView(place));
      isNew = false;
    };
    const deactivate = (leaving) => {
      views = views.filter((view) => !leaving.includes(view));
      for (const { output, place, end } of leaving) {
        end();
        place.remove();
        output.classList.remove("mha-placeholder");
      }
    };
    const look = (nodes) => {
      deactivate(views.filter(({ output }) => !output.isConnected)); // of a cell that was run again, say
      for (const node of nodes) {
        if (node.classList.contains(mark)) show(node);
        for (const picture of node.getElementsByClassName(mark)) show(picture);
      }
    };
    gone.addEventListener("abort", () => deactivate(views));
    watchPage(look, gone);
    look([document.body]);
  };

  const store = (mark, [data, metadata]) => {
    for (const { outputs } of context?.model?.cells ?? []) {
      for (let i = 0; i < (outputs?.length ?? 0); i++) {
        const output = outputs.get(i).toJSON();
        if (!String(output.data?.["text/html"]).includes(mark)) continue;
        if (output.data["text/html"] !== data["text/html"]) outputs.set(i, { ...output, data, metadata });
      }
    }
  };

  return { inPlaceOfPictures, store, gone };
}

// Whether the hand has just run the cell: JupyterLab then stays there, or goes on to the next one.
function wasJustRun(place) {
  const cell = place.closest(".jp-Cell");
  return [cell, cell?.nextElementSibling].some((each) => each?.classList.contains("jp-mod-active"));
}

// Whole, where it fits; else from its beginning.
function bringIntoView(place) {
  const { clientHeight } = place.closest(".jp-WindowedPanel-outer") ?? document.documentElement;
  place.scrollIntoView({ block: place.offsetHeight > clientHeight ? "start" : "nearest" });
}

// Calls look(elements) with those that come to the page, as when it is scrolled to them, and after others have left.
function watchPage(look, signal) {
  const { looks } = oneForAll("page", () => {
    const looks = new Set();
    const observer = new MutationObserver((changes) => {
      const nodes = changes.flatMap(({ addedNodes }) => [...addedNodes]);
      const elements = nodes.filter((node) => node.nodeType === Node.ELEMENT_NODE);
      for (const each of [...looks]) each(elements);
    });
    observer.observe(document.body, { childList: true, subtree: true });
    return { looks, end: () => observer.disconnect() };
  }, signal);
  looks.add(look);
  signal.addEventListener("abort", () => looks.delete(look));
}

// Returns a signal that tells when the widget has gone, or the kernel that keeps it alive.
function whenGone(model, session, signal) {
  const gone = new AbortController();
  const tell = () => gone.abort();
  const hear = (_, status) => GONE.includes(status) && tell();
  session?.kernelChanged.connect(tell);
  session?.statusChanged.connect(hear);
  model.on("comm_live_update", tell);
  signal.addEventListener("abort", tell);
  gone.signal.addEventListener("abort", () => {
    session?.kernelChanged.disconnect(tell);
    session?.statusChanged.disconnect(hear);
    model.off("comm_live_update", tell);
  });
  return gone.signal;
}
