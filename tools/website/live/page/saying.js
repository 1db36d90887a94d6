// The line in which a page says how far its Python is, with a bar of progress.
const MEGABYTE = 1e6;

export const element = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

export function makeLine(kind, properties = {}) {
  const status = element(kind, { role: "status", ...properties });
  const progress = element("progress", { hidden: true });
  progress.setAttribute("aria-label", "How much of Python is here");
  const say = (text) => {
    if (status.textContent !== text) status.textContent = text;
    progress.hidden = true;
  };
  const fetching = (done, all) => {
    say(`Fetching Python: ${(done / MEGABYTE).toFixed(1)} of ${(all / MEGABYTE).toFixed(1)} MB`);
    Object.assign(progress, { hidden: false, max: all, value: done });
  };
  return { status, progress, say, fetching, starting: () => say("Python is starting …") };
}
