// Keeps the page's files in the browser, so that it opens again without a network: see service-worker.js.
const WORKER = new URL("../service-worker.js?enableCache=false", import.meta.url); // as JupyterLite asks for it

export async function registerKeeper(bar) {
  if (!navigator.serviceWorker) {
    globalThis.sayOnPage(
      "This browser lets the page keep no files, as in some private windows. The lesson runs, but what you answer "
        + "counts only until you close it: open the page in an ordinary window to keep it.",
    );
    return;
  }
  const wasThere = Boolean(navigator.serviceWorker.controller);
  navigator.serviceWorker.addEventListener("controllerchange", () => {
    if (wasThere) bar.say("A new version of the course is here. It shows when you reload.", "Reload", () => location.reload());
  });
  await navigator.serviceWorker.register(WORKER).catch((error) => {
    globalThis.sayOnPage(`This page can keep no files (${error.message}): your answers count until you close it.`);
  });
}

// Everything that this visit used, and what the next lesson will: it is in the browser's cache, or small.
export async function keepForOffline({ python, offline }) {
  if (!navigator.serviceWorker || navigator.connection?.saveData) return;
  const { active } = await navigator.serviceWorker.ready;
  const here = new URL("../", import.meta.url);
  const used = performance.getEntriesByType("resource").map(({ name }) => name);
  const wanted = [
    location.href, ...used.filter((name) => name.startsWith(here.href)),
    ...[...python.map(({ name }) => `python/${name}`), ...offline].map((path) => new URL(path, here).href),
  ];
  active.postMessage({ keep: [...new Set(wanted)] });
}
