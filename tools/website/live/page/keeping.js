// Keeps the page's files in the browser, so that it opens again without a network: see service-worker.js.
export const OF_THE_NOTEBOOKS = new URL("../service-worker.js?enableCache=false", import.meta.url); // as JupyterLite asks for it
export const OF_THE_SITE = new URL("../../service-worker.js", import.meta.url);

const FORGETS = "This browser keeps no files for this page: a private window does so, or a setting, or a full disk. The lesson "
  + "runs, and what you do counts until you close it. To keep it, open the page in an ordinary window.";

// Whether what a learner does can be kept, which a page cannot know without trying.
const canStore = () => new Promise((done) => {
  try {
    const request = indexedDB.open("mha_course_test");
    request.onsuccess = () => done(true, request.result.close());
    request.onerror = () => done(false);
  } catch {
    done(false);
  }
});

// On its second visit JupyterLite takes the keeper away and asks for it anew. WebKit has none then: without a network
// no Python starts, and with one it looks like a new version. What JupyterLite does not find, it leaves in place.
if (navigator.serviceWorker) navigator.serviceWorker.getRegistrations = async () => [];

// Lets a keeper work from the first moment. Returns whether anything can be kept.
export async function registerKeeper(script) {
  const keeper = navigator.serviceWorker;
  const wasThere = keeper?.controller?.scriptURL === script.href; // and not that of the pages around it
  keeper?.addEventListener("controllerchange", () => {
    if (wasThere) globalThis.sayOnPage("A new version of the course is here. It shows when you reload.");
  });
  // WebKit, asked again without a network, would forget the keeper; browsers look for a newer one by themselves.
  const works = wasThere || (await keeper?.register(script).then(worksSoon).catch(() => false));
  const keeps = Boolean(works) && (await canStore());
  if (!keeps) globalThis.sayOnPage(FORGETS);
  return keeps;
}

// Has a keeper that is there look for its newer self: whatever a worker of the notebooks' folder fetches goes through the
// hands of that folder's own, also from a page that another one keeps.
export async function renewKeeper(scope) {
  const there = await navigator.serviceWorker?.getRegistration(scope).catch(() => null); // who blocks all cookies has none
  if (there?.scope === scope) await there.update().then(worksSoon).catch(() => false);
}

// What is fetched from now on then goes through its hands.
async function worksSoon({ installing, waiting, active }) {
  const worker = installing ?? waiting ?? active;
  while (!["activated", "redundant"].includes(worker.state)) {
    await new Promise((done) => worker.addEventListener("statechange", done, { once: true }));
  }
  return worker.state === "activated";
}

// Everything that this visit used, and what the next one will: it is in the browser's cache, or small. next: addresses; all:
// whether every page to read is kept.
export async function keepForOffline({ next = [], all = false }) {
  if (navigator.connection?.saveData) return;
  const { active } = await navigator.serviceWorker.ready;
  const used = performance.getEntriesByType("resource").map(({ name }) => name);
  active.postMessage({ keep: [...new Set([location.href, ...used, ...next])], all });
}
