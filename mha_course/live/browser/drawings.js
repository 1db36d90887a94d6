// Makes drawings live: brings them up to date in place, shows one token's row alone, lets a hand pull points.
// What a drawing shows is Python's; what the browser adds stands in data-live, which no update touches.

const PULL_STEP = 0.1; // units that one press of an arrow key asks for; with Shift, ten of them
const PULL_PATIENCE = 3000; // milliseconds that a drag waits for Python before it asks again
const PULLS = { ArrowLeft: ["x", -1], ArrowRight: ["x", 1], ArrowDown: ["y", -1], ArrowUp: ["y", 1] };
const OWN = ["data-live", "data-lm-suppress-shortcuts"];

// Brings a drawing in a place up to date: only what differs is written, so focus, hover and a drag go on.
// news: [element, attribute, value] of all that differs, or the whole SVG.
function refresh(place, news) {
  if (typeof news === "string") {
    const template = document.createElement("template");
    template.innerHTML = news;
    return alignChildren(place, template.content);
  }
  const elements = place.querySelectorAll("*");
  for (const [at, name, value] of news) elements[at].setAttribute(name, value);
}

function alignChildren(old, next) {
  const nodes = [...next.childNodes];
  while (old.childNodes.length > nodes.length) old.lastChild.remove();
  nodes.forEach((node, i) => (old.childNodes[i] ? align(old.childNodes[i], node) : old.append(node)));
}

function align(old, next) {
  if (old.nodeName !== next.nodeName) return old.replaceWith(next);
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.nodeValue !== next.nodeValue) old.nodeValue = next.nodeValue;
    return;
  }
  for (const { name, value } of next.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  for (const { name } of [...old.attributes]) {
    if (!next.hasAttribute(name) && !OWN.includes(name)) old.removeAttribute(name);
  }
  alignChildren(old, next);
}

// Hovering or focusing a token shows its curves alone, in every drawing below the element.
function singleOut(el) {
  const show = (drawing, token) => {
    const [side, place] = token?.dataset.token.split(":") ?? [];
    drawing.toggleAttribute("data-live", Boolean(token));
    for (const curve of drawing.querySelectorAll("[data-query]")) {
      curve.toggleAttribute("data-live", Boolean(token) && curve.dataset[side] === place);
    }
  };
  const of = (event, token) => {
    const drawing = event.target.closest?.(".mha-looks");
    if (!drawing) return;
    const focused = drawing.contains(document.activeElement) ? document.activeElement : null;
    show(drawing, token(event) ?? focused?.closest("[data-token]"));
  };
  const begin = (event) => of(event, ({ target }) => target.closest("[data-token]"));
  const end = (event) => of(event, ({ relatedTarget }) => relatedTarget?.closest?.(".mha-looks [data-token]"));
  el.addEventListener("pointerover", begin);
  el.addEventListener("focusin", begin);
  el.addEventListener("pointerout", end);
  el.addEventListener("focusout", (event) => of(event, () => null));
}

// Lets a hand move the points of the drawings below an element: send("pull", address, difference in units).
function pullable(el, send) {
  const handle = (event) => event.target.closest?.("[data-x][data-here]");
  const here = (node) => node.dataset.here.split(" ").map(Number);
  let drag = null;

  // A drag asks for what is missing between the point that Python drew and the pointer, in the units of its beginning.
  const ask = () => {
    if (!drag) return;
    drag.frame = null;
    const now = here(drag.node);
    const isWaiting = drag.asked.some((before, i) => before === now[i]);
    if (isWaiting && performance.now() - drag.when < PULL_PATIENCE) {
      drag.frame = requestAnimationFrame(ask);
      return;
    }
    const missing = drag.wanted.map((wanted, i) => Math.round((wanted - now[i]) * 1e4) / 1e4);
    const far = missing.map((each) => Math.abs(each) >= drag.unit / 2);
    const { node } = drag;
    if (drag.isOver) drag = null;
    if (!far.includes(true)) return;
    if (drag) Object.assign(drag, { asked: now.map((each, i) => (far[i] ? each : NaN)), when: performance.now() });
    if (far[0]) send("pull", node.dataset.x, missing[0]);
    if (far[1]) send("pull", node.dataset.y, missing[1]);
  };

  el.addEventListener("pointerdown", (event) => {
    const node = handle(event);
    if (!node) drag = null; // a drag that waits for its last answer must not undo what is pressed now
    if (!node || event.button) return;
    const svg = node.ownerSVGElement;
    const unit = 1 / (Number(svg.dataset.unit) * svg.getScreenCTM().a); // units of a pixel on the screen
    drag = { node, unit, x: event.clientX, y: event.clientY, from: here(node), asked: [], when: -Infinity };
    node.setPointerCapture(event.pointerId);
    node.focus({ preventScroll: true });
    event.preventDefault();
  });
  el.addEventListener("pointermove", (event) => {
    if (!drag || drag.isOver) return;
    const { from, unit } = drag;
    drag.wanted = [from[0] + (event.clientX - drag.x) * unit, from[1] - (event.clientY - drag.y) * unit];
    drag.frame ??= requestAnimationFrame(ask);
  });
  // What was asked for last is answered first, else the same way would be asked for twice.
  const end = () => {
    if (!drag?.wanted) return void (drag = null);
    drag.isOver = true;
    drag.frame ??= requestAnimationFrame(ask);
  };
  el.addEventListener("pointerup", end);
  el.addEventListener("pointercancel", end);

  el.addEventListener("focusin", (event) => {
    const node = handle(event);
    if (node) node.dataset.lmSuppressShortcuts = "true"; // else JupyterLab takes the arrows for its own
  });
  el.addEventListener("keydown", (event) => {
    const node = handle(event);
    if (!node || !PULLS[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    const [axis, way] = PULLS[event.key];
    send("pull", node.dataset[axis], way * PULL_STEP * (event.shiftKey ? 10 : 1));
    event.preventDefault();
    event.stopPropagation();
  });
}
