// What a page to read says of its Python: a button that wakes it, and how far it is.
import { element, makeLine } from "./saying.js";

const READ = 8000; // milliseconds in which a sentence is read

export const wakingButton = (text, act = null) => element("button", { type: "button", onclick: act }, text);

export function makeNote(wake) {
  const button = wakingButton("Make this page live", wake);
  document.querySelector(".run").prepend(button);
  const { status, progress, ...line } = makeLine("p");
  const note = document.body.appendChild(element("div", { id: "waking", hidden: true }, status, progress));

  const say = (text) => {
    note.hidden = false;
    line.say(text);
  };
  globalThis.sayOnPage = say; // what keeping.js has to say
  return {
    ...line,
    say,
    begins() {
      button.hidden = true;
      say("Fetching Python …");
      progress.hidden = false;
    },
    ready(keeps) {
      say(`This page is live. ${keeps ? "What you do is kept in this browser, for the live notebooks too." : "This browser keeps nothing of what you do."}`);
      setTimeout(() => (note.hidden = true), READ);
    },
    failed(reason) {
      button.hidden = false;
      say(`Python does not run here: ${reason} The pictures stay.`);
    },
  };
}
