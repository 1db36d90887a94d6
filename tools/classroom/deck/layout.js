// Lays the lesson out: each slide as large as fits. What does not fit at the least size goes on on the next slide.
const SIZES = [2, 1.5, 1, 0.75, 0.5, 0.25, 0];
const PLAIN = 0.75; // of which text is not made smaller
const PLACES = [ // where a slide may be cut, the best ones first
  ".jp-Cell, .jp-OutputArea-child",
  ".jp-RenderedHTMLCommon > *, .jp-RenderedHTMLCommon > div > *",
  ".mha-board > *, .jp-RenderedHTMLCommon > div > div:not(.mha-board, .mha-board *) > *",
  ".mha-board > * > *",
  "tbody > tr:not(.mha-board *), li",
];

function isWide(slide) {
  return [slide, ...slide.querySelectorAll("pre")].some((each) => each.scrollWidth > each.clientWidth + 1);
}

// Code whose lines are too long shrinks alone. If that is not enough, they are broken.
function fitCode(slide, size) {
  const set = (code, lines) => {
    slide.style.setProperty("--code-size", code);
    slide.style.setProperty("--code-lines", (slide.dataset.codeLines = lines));
    return !isWide(slide);
  };
  return SIZES.some((code) => code <= size && set(code, "pre")) || set(size, "pre-wrap");
}

function fits(slide, size) {
  slide.style.setProperty("--size", size);
  return fitCode(slide, size) && slide.scrollHeight <= slide.clientHeight + 1;
}

const fit = (slide, least = 0) => SIZES.some((size) => size >= least && fits(slide, size));
const shows = (slide) => Boolean(slide.querySelector("p, li, pre, td, img, math"));

// Return a slide with what stands before one of its places, and one with the rest.
function parts(slide, places, at) {
  const [first, rest] = [slide.cloneNode(true), slide.cloneNode(true)], range = document.createRange();
  range.setStartBefore(first.querySelectorAll(places)[at]);
  range.setEndAfter(first.lastChild);
  range.deleteContents();
  const begin = rest.querySelectorAll(places)[at];
  const head = begin.matches("tr") && begin.closest("table").querySelector("thead")?.cloneNode(true);
  range.setStart(rest, 0);
  range.setEndBefore(begin);
  range.deleteContents();
  if (head) begin.closest("tbody").before(head);
  return [first, rest];
}

// Cut a slide at one of these places, so that it and those after it become about equally full; null if there is none.
function halves(slide, places, least) {
  const { top } = slide.getBoundingClientRect(), full = Math.ceil(slide.scrollHeight / slide.clientHeight);
  const end = top + slide.scrollHeight / Math.max(full, 2);
  const all = [...slide.querySelectorAll(places)];
  const at = all.findLastIndex((each) => each.getBoundingClientRect().top < end);
  for (let k = Math.min(Math.max(at, 1), all.length - 1); k > 0; k--) {
    const [first, rest] = parts(slide, places, k);
    if (!shows(first)) break;
    if (!shows(rest)) continue;
    slide.replaceWith(first);
    if (fit(first, least)) return [first, rest];
    first.replaceWith(slide);
  }
  return null;
}

// Return a slide that is cut, or null if it need not be. Text is cut before it shrinks far; code stays with its result.
function cut(slide) {
  const least = slide.querySelector(".jp-CodeCell") ? 0 : PLAIN;
  if (fit(slide, least)) return null;
  const ofText = least && halves(slide, PLACES[1], least);
  return ofText || (fit(slide) ? null : PLACES.reduce((found, each) => found || halves(slide, each, 0), null));
}

// Show as much as fits on this slide, and the rest on new ones after it.
function layOut(slide) {
  slide.classList.add("measured");
  const [first, rest] = cut(slide) ?? [slide];
  if (rest) first.after(rest);
  first.classList.remove("measured");
  if (rest) layOut(rest);
}

// The stops of a walk are all as large as the one that has most to say: nothing jumps between them.
function align(slides) {
  const size = Math.min(...slides.map((each) => each.style.getPropertyValue("--size")));
  slides.forEach((each) => each.style.setProperty("--size", size));
}

function layOutAll() {
  const all = (selector) => [...document.querySelectorAll(`.slides > ${selector}`)];
  for (const each of document.images) [each.width, each.height] = [each.naturalWidth, each.naturalHeight];
  all("section").forEach((each) => each.classList.add("measured"));
  all("section > section").forEach(layOut);
  all("section").forEach((each) => each.classList.remove("measured"));
  align(all("section > section").filter((each) => each.querySelector("[id*='-step-']")));
}
