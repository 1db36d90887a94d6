// Makes the cells of the tables live: fields to change, numbers to ask.

const PIXELS_A_STEP = 6;
const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

const address = (node) => node.closest?.("td[data-at]")?.dataset.at;
const entryField = (node) => (node.tagName === "INPUT" && address(node) ? node : null);
const restore = (field) => {
  field.value = field.defaultValue;
  field.ariaInvalid = null;
};

// The entries of an input become text fields; those of a computed matrix a grid to walk through.
function enliven(table, inputs) {
  const entries = [...table.querySelectorAll("td[data-at]")];
  if (!inputs.includes(table.dataset.matrix)) {
    table.setAttribute("role", "grid");
    table.setAttribute("aria-label", table.caption.textContent);
    entries.forEach((td, i) => (td.tabIndex = i ? -1 : 0));
    return;
  }
  const columns = [...table.rows[0].cells].map((th) => th.textContent);
  for (const td of entries) {
    const field = document.createElement("input");
    field.value = field.defaultValue = td.textContent;
    field.ariaLabel = `${table.dataset.matrix}, ${td.parentElement.cells[0].textContent}, ${columns[td.cellIndex]}`;
    field.size = 5;
    field.inputMode = "decimal";
    field.autocomplete = "off";
    td.classList.add("mha-input");
    td.replaceChildren(field);
  }
}

// Moves the focus to the next cell that way, if there is one.
function walk(td, down, across) {
  const row = td.closest("table").rows[td.parentElement.rowIndex + down];
  const next = row?.cells[td.cellIndex + across];
  if (!next || next.tagName === "TH") return;
  if (!next.dataset.at) return walk(next, down, across); // an ellipsis
  td.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

function render({ model, el }) {
  let cells = new Map();
  let marked = [];

  const drawn = () => {
    const { inputs } = el.querySelector("[data-inputs]").dataset;
    for (const table of el.querySelectorAll("table")) enliven(table, inputs.split(","));
    cells = new Map([...el.querySelectorAll("td[data-at]")].map((td) => [td.dataset.at, td]));
  };

  const mark = (at, change) => {
    const td = cells.get(at);
    if (td) marked.push(td), change(td);
  };
  const unmark = (td) => {
    td.removeAttribute("data-moved");
    td.classList.remove("mha-selected", "mha-source");
    td.removeAttribute("aria-selected");
    const field = td.firstElementChild;
    if (field?.ariaInvalid) restore(field);
  };

  const updated = ({ cells: changed = [], marks }) => {
    for (const [at, text, colour] of changed) {
      const td = cells.get(at);
      if (text !== null && td.firstElementChild) fill(td.firstElementChild, text);
      else if (text !== null) td.firstChild.nodeValue = text; // cheaper than textContent, which makes a new node
      if (colour !== null) td.style.backgroundColor = colour;
    }
    marked.forEach(unmark);
    marked = [];
    for (const [at, by] of Object.entries(marks.moved)) mark(at, (td) => (td.dataset.moved = by));
    for (const at of marks.sources) mark(at, (td) => td.classList.add("mha-source"));
    mark(marks.selected, (td) => (td.classList.add("mha-selected"), (td.ariaSelected = "true")));
    mark(marks.bad, (td) => (td.firstElementChild.ariaInvalid = "true"));
  };

  const { send, disconnect } = connect({ model, el, kind: "mha-workbench", drawn, updated });

  const commit = (field) => {
    if (field.value !== field.defaultValue) send("edit", address(field), field.value);
  };

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
    const source = event.target.closest("button[data-copy]")?.dataset.copy;
    if (source) navigator.clipboard?.writeText(el.querySelector(`[name="${source}"]`).value);
  });
  el.addEventListener("toggle", (event) => send("open", event.target.dataset.form, event.target.open), true);

  return disconnect;
}

export default alive(render);
