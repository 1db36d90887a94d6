// Makes drawings live: brings them up to date in place, lets a hand choose a word and pull points. What a drawing shows
// is Python's.

const PULL_STEP = 0.1; // units that one press of an arrow key asks for; with Shift, ten of them
const SNAP = 2; // places a unit at which a dragged point comes to rest; with Shift, anywhere
const PULLS = { ArrowLeft: ["x", -1], ArrowRight: ["x", 1], ArrowDown: ["y", -1], ArrowUp: ["y", 1] };
const OWN = ["data-lm-suppress-shortcuts"];
const BESIDE = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

// Brings a drawing in a place up to date: only what differs is written, so focus, hover and a drag go on.
// news: [element, attribute, value] of all that differs, [text, "", words] of a text, or the whole SVG.
function refresh(place, news) {
  if (typeof news === "string") {
    const template = document.createElement("template");
    template.innerHTML = news;
    alignChildren(place, template.content);
  } else {
    const elements = place.querySelectorAll("*");
    const texts = news.some(([, name]) => !name) && textsIn(place);
    for (const [at, name, value] of news) {
      if (name) elements[at].setAttribute(name, value);
      else texts[at].nodeValue = value;
    }
  }
}

// Tells each drawing that it observes how much smaller it is than it was made, so that its letters can stay readable.
const sizing = () =>
  new ResizeObserver((all) => {
    for (const { target, contentRect } of all) {
      target.style.setProperty("--shrunk", Math.max(1, target.viewBox.baseVal.width / contentRect.width).toFixed(2));
    }
  });

function textsIn(place) {
  const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) found.push(walker.currentNode);
  return found;
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

// A click or an arrow key chooses the word that looks: choose(its number).
function choosing(el, chosen) {
  const choose = (word, event) => {
    if (!word) return;
    word.focus({ preventScroll: true });
    chosen(word.dataset.word);
    event.preventDefault();
    event.stopPropagation();
  };
  el.addEventListener("click", (event) => choose(event.target.closest?.("[data-word]"), event));
  el.addEventListener("keydown", (event) => {
    const word = event.target.closest?.("[data-word]");
    if (!word || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") choose(word, event);
    if (!BESIDE[event.key]) return;
    const words = [...word.parentElement.children];
    choose(words[(words.indexOf(word) + BESIDE[event.key] + words.length) % words.length], event);
  });
}

// Lets a hand move the points of the drawings below an element: send("pull", address, difference in units), and
// send("drop") when it lets go: until then the axes rest.
// isAnswered(): whether Python has answered all that was sent, so that the drawing shows it.
function pullable(el, send, isAnswered) {
  const handle = (event) => event.target.closest?.("[data-x][data-here]");
  const here = (node) => node.dataset.here.split(" ").map(Number);
  let drag = null;

  const letGo = () => {
    if (drag?.wanted) send("drop");
    drag = null;
  };

  // A drag asks for what is missing between the point that Python drew and the pointer, in the units of its beginning.
  // What was asked for is answered first, however long it takes, else the same way would be asked for twice.
  const ask = () => {
    if (!drag?.node.isConnected) return letGo();
    drag.frame = isAnswered() ? null : requestAnimationFrame(ask);
    if (drag.frame) return;
    const now = here(drag.node);
    const missing = drag.wanted.map((wanted, i) => Math.round((wanted - now[i]) * 1e4) / 1e4);
    const { node, unit, isOver } = drag;
    if (isOver) drag = null;
    missing.forEach((each, i) => {
      if (Math.abs(each) >= unit / 2) send("pull", [node.dataset.x, node.dataset.y][i], each);
    });
    if (isOver) send("drop");
  };

  el.addEventListener("pointerdown", (event) => {
    const node = handle(event);
    letGo(); // a drag that waits for its last answer must not undo what is pressed now
    if (!node || event.button) return;
    const svg = node.ownerSVGElement;
    const unit = 1 / (Number(svg.dataset.unit) * svg.getScreenCTM().a); // units of a pixel on the screen
    drag = { node, unit, x: event.clientX, y: event.clientY, from: here(node) };
    node.setPointerCapture(event.pointerId);
    node.focus({ preventScroll: true });
    event.preventDefault();
  });
  // Not all browsers heed touch-action on a part of a drawing: the page would scroll away under the finger.
  el.addEventListener("touchstart", (event) => handle(event) && event.preventDefault(), { passive: false });
  el.addEventListener("pointermove", (event) => {
    if (!drag || drag.isOver) return;
    const { from, unit } = drag;
    const under = [from[0] + (event.clientX - drag.x) * unit, from[1] - (event.clientY - drag.y) * unit];
    drag.wanted = event.shiftKey ? under : under.map((each) => Math.round(each * SNAP) / SNAP);
    drag.frame ??= requestAnimationFrame(ask);
  });
  const end = () => {
    if (!drag?.wanted) return void (drag = null);
    drag.isOver = true;
    drag.frame ??= requestAnimationFrame(ask);
  };
  el.addEventListener("pointerup", end);
  el.addEventListener("pointercancel", end);

  el.addEventListener("keydown", (event) => {
    const node = handle(event);
    if (!node || !PULLS[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    const [axis, way] = PULLS[event.key];
    send("pull", node.dataset[axis], way * PULL_STEP * (event.shiftKey ? 10 : 1));
    send("drop");
    event.preventDefault();
    event.stopPropagation();
  });
}
