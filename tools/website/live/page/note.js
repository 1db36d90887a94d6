// What a page to read says of its Python: a button that wakes it, and how far it is.
const MEGABYTE = 1e6;
const READ = 8000; // milliseconds in which a sentence is read

const element = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

export const wakingButton = (text, act = null) => element("button", { type: "button", onclick: act }, text);

export function makeNote(wake) {
  const button = wakingButton("Make this page live", wake);
  document.querySelector(".run").prepend(button);
  const status = element("p", { role: "status" });
  const progress = element("progress", { hidden: true, ariaLabel: "How much of Python is here" });
  const note = document.body.appendChild(element("div", { id: "waking", hidden: true }, status, progress));

  const say = (text) => {
    note.hidden = false;
    progress.hidden = true;
    if (status.textContent !== text) status.textContent = text;
  };
  globalThis.sayOnPage = say; // what keeping.js has to say
  return {
    say,
    fetching(fetched, all) {
      button.hidden = true;
      say(all ? `Fetching Python: ${(fetched / MEGABYTE).toFixed(1)} of ${(all / MEGABYTE).toFixed(1)} MB` : "Fetching Python …");
      progress.hidden = false;
      if (all) Object.assign(progress, { max: all, value: fetched });
    },
    starting: () => say("Python is starting …"),
    ready() {
      say("This page is live. What you do stays in this browser, also for the notebooks.");
      setTimeout(() => (note.hidden = true), READ);
    },
    failed(reason) {
      button.hidden = false;
      say(`Python does not run here: ${reason} The pictures stay.`);
    },
  };
}
