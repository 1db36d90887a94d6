// Makes the cells of the board live: fields to change, numbers to ask. An entry can stand in several places.

const PIXELS_A_STEP = 6;
const KEYS = { n: "next", p: "back", s: "before" }; // letters that no number has
const MOTION = 300; // milliseconds
const SAID = 2000; // milliseconds for which a button says what it did
const MANY = 36; // arcs; more do not glide, because every frame would cost
const TALL = 620; // pixels; from here on the messages stay in sight while the board scrolls

const address = (node) => node.closest?.("td[data-at]")?.dataset.at;
const entryField = (node) => (node.tagName === "INPUT" && address(node) ? node : null);
const widen = (field) => (field.parentElement.dataset.text = field.value); // a cell is as wide as what it says
const restore = (field) => {
  field.value = field.defaultValue;
  field.ariaInvalid = null;
  widen(field);
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
  for (const td of entries) {
    const field = document.createElement("input");
    field.value = field.defaultValue = td.textContent;
    field.ariaLabel = nameOf(td);
    field.size = 1;
    field.autocomplete = "off";
    td.classList.add("mha-input");
    td.replaceChildren(field);
    widen(field);
  }
}

// In a step, the operands move into the entry that they make.
function fly(from, to) {
  if (!to || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const end = to.getBoundingClientRect();
  for (const td of from) {
    if (!td?.checkVisibility()) continue;
    const { left, top, width, height } = td.getBoundingClientRect();
    const ghost = to.closest(".mha-workbench").appendChild(document.createElement("span"));
    ghost.className = "mha-flying";
    ghost.ariaHidden = "true";
    ghost.textContent = td.firstElementChild?.value ?? td.textContent;
    Object.assign(ghost.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px`, background: td.style.background });
    const way = `translate(${end.left + end.width / 2 - left - width / 2}px, ${end.top - top}px)`;
    ghost.animate([{}, { transform: way, opacity: 0.2 }], { duration: MOTION, easing: "ease-in" }).finished.finally(() => ghost.remove());
  }
}

// Copies what a field holds, and says so on the button; where no page may, the text is selected for the keyboard.
async function copy(button, field) {
  const before = (button.dataset.before ??= button.textContent);
  button.ariaLive = "polite";
  try {
    await navigator.clipboard.writeText(field.value);
    button.textContent = "Copied";
  } catch {
    field.select();
    button.textContent = "Selected: press Ctrl+C";
  }
  setTimeout(() => (button.textContent = before), SAID);
}

// Moves the focus to the next entry that way, if there is one.
function walk(td, down, across) {
  const next = beside(td, down, across);
  if (!next) return;
  td.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

function render({ model, el }) {
  let cells = new Map();
  let marked = [];
  const sizes = sizing();
  let hand = null; // what a narrow page shows of it
  let told = null; // the entry that the last step made
  let fading; // until what moved loses its tint

  const drawn = () => {
    const { inputs } = el.querySelector("[data-inputs]").dataset;
    for (const table of el.querySelectorAll("table")) enliven(table, inputs.split(","));
    cells = new Map();
    for (const node of el.querySelectorAll("[data-at], [data-look]")) {
      const at = node.dataset.at ?? node.dataset.look;
      cells.set(at, [...(cells.get(at) ?? []), node]);
    }
    el.classList.toggle("mha-tall", el.offsetHeight > TALL);
    sizes.disconnect();
    for (const each of el.querySelectorAll(".mha-drawing > .mha-sentence")) {
      sizes.observe(each);
      each.parentElement.classList.toggle("mha-many", each.querySelectorAll("path").length > MANY);
    }
    hand?.drawn();
    showPressed();
  };
  // What the browser alone knows: whether the menu is open, and all larger.
  const showPressed = () => {
    el.querySelector("[data-more]").ariaExpanded = String(el.classList.contains("mha-open"));
    el.querySelector("[data-larger]").ariaPressed = String(el.classList.contains("mha-larger"));
  };

  const mark = (at, change) => {
    for (const td of cells.get(at) ?? []) if (td.dataset.at) marked.push(td), change(td);
  };
  const firstCell = (at) => cells.get(at)?.find((node) => node.dataset.at);
  const unmark = (td) => {
    td.removeAttribute("data-moved");
    td.removeAttribute("title");
    td.classList.remove("mha-selected", "mha-source", "mha-reached", "mha-counts");
    td.removeAttribute("aria-selected");
    const field = td.firstElementChild;
    if (field?.ariaInvalid) restore(field);
  };

  const show = (td, text) => {
    const field = td.firstElementChild;
    if (!field) td.firstChild.nodeValue = text; // cheaper than textContent, which makes a new node
    else fill(field, text), widen(field);
  };
  // While a row is stepped through, nothing that is drawn is ahead of it: no matrix, row or entry.
  const showReached = (reached) => {
    const isStepping = reached.length > 0;
    if (!isStepping && !el.classList.contains("mha-stepping")) return;
    el.classList.toggle("mha-stepping", isStepping);
    const there = new Set(reached.flatMap((at) => [at, at.split(",")[0], at.split(":")[0]]));
    for (const node of el.querySelectorAll("[data-live-of], [data-look]")) { // a matrix, a row or an entry
      node.classList.toggle("mha-ahead", isStepping && !there.has(node.dataset.liveOf ?? node.dataset.look));
    }
    if (el.contains(document.activeElement) && document.activeElement.closest(".mha-ahead")) {
      el.querySelector("button[name=next]").focus(); // what had the focus is out of sight
    }
  };
  const updated = ({ cells: changed = {}, drawings = {}, marks, on = [] }) => {
    for (const [name, svg] of Object.entries(drawings)) refresh(el.querySelector(`[data-part="${name}"]`), svg);
    for (const [key, entries] of Object.entries(changed)) {
      for (const [row, column, text, look] of entries) {
        for (const node of cells.get(`${key}:${row},${column}`)) {
          if (text !== null && node.dataset.at) show(node, text);
          if (look !== null) node.style.background = look;
        }
      }
    }
    marked.forEach(unmark);
    for (const table of el.querySelectorAll("table[data-moved]")) table.removeAttribute("data-moved");
    marked = [];
    for (const at of marks.masked) mark(at, (td) => (td.title = "masked"));
    for (const [key, directions] of Object.entries(marks.moved)) {
      for (const [sign, places] of Object.entries(directions)) {
        for (const place of places.split(" ")) {
          mark(`${key}:${place}`, (td) => (td.dataset.moved = sign, td.closest("table").dataset.moved = ""));
        }
      }
    }
    if (Object.keys(changed).length) { // a fade would have every frame's styles computed anew
      el.classList.add("mha-fresh");
      clearTimeout(fading);
      fading = setTimeout(() => el.classList.remove("mha-fresh"), MOTION);
    }
    for (const table of el.querySelectorAll("table[data-asks]")) {
      [...table.tBodies[0].rows].forEach((row, i) => row.toggleAttribute("data-chosen", i === marks.chosen));
    }
    for (const at of marks.counts) mark(at, (td) => td.classList.add("mha-counts"));
    for (const at of marks.sources) mark(at, (td) => td.classList.add("mha-source"));
    for (const at of marks.reached) mark(at, (td) => td.classList.add("mha-reached"));
    showReached(marks.reached);
    if (marks.reached.length) for (const fold of el.querySelectorAll(".mha-folded:not([open])")) fold.open = true;
    for (const name of ["before", "pin"]) el.querySelector(`button[name="${name}"]`).ariaPressed = String(on.includes(name));
    mark(marks.selected, (td) => (td.classList.add("mha-selected"), (td.ariaSelected = "true")));
    const isNext = marks.reached.length && marks.selected !== told;
    if (isNext) fly(marks.sources.map(firstCell), firstCell(marks.selected));
    told = marks.selected;
    hand.updated();
    mark(marks.bad, (td) => (td.firstElementChild.ariaInvalid = "true"));
  };

  const { send, isAnswered, disconnect } = connect({ model, el, kind: "mha-workbench", drawn, updated });

  hand = underHand(el, send);
  hand.drawn();
  choosing(el, (word) => send("choose", word));
  pullable(el, send, isAnswered);

  const commit = (field) => {
    if (field.value !== field.defaultValue) send("edit", address(field), field.value);
  };

  el.addEventListener("keydown", (event) => {
    const at = address(event.target);
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const name = isPlain && !event.target.matches("input[name], textarea, select") && KEYS[event.key];
    if (name) {
      const button = el.querySelector(`button[name="${name}"]`);
      if (!isOff(button)) send("press", name);
      return event.preventDefault();
    }
    const field = entryField(event.target);
    if (field && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      if (field.ariaInvalid) restore(field);
      commit(field);
      send("step", at, (event.key === "ArrowUp" ? 1 : -1) * (event.shiftKey ? 10 : 1));
    } else if (field && event.key === "Enter") {
      commit(field);
      field.select(); // so that the next number replaces this one
    } else if (event.key === "Escape" && el.classList.contains("mha-stepping")) {
      send("press", "end");
    } else if (field && event.key === "Escape") {
      restore(field);
    } else if (at && !field && event.key === " " && el.querySelector("[data-hides]")) {
      send("hide", at);
    } else if (at && !field && ARROWS[event.key]) {
      walk(event.target, ...ARROWS[event.key]);
    } else if (event.key === "Enter" && event.target.matches("input[name]")) {
      event.target.blur(); // which the browser takes for the end of typing
      event.target.focus();
    } else return;
    event.preventDefault();
  });

  el.addEventListener("focusin", ({ target }) => {
    if (target.tagName !== "TD") return;
    target.ariaLabel = `${nameOf(target)}: ${target.title} ${target.textContent}`;
    send("select", address(target));
  });
  el.addEventListener("focusout", (event) => {
    const field = entryField(event.target);
    if (field?.ariaInvalid) restore(field);
    else if (field) commit(field);
  });
  el.addEventListener("input", (event) => {
    const field = entryField(event.target);
    if (field) widen(field);
  });

  let drag = null;
  let clicked = null; // a field that was pressed and not dragged
  let asked = null; // the score that was selected before this click: a second click hides it
  el.addEventListener("pointerdown", (event) => {
    const field = entryField(event.target);
    const td = event.target.closest("td[data-at]");
    asked = td === document.activeElement && ["scores", "weights"].includes(td.closest("table").dataset.matrix) ? td : null;
    drag = field && { field, x: event.clientX, isClick: field.value === field.defaultValue };
    if (drag?.isClick) field.setSelectionRange(0, 0); // a press on what is selected would end in no selection
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
    clicked = drag?.isClick ? drag.field : null;
    drag = null;
  });

  el.addEventListener("change", (event) => {
    const { name, value, tagName } = event.target;
    if (name && tagName !== "TEXTAREA") send("set", name, value);
  });
  el.addEventListener("click", (event) => {
    if (event.target === clicked) clicked.select(); // so that typing replaces the number; earlier, a tap would open a menu
    if (asked?.contains(event.target) && el.querySelector("[data-hides]")) send("hide", address(asked));
    const copier = event.target.closest("button[data-copy]");
    if (copier) copy(copier, el.querySelector(`[name="${copier.dataset.copy}"]`));
    if (event.target.closest("button[data-larger]")) el.classList.toggle("mha-larger");
    if (event.target.closest("button[data-more]")) el.classList.toggle("mha-open");
    showPressed();
  });
  el.addEventListener("toggle", (event) => send("open", event.target.dataset.form, event.target.open), true);

  return () => (sizes.disconnect(), disconnect());
}

export default alive(render);
