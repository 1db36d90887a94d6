// What every widget does: it shows the markup that Python made, tells Python what the hand did, and puts
// Python's answer in its places. The messages are written down in pictures/update.py.
// No node that can have the focus is ever disabled, so the focus stays where it is.

const SOON = 400; // milliseconds in which an answer usually comes; later ones are seen to be on their way
const PATIENCE = 5000; // milliseconds
const PROMPT = 1000; // how long saving waits for the kernel
const PAUSE = 300; // in the work, after which the stored picture follows
const NO_ANSWER = "No answer yet. The kernel may be busy. If nothing comes, run this cell again.";

const GONE = ["restarting", "autorestarting", "terminating", "dead"]; // what a kernel's status is then

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
  new Promise((done) => (setTimeout(done, milliseconds), begin(done)));

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

  const draw = (html) => {
    const focused = el.contains(document.activeElement) ? document.activeElement : null;
    const at = focused?.closest("[data-at]")?.dataset.at;
    const token = focused?.dataset.token;
    const ofDrawing = token && `[data-part="${focused.closest("[data-part]").dataset.part}"] [data-token="${token}"]`;
    const open = [...el.querySelectorAll("details[data-form][open]")].map((panel) => panel.dataset.form);
    el.innerHTML = html;
    for (const name of open) find("data-form", name).open = true;
    drawn();
    if (at) (find("data-at", at)?.querySelector("input") ?? find("data-at", at))?.focus();
    else if (focused) ((ofDrawing ? el.querySelector(ofDrawing) : find("name", focused.name)) ?? firstField())?.focus();
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
  const hear = (message) => {
    if (message.picture || (message.view && message.view !== view)) return;
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
      model.on("msg:custom", (message) => message.picture && done());
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
  return { send, isAnswered: () => !waiting && !actions.length, disconnect: () => model.off("msg:custom", hear) };
}

// Lets the widget live in the place of its pictures on JupyterLab's page. They carry its mark, and stand in the
// cells' outputs, where they follow it: so they are what is saved, and what is there when no kernel is.
function inPlaceOfPictures(render, model, signal) {
  const mark = model.get("mark");
  const { context } = model.widget_manager;
  const views = [];

  const show = (picture) => {
    const output = picture.closest(".jp-OutputArea-output");
    if (!output || output.nextElementSibling?.classList.contains("mha-alive")) return;
    const place = document.createElement("div");
    place.className = "jp-OutputArea-output mha-alive";
    const el = place.appendChild(document.createElement("div"));
    output.after(place);
    output.classList.add("mha-asleep");
    views.push({ output, place, disconnect: render({ model, el }) });
  };
  const showAll = (node) => {
    if (node.classList?.contains(mark)) show(node);
    for (const picture of node.getElementsByClassName?.(mark) ?? []) show(picture);
  };

  // The outputs that are shown now, and those that come, as when the page is scrolled to them.
  const observer = new MutationObserver((changes) => {
    for (const { addedNodes } of changes) addedNodes.forEach(showAll);
  });
  observer.observe(document.body, { childList: true, subtree: true });
  showAll(document.body);

  const store = (picture) => {
    for (const { outputs } of context?.model?.cells ?? []) {
      for (let i = 0; i < (outputs?.length ?? 0); i++) {
        const output = outputs.get(i).toJSON();
        if (!String(output.data?.["text/html"]).includes(mark)) continue;
        if (output.data["text/html"] !== picture["text/html"]) outputs.set(i, { ...output, data: picture });
      }
    }
  };
  let pause = null;
  model.on("msg:custom", (message) => {
    if (message.picture) return store(message.picture);
    if (message.view) return;
    clearTimeout(pause);
    pause = setTimeout(() => model.send({ picture: true }), PAUSE);
  });

  const fallAsleep = () => {
    observer.disconnect();
    clearTimeout(pause);
    for (const { output, place, disconnect } of views.splice(0)) {
      disconnect();
      place.remove();
      output.classList.remove("mha-asleep");
    }
  };
  whenGone(model, fallAsleep);
  signal.addEventListener("abort", fallAsleep);
}

// Tells when the kernel that keeps a widget alive has gone.
function whenGone(model, tell) {
  const session = model.widget_manager.context?.sessionContext;
  session?.kernelChanged.connect(tell);
  session?.statusChanged.connect((_, status) => GONE.includes(status) && tell());
  model.on("comm_live_update", tell);
}

const alive = (render) => ({
  render,
  initialize: ({ model, signal }) => {
    if (model.get("mark")) inPlaceOfPictures(render, model, signal);
  },
});
