// What every widget does: it shows the markup that Python made, tells Python what the hand did, and puts
// Python's answer in its places. The messages are written down in pictures/update.py.
// No node that can have the focus is ever disabled, so the focus stays where it is.

const PATIENCE = 5000; // milliseconds
const NO_ANSWER = "No answer yet. The kernel may be busy; if it was restarted, run this cell again.";

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
  if (field.type === "radio") field.checked = field.defaultChecked = field.value === text;
  else if (field.options) {
    if (field.value === text && field.selectedOptions[0].defaultSelected) return;
    for (const option of field.options) option.selected = option.defaultSelected = option.value === text;
  } else {
    const untouched = field.value === field.defaultValue;
    if (field.defaultValue !== text) field.defaultValue = text;
    if (field.value !== text && (untouched || field !== document.activeElement)) field.value = text;
  }
};

// Else JupyterLab takes Enter, the arrows and letters for its own, wherever the focus is.
const keepKeys = (el) => {
  for (const node of el.querySelectorAll("td[data-at], input, select, button, summary, textarea")) {
    node.dataset.lmSuppressShortcuts = "true";
  }
};

// Connects an element with its session. kind: its class; drawn(): the screen is new; updated(message): so is a part.
function connect({ model, el, kind, drawn = () => {}, updated = () => {} }) {
  const view = String(Math.random());
  const find = (attribute, name) => el.querySelector(`[${attribute}="${name}"]`);

  // Actions go out one batch at a time; what the hand does meanwhile joins the next batch.
  let actions = [];
  let waiting = null;
  const flush = () => {
    if (waiting || !actions.length) return;
    waiting = setTimeout(() => fillPart("notice", NO_ANSWER), PATIENCE);
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
    keepKeys(place);
  };

  const draw = (html) => {
    const focused = el.contains(document.activeElement) ? document.activeElement : null;
    const at = focused?.closest("[data-at]")?.dataset.at;
    const open = [...el.querySelectorAll("details[data-form][open]")].map((panel) => panel.dataset.form);
    el.innerHTML = html;
    for (const name of open) find("data-form", name).open = true;
    drawn();
    keepKeys(el);
    if (at) (find("data-at", at)?.querySelector("input") ?? find("data-at", at))?.focus();
    else if (focused) find("name", focused.name)?.focus();
  };

  const update = ({ html, fields = {}, locked = [], hidden = [], off = [], parts = {}, ...rest }) => {
    if (html) draw(html);
    for (const [name, texts] of Object.entries(fields)) {
      for (const field of find("data-form", name).querySelectorAll(":is(input, select, textarea)[name]")) {
        fill(field, texts[field.name] ?? "");
      }
    }
    for (const form of el.querySelectorAll("form")) {
      switchOff(form, locked.includes(form.dataset.form));
      form.hidden = hidden.includes(form.dataset.form);
    }
    for (const button of el.querySelectorAll("button[name]")) switchOff(button, off.includes(button.name));
    for (const [name, text] of Object.entries({ notice: "", ...parts })) fillPart(name, text);
    updated(rest);
  };

  const hear = (message) => {
    if (message.view && message.view !== view) return;
    clearTimeout(waiting);
    waiting = null;
    update(message);
    flush();
  };

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
  return { send, disconnect: () => model.off("msg:custom", hear) };
}
