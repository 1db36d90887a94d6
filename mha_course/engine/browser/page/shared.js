// What every widget does: it shows the markup that Python made, tells Python what the hand did, and puts
// Python's answer in its places. The messages are written down in pictures/protocol.py.
// No node that can have the focus is ever disabled, so the focus stays where it is.

const SOON = 400; // milliseconds in which an answer usually comes; later ones are seen to be on their way
const PATIENCE = 5000; // milliseconds
const PROMPT = 1000; // how long saving waits for the kernel
const PAUSE = 300; // in the work, after which the stored picture follows
const NO_ANSWER = "No answer yet. The kernel may be busy. If nothing comes, run this cell again.";

const isOff = (node) => node.closest("form, button")?.dataset.off === "true";

// What is so already is left alone, here and below: even the same value again costs the page a new style.
const switchOff = (node, off) => {
  if (node.dataset.off === String(off)) return;
  node.dataset.off = off;
  for (const each of node.elements ?? [node]) {
    if (each.tagName !== "FIELDSET") each.ariaDisabled = off ? "true" : null;
  }
};

// What is filled in becomes the default too, so that a form can be reset to it. What is being typed stays.
const fill = (field, text) => {
  if (["radio", "checkbox"].includes(field.type)) field.checked = field.defaultChecked = field.value === text;
  else if (field.options) {
    if (field.value === text && field.selectedOptions[0].defaultSelected) return;
    for (const option of field.options) option.selected = option.defaultSelected = option.value === text;
  } else {
    const untouched = field.value === field.defaultValue;
    if (field.defaultValue !== text) field.defaultValue = text;
    if (field.value !== text && (untouched || field !== document.activeElement)) field.value = text;
  }
};

const within = (milliseconds, begin) =>
  new Promise((done) => {
    const timer = setTimeout(done, milliseconds);
    begin(() => done(clearTimeout(timer)));
  });

// Connects an element with its session. kind: its class; drawn(): the screen is new; updated(message): so is a part.
function connect({ model, el, kind, drawn = () => {}, updated = () => {} }) {
  const view = String(Math.random());
  const find = (attribute, name) => el.querySelector(`[${attribute}="${name}"]`);

  const firstField = () => el.querySelector("td input") ?? el.querySelector("button");

  // Actions go out one batch at a time; what the hand does meanwhile joins the next batch.
  let actions = [];
  let waiting = null;
  const flush = () => {
    if (waiting || !actions.length) return;
    waiting = [
      setTimeout(() => (el.ariaBusy = "true"), SOON),
      setTimeout(() => {
        el.ariaBusy = null; // of what is busy a screen reader reads no news
        fillPart("notice", NO_ANSWER);
      }, PATIENCE),
    ];
    model.send({ actions });
    actions = [];
  };
  const send = (...action) => {
    actions.push(action);
    flush();
  };

  const fillPart = (name, html) => {
    const place = find("data-part", name);
    if ((place.filledWith ?? "") === html) return; // a live region speaks of news only
    place.innerHTML = place.filledWith = html;
  };

  // What is being typed stays, in the field that now stands where the other did.
  const draw = (html) => {
    const focused = el.contains(document.activeElement) ? document.activeElement : null;
    const at = focused?.closest("[data-at]")?.dataset.at;
    const token = focused?.dataset.token;
    const ofDrawing = token && `[data-part="${focused.closest("[data-part]").dataset.part}"] [data-token="${token}"]`;
    const typed = focused?.matches("input, textarea") && focused.value !== focused.defaultValue ? focused.value : null;
    const open = [...el.querySelectorAll("details[data-form][open]")].map((panel) => panel.dataset.form);
    el.innerHTML = html;
    for (const name of open) find("data-form", name)?.toggleAttribute("open", true); // what is new may have no such fold
    drawn();
    if (!focused) return;
    const same = at
      ? find("data-at", at)?.querySelector("input") ?? find("data-at", at)
      : ofDrawing ? el.querySelector(ofDrawing) : find("name", focused.name);
    if (same && typed !== null) same.value = typed;
    (same ?? (at ? null : firstField()))?.focus();
  };

  const update = ({ html, fields = {}, locked = [], hidden = [], off = [], parts = {}, ...rest }) => {
    if (html) draw(html);
    for (const form of el.querySelectorAll("form")) {
      switchOff(form, locked.includes(form.dataset.form));
      form.hidden = hidden.includes(form.dataset.form);
    }
    const focused = el.contains(document.activeElement) && document.activeElement.name;
    for (const [name, text] of Object.entries({ notice: "", ...parts })) fillPart(name, text);
    for (const [name, texts] of Object.entries(fields)) {
      for (const field of find("data-form", name).querySelectorAll(":is(input, select, textarea)[name]")) {
        fill(field, texts[field.name] ?? "");
      }
    }
    for (const button of el.querySelectorAll("button[name]")) switchOff(button, off.includes(button.name));
    if (focused && !el.contains(document.activeElement)) { // it stands elsewhere now, or nowhere
      (find("name", focused) ?? firstField())?.focus();
    }
    updated(rest);
  };

  let settled = () => {};
  const saves = []; // that wait for the picture
  const hear = (message) => {
    if (message.picture) return saves.splice(0).forEach((done) => done());
    if (message.view && message.view !== view) return;
    waiting?.forEach(clearTimeout);
    waiting = el.ariaBusy = null;
    update(message);
    flush();
    if (!waiting) settled();
  };

  // What is being typed counts, and the picture that is saved is the present one; then JupyterLab gets the keys.
  const save = async (event) => {
    event.preventDefault();
    const { parentElement } = el;
    const again = new KeyboardEvent("keydown", event);
    const focused = document.activeElement;
    focused.blur(); // which ends the typing
    focused.focus();
    if (waiting) await within(PROMPT, (done) => (settled = done));
    await within(PROMPT, (done) => {
      saves.push(done);
      model.send({ picture: true });
    });
    parentElement.dispatchEvent(again);
  };

  const takeBack = (event, name) => {
    const button = find("name", name);
    const isTyping = event.target.matches("input, textarea") && event.target.value !== event.target.defaultValue;
    if (!button || isTyping) return;
    event.preventDefault();
    if (!isOff(button)) send("press", name);
  };

  el.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.defaultPrevented) return;
    const key = event.key.toLowerCase();
    if (key === "s") save(event);
    else if (key === "z") takeBack(event, event.shiftKey ? "redo" : "undo");
    else if (key === "y") takeBack(event, "redo");
  });

  // Else JupyterLab takes Enter, the arrows and letters for its own, wherever the focus is: b would add a cell.
  el.addEventListener("focusin", ({ target }) => (target.dataset.lmSuppressShortcuts = "true"));

  el.addEventListener("click", (event) => {
    const button = event.target.closest("button[name]");
    if (!button || isOff(button)) return;
    const along = button.dataset.with && find("name", button.dataset.with);
    if (along) along.defaultValue = along.value; // sent, and no longer being typed
    send("press", button.name, ...(along ? [along.value] : []));
  });

  el.classList.add("mha", kind);
  model.on("msg:custom", hear);
  draw(model.get("html"));
  send("show", view);
  const disconnect = () => {
    model.off("msg:custom", hear);
    waiting?.forEach(clearTimeout);
  };
  return { send, isAnswered: () => !waiting && !actions.length, disconnect };
}

// Lets the widget live in the place of its pictures, which carry its mark and follow it.
function inPlaceOfPictures(render, model, host) {
  const mark = model.get("mark");
  let pause = null;
  const hear = (message) => {
    if (message.picture) return host.store(mark, message.picture);
    if (message.view) return;
    clearTimeout(pause);
    pause = setTimeout(() => model.send({ picture: true }), PAUSE);
  };
  model.on("msg:custom", hear);
  host.gone.addEventListener("abort", () => {
    model.off("msg:custom", hear);
    clearTimeout(pause);
  });
  host.inPlaceOfPictures(mark, (el) => render({ model, el }));
}

const alive = (render) => ({
  render,
  initialize: ({ model, signal }) => {
    if (model.get("mark")) inPlaceOfPictures(render, model, jupyterLab(model, signal));
  },
});
