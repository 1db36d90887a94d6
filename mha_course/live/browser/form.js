// Shows the markup that Python made, tells Python what was filled in, and puts Python's answer in its places.
// No node that can have the focus is ever replaced or disabled, so the focus stays where it is.

const PATIENCE = 5000; // milliseconds

function render({ model, el }) {
  const view = String(Math.random());
  const part = (name) => el.querySelector(`[data-part="${name}"]`);
  const isOff = (node) => node.closest("form, button")?.dataset.off === "true";

  let waiting = null;
  const send = (...action) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      part("notice").textContent =
        "No answer yet. The kernel may be busy; if it was restarted, run this cell again.";
    }, PATIENCE);
    model.send({ action });
  };

  // Else JupyterLab takes Enter, the arrows and letters for its own, wherever the focus is.
  const keepKeys = () => {
    for (const node of el.querySelectorAll("input, select, button, summary")) {
      node.dataset.lmSuppressShortcuts = "true";
    }
  };

  // What is set becomes the default too, so that reset() brings it back.
  const fill = (field, text) => {
    if (field.type === "radio") field.checked = field.defaultChecked = field.value === text;
    else if (field.options) {
      for (const option of field.options) option.selected = option.defaultSelected = option.value === (text ?? "");
    } else if (field.name) field.value = field.defaultValue = text ?? "";
  };

  const switchOff = (node, off) => {
    node.dataset.off = off;
    for (const field of node.elements ?? [node]) {
      if (field.tagName !== "FIELDSET") field.ariaDisabled = off ? "true" : null;
    }
  };

  const update = (message) => {
    if (message.view && message.view !== view) return;
    clearTimeout(waiting);
    for (const form of el.querySelectorAll("form")) {
      const name = form.dataset.form;
      const fields = message.fields[name];
      if (fields) for (const field of form.elements) fill(field, fields[field.name]);
      switchOff(form, message.locked.includes(name));
      form.hidden = message.hidden.includes(name);
    }
    for (const button of el.querySelectorAll("button[name]")) switchOff(button, message.off.includes(button.name));
    for (const [name, html] of Object.entries(message.parts)) {
      const place = part(name);
      if (place.dataset.html !== html) place.innerHTML = place.dataset.html = html; // a live region speaks only of news
    }
    keepKeys();
  };

  // JupyterLab keeps Enter in a text field from submitting its form.
  el.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches("input")) return;
    event.preventDefault();
    event.target.form.requestSubmit();
  });
  el.addEventListener("submit", (event) => {
    event.preventDefault();
    const form = event.target;
    if (!isOff(form)) send("submit", form.dataset.form, Object.fromEntries(new FormData(form)));
  });
  el.addEventListener("input", (event) => {
    if (isOff(event.target)) event.target.form.reset(); // an answer that was committed to
  });
  el.addEventListener("click", (event) => {
    const button = event.target.closest("button[name]");
    if (button && !isOff(button)) send("press", button.name);
  });

  el.classList.add("mha-form");
  el.innerHTML = model.get("html");
  keepKeys();
  model.on("msg:custom", update);
  send("show", view);
  return () => model.off("msg:custom", update);
}

export default { render };
