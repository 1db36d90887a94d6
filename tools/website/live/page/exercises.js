// What a page knows of its exercises: how their editors are called, which of the learner's lines a verdict names, and where
// it leads on.
import { element } from "./saying.js";
import { unlined } from "./browser_store.js";

const EFFORT = /^[★☆]/; // the line below an exercise's title, with links to what taught it
const WHERE = ["in the line  ", ":  "]; // what stands before a line that a verdict quotes
const NAMED = /line (\d+) of this cell/g; // as an error names a line

const headingOf = (section) => section?.querySelector("h1, h2, h3, h4")?.firstChild.textContent ?? "";

export function nameOf(at) {
  const heading = headingOf(at.closest("section"));
  const what = at.matches(".tag_stub") ? `${heading.split(" · ")[0]}, your answer` : `Code in “${heading}”`;
  return `${what}; Escape, then Tab leaves`;
}

const said = ({ traceback, data }) => unlined(traceback?.join("\n") ?? data?.["text/plain"] ?? "");

// Returns the numbers of the lines of a source that outputs name: an error of its own by their numbers, a verdict by what
// stands there.
export function linesNamed(outputs, source, isVerdict) {
  const told = outputs.map(said).join("\n");
  const byNumber = isVerdict ? [] : [...told.matchAll(NAMED)].map(([, number]) => Number(number));
  const isQuoted = (line) => isVerdict && line && WHERE.some((before) => told.includes(before + line));
  const byText = source.split("\n").flatMap((line, index) => (isQuoted(line.replace(/#.*/, "").trim()) ? [index + 1] : []));
  return [...new Set([...byNumber, ...byText])].filter((number) => number <= source.split("\n").length);
}

// A list of links to lines. go: of a line's number.
export const linksToLines = (numbers, source, go) => element("ul", { className: "named-lines" }, ...numbers.map((number) => {
  const link = element("a", { href: "#" }, `Line ${number}: `, element("code", {}, source.split("\n")[number - 1].trim()));
  link.addEventListener("click", (event) => {
    event.preventDefault();
    go(number);
  });
  return element("li", {}, link);
}));

// Leads from a verdict to what taught the exercise, or from a right answer to what comes next.
export function wayOn(at, outputs) {
  const isRight = outputs.some((each) => said(each).startsWith("✓"));
  const section = at.closest("section");
  const links = isRight ? [next(section)] : [...taught(section)].map(toSection);
  return element("p", { className: "way-on" }, isRight ? "Next: " : "Read again: ", ...links.flatMap((link, turn) => (turn ? [" · ", link] : [link])));
}

const taught = (section) => [...section.querySelectorAll("p")].find(({ textContent }) => EFFORT.test(textContent))?.querySelectorAll("a") ?? [];

// A copy of a link, which leads to the very section that it names, if that is on this page.
function toSection(link) {
  const named = [...document.querySelectorAll(".bd-article section")].find((each) => headingOf(each) === link.textContent);
  const copy = link.cloneNode(true);
  if (named) copy.setAttribute("href", `#${named.id}`);
  return copy;
}

// The next section that nobody may leave out, or the next lesson.
function next(section) {
  const isAfter = (each) => section.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING && !section.contains(each);
  const found = [...document.querySelectorAll(".bd-article section")].find((each) => isAfter(each) && !each.querySelector(":scope > details.beside") && !each.closest("details"));
  if (found) return element("a", { href: `#${found.id}` }, headingOf(found));
  const { href, title } = document.querySelector("a.right-next");
  return element("a", { href }, title || "the next lesson");
}
