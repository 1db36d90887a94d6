// Shows the markup that Python made, makes its cells live, and tells Python what the hand did.
// It draws nothing and computes nothing.

const PIXELS_A_STEP = 6;
const PATIENCE = 5000; // milliseconds

function render({ model, el }) {
  const view = String(Math.random());
  const find = (selector) => el.querySelector(selector);
  const address = (node) => node.closest?.("td[data-at]")?.dataset.at;
  const entryField = (node) => (node.tagName === "INPUT" && address(node) ? node : null);
  let cells = new Map();
  let marked = [];

  // Actions go out one batch at a time; what the hand does meanwhile joins the next batch.
  let actions = [];
  let waiting = null;
  const flush = () => {
    if (waiting || !actions.length) return;
    waiting = setTimeout(() => {
      find("[data-part=alert]").textContent =
        "No answer yet. The kernel may be busy; if it was restarted, run this cell again.";
    }, PATIENCE);
    model.send({ actions });
    actions = [];
  };
  const send = (...action) => {
    actions.push(action);
    flush();
  };

  const show = (html) => {
    const focused = el.contains(document.activeElement) ? document.activeElement : null;
    const again = focused && (address(focused) ? `[data-at="${address(focused)}"]` : `[name="${focused.name}"]`);
    const open = [...el.querySelectorAll("details[open]")].map((panel) => panel.dataset.panel);
    el.innerHTML = html;
    for (const name of open) find(`[data-panel="${name}"]`).open = true;
    cells = new Map([...el.querySelectorAll("td[data-at]")].map((td) => [td.dataset.at, td]));
    for (const table of el.querySelectorAll("table")) enliven(table);
    // Else JupyterLab takes a, b, d d and the arrows for its own, wherever the focus is.
    for (const node of el.querySelectorAll("td[data-at], input, select, button, summary, textarea")) {
      node.dataset.lmSuppressShortcuts = "true";
    }
    if (again) (find(`${again} input`) ?? find(again))?.focus();
  };

  // The entries of an input become text fields; those of a computed matrix a grid to walk through.
  const enliven = (table) => {
    const entries = [...table.querySelectorAll("td[data-at]")];
    const name = table.caption.textContent.split(" (")[0];
    const columns = [...table.rows[0].cells].map((th) => th.textContent);
    if (!isInput(entries[0])) {
      table.setAttribute("role", "grid");
      table.setAttribute("aria-label", table.caption.textContent);
      entries.forEach((td, i) => (td.tabIndex = i ? -1 : 0));
      return;
    }
    for (const td of entries) {
      const field = document.createElement("input");
      field.value = field.defaultValue = td.textContent;
      field.ariaLabel = `${name}, ${td.parentElement.cells[0].textContent}, ${columns[td.cellIndex]}`;
      field.size = 5;
      field.inputMode = "decimal";
      field.autocomplete = "off";
      td.classList.add("mha-input");
      td.replaceChildren(field);
    }
  };
  const isInput = (td) => find("[data-inputs]").dataset.inputs.split(",").includes(td.dataset.at.split(":")[0]);

  const write = (field, text) => {
    const untouched = field.value === field.defaultValue;
    field.defaultValue = text;
    if (untouched || field !== document.activeElement) field.value = text;
  };

  const update = (message) => {
    clearTimeout(waiting);
    waiting = null;
    if (message.html && (!message.view || message.view === view)) show(message.html);
    for (const [at, text, colour] of message.cells) {
      const td = cells.get(at);
      if (text !== null && td.firstElementChild) write(td.firstElementChild, text);
      else if (text !== null) td.firstChild.nodeValue = text; // cheaper than textContent, which makes a new node
      if (colour !== null) td.style.backgroundColor = colour;
    }
    for (const td of marked) {
      td.removeAttribute("data-moved");
      td.classList.remove("mha-selected", "mha-source");
      td.removeAttribute("aria-selected");
      const field = td.firstElementChild;
      if (field?.ariaInvalid) restore(field);
    }
    marked = [];
    const mark = (at, change) => {
      const td = cells.get(at);
      if (td) marked.push(td), change(td);
    };
    for (const [at, by] of message.moved) mark(at, (td) => (td.dataset.moved = by));
    for (const at of message.sources) mark(at, (td) => td.classList.add("mha-source"));
    if (message.selected) {
      mark(message.selected, (td) => (td.classList.add("mha-selected"), (td.ariaSelected = "true")));
    }
    if (message.bad) mark(message.bad, (td) => (td.firstElementChild.ariaInvalid = "true"));
    for (const [name, text] of Object.entries(message.texts)) find(`[data-part=${name}]`).textContent = text;
    for (const [name, text] of Object.entries(message.fields)) {
      const field = find(`[name=${name}]`);
      if (field?.options) field.value = text;
      else if (field) write(field, text);
    }
    for (const button of el.querySelectorAll("button[name]")) button.disabled = message.off.includes(button.name);
    find("[data-part=goal]").classList.toggle("mha-reached", message.reached);
    flush();
  };

  const commit = (field) => {
    if (field.value !== field.defaultValue) send("edit", address(field), field.value);
  };
  const restore = (field) => {
    field.value = field.defaultValue;
    field.ariaInvalid = null;
  };

  const walk = (td, down, across) => {
    const row = td.closest("table").rows[td.parentElement.rowIndex + down];
    const next = row?.cells[td.cellIndex + across];
    if (!next || next.tagName === "TH") return;
    if (!next.dataset.at) return walk(next, down, across); // an ellipsis
    td.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  };

  const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  el.addEventListener("keydown", (event) => {
    const at = address(event.target);
    const field = entryField(event.target);
    if (field && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      if (field.ariaInvalid) restore(field);
      commit(field);
      send("step", at, (event.key === "ArrowUp" ? 1 : -1) * (event.shiftKey ? 10 : 1));
    } else if (field && event.key === "Enter") {
      commit(field);
      field.select(); // so that the next number replaces this one
    } else if (field && event.key === "Escape") {
      restore(field);
    } else if (at && !field && ARROWS[event.key]) {
      walk(event.target, ...ARROWS[event.key]);
    } else if (event.key === "Enter" && event.target.matches("input[name]")) {
      event.target.blur(); // which the browser takes for the end of typing
      event.target.focus();
    } else return;
    event.preventDefault();
  });

  el.addEventListener("focusin", (event) => {
    if (event.target.tagName === "TD") send("select", address(event.target));
  });
  el.addEventListener("focusout", (event) => {
    const field = entryField(event.target);
    if (field?.ariaInvalid) restore(field);
    else if (field) commit(field);
  });

  let drag = null;
  el.addEventListener("pointerdown", (event) => {
    const field = entryField(event.target);
    drag = field && { field, x: event.clientX, isClick: field !== document.activeElement };
  });
  el.addEventListener("pointermove", (event) => {
    if (!drag || !event.buttons) return;
    const count = Math.trunc((event.clientX - drag.x) / PIXELS_A_STEP);
    if (!count) return;
    drag.x += count * PIXELS_A_STEP;
    drag.isClick = false;
    if (drag.field.ariaInvalid) restore(drag.field);
    drag.field.setPointerCapture(event.pointerId);
    send("step", address(drag.field), count);
  });
  el.addEventListener("pointercancel", () => (drag = null));
  el.addEventListener("pointerup", () => {
    if (drag?.isClick) drag.field.select(); // so that typing replaces the number
    drag = null;
  });

  el.addEventListener("change", (event) => {
    const { name, value, tagName } = event.target;
    if (name && tagName !== "TEXTAREA") send("set", name, value);
  });
  el.addEventListener("click", (event) => {
    const { name, dataset } = event.target.closest("button") ?? { dataset: {} };
    if (dataset.copy) navigator.clipboard?.writeText(find(`[name=${dataset.copy}]`).value);
    else if (dataset.with) {
      const area = find(`[name=${dataset.with}]`);
      area.defaultValue = area.value;
      send("press", name, area.value);
    } else if (name) send("press", name);
  });
  el.addEventListener("toggle", (event) => send("open", event.target.dataset.panel, event.target.open), true);

  el.classList.add("mha");
  model.on("msg:custom", update);
  show(model.get("html"));
  send("show", view);
  return () => model.off("msg:custom", update);
}

export default { render };
