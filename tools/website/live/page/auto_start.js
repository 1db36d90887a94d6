// Whether the Python of a page to read begins by itself, and when.
const ACTIVE = "active"; // as the browser remembers for this visit
const LITTLE = 2; // gigabytes of memory

// Somebody asked for it on a page of this visit, so the others come alive, too.
export function remember() {
  try {
    sessionStorage.setItem(ACTIVE, "yes");
  } catch { /* it may not */ }
}

function isRemembered() {
  try {
    return Boolean(sessionStorage.getItem(ACTIVE));
  } catch {
    return false;
  }
}

// Ten megabytes are nothing to most, but not to all. Where a browser does not say how it is connected, a mouse does.
export function mayBegin() {
  if (isRemembered()) return true;
  const { connection, deviceMemory } = navigator;
  if (deviceMemory <= LITTLE) return false;
  if (!connection) return matchMedia("(pointer: fine)").matches;
  return !connection.saveData && connection.type !== "cellular" && connection.effectiveType === "4g";
}

const happens = (target, name) => new Promise((done) => target.addEventListener(name, done, { once: true }));

// Returns as soon as the page stands, somebody sees it, and the browser has nothing to do.
export async function untilIdle() {
  if (document.readyState !== "complete") await happens(window, "load");
  while (document.hidden) await happens(document, "visibilitychange");
  await new Promise(globalThis.requestIdleCallback ?? setTimeout);
}
