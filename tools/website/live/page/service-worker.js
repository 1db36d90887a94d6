// Answers from what the browser keeps of this page, so that a second visit needs no network. FILES, which the build
// writes above, holds what each file is now: one that a new version left unchanged is not fetched again.
/* global FILES */
const KEPT = "mha_course";
const NOT_HERE = "This page was not kept, and there is no network now. Lessons that you opened before are here.";
// A new one each time, as it can be read once. By its words fetch_on_import.py knows it.
const notHere = () => new Response(NOT_HERE, { status: 503, statusText: "Not kept" });

self.addEventListener("fetch", (event) => {
  const path = pathOf(event.request);
  if (event.request.method !== "GET" || !(path in FILES)) return; // JupyterLite's own part answers
  event.stopImmediatePropagation();
  event.respondWith(answer(path, event.request.url));
});

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => event.waitUntil(Promise.all([self.clients.claim(), forget()])));

self.addEventListener("message", (event) => {
  const { keep: addresses = [], all = false } = event.data;
  const named = addresses.map((url) => pathOf({ url })).filter((path) => path in FILES);
  const paths = new Set([...named, ...(all ? Object.keys(FILES).filter(isOfAPage) : [])]);
  const keep = (path) => answer(path, new URL(path, self.registration.scope).href);
  event.waitUntil(Promise.allSettled([...paths].map(keep)));
});

// A page to read, or what any of them may need; of the notebooks nothing, before one was opened: they are large.
const isOfAPage = (path) => /^(_static\/|run\/page\/(bundled\/)?)?[^/]+\.(html|css|js|json|woff2)$/.test(path);

const pathOf = ({ url }) => {
  const { origin, pathname } = new URL(url);
  const scope = new URL(self.registration.scope);
  if (origin !== scope.origin || !pathname.startsWith(scope.pathname)) return "";
  const path = decodeURIComponent(pathname.slice(scope.pathname.length)).replace(/(^|\/)$/, "$1index.html");
  return `${path}.html` in FILES ? `${path}.html` : path; // as some hosts write it
};

const keyOf = (path) => new URL(`${path}?kept=${FILES[path]}`, self.registration.scope).href;

const answer = async (path, url) => {
  const cache = await caches.open(KEPT);
  const kept = await cache.match(keyOf(path));
  if (kept) return kept;
  const fetched = await fetch(url, { cache: "no-cache" }).then(asked, notHere);
  if (fetched.ok) await cache.put(keyOf(path), fetched.clone()).catch(() => caches.delete(KEPT)); // no room: it is the learner's
  return fetched;
};

// Some hosts lead from x.html to x. A page cannot take that from here; what it would find there, it can.
const asked = (answer) => (answer.redirected ? new Response(answer.body, answer) : answer);

const forget = async () => {
  const cache = await caches.open(KEPT);
  const current = new Set(Object.keys(FILES).map(keyOf));
  const kept = await cache.keys();
  const isOwn = ({ url }) => url.startsWith(self.registration.scope); // the notebooks have a keeper of their own
  await Promise.all(kept.filter((each) => isOwn(each) && !current.has(each.url)).map((request) => cache.delete(request)));
};
