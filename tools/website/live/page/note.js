// What a page to read says of its Python: how far it is, to whoever waits for it, and a button where it waits to be asked.
import { element, makeLine } from "./saying.js";

const READ = 8000; // milliseconds in which a sentence is read

export const activationButton = (text, act = null) => element("button", { type: "button", onclick: act }, text);

// beginsByItself: what nobody asked for says nothing, until a hand is laid on it.
export function makeNote(activate, beginsByItself) {
  const button = activationButton("Make this page live", () => {
    hear();
    activate();
  });
  button.hidden = beginsByItself;
  document.querySelector(".of-the-page")?.append(button); // beside the text, so that nothing moves; in a narrow page's menu
  const { status, progress, ...line } = makeLine("p");
  const warning = element("p", { role: "status" }); // which no progress takes the place of
  const note = document.body.appendChild(element("div", { id: "activation", hidden: true }, warning, status, progress));
  let isHeard = false;
  let isReady = false;
  let isOver = false; // and what is said then is soon read
  let hiding = 0;
  const hideSoon = () => {
    clearTimeout(hiding);
    hiding = setTimeout(() => {
      warning.textContent = "";
      note.hidden = isOver || !isHeard;
    }, READ);
  };

  const say = (text) => {
    note.hidden = !isHeard && !warning.textContent;
    line.say(text);
  };
  const hear = () => {
    if (isHeard) return;
    isHeard = true;
    if (status.textContent) say(status.textContent);
    if (isOver) hideSoon();
  };
  const warn = (text) => {
    note.hidden = false;
    warning.textContent = text;
    hideSoon();
  };
  globalThis.sayOnPage = say; // what keeping.js has to say
  return {
    ...line,
    hear,
    warn,
    begins() {
      isReady = false;
      button.hidden = true;
      say("Fetching Python …");
      progress.hidden = false;
    },
    ready(keeps) {
      if (isReady) return;
      isReady = true;
      if (!isHeard && keeps) return line.say(""); // the boards say it themselves
      say(`This page is live. ${keeps ? "What you do is kept in this browser, for the live notebooks too." : "This browser keeps nothing of what you do."}`);
      isOver = true;
      if (isHeard) hideSoon();
    },
    failed(reason) {
      button.hidden = false;
      say(`Python does not run here: ${reason} The pictures stay.`);
    },
  };
}
