// The order of what a search finds, and an excerpt of each. Sphinx finds them, and asks `Scorer.score`; TEXTS are in
// search_texts.js, since a page that is opened as a file may not read another.

DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false; // Sphinx would read the pages

const AROUND = 40; // words of an excerpt
const SENTENCE = 160; // characters: an excerpt begins with a sentence that began no farther away
const PAGE = 2; // how much more the name of a page counts than that of a section
const FEW = 8; // words before the first that was asked for, where the sentence began too far away
const stems = new Map();

function stemOf(word) {
  if (!stems.has(word)) stems.set(word, new Stemmer().stemWord(word.toLowerCase()));
  return stems.get(word);
}

// Returns the words of a text, each with its stem and its place in the text; a number is none.
function wordsOf(text) {
  const found = [...text.matchAll(/[\p{Letter}\p{Number}_]+/gu)].filter(([word]) => !/^\d+$/.test(word));
  return found.map(({ 0: word, index }) => ({ stem: stemOf(word), begin: index, end: index + word.length }));
}

const sections = Object.entries(TEXTS).flatMap(([page, found]) =>
  found.map(([id, heading, text], i) => ({ page, id, heading, text, isTop: i === 0, words: wordsOf(text) })),
);
const stemsSaid = new Set(sections.flatMap(({ words }) => words.map(({ stem }) => stem)));

// The words that were asked for: how to tell one of them, and how often it is said.
const asked = wordsOf(new URLSearchParams(location.search).get("q") ?? "")
  .filter(({ stem }) => !stopwords.has(stem))
  .map(({ stem }) => ({ isIn: stemsSaid.has(stem) ? (word) => word.stem === stem : (word) => word.stem.includes(stem) }));
const isAsked = (word) => asked.some(({ isIn }) => isIn(word));
const mean = (numbers) => numbers.reduce((sum, each) => sum + each, 0) / (numbers.length || 1);
const part = (words, is) => words.filter(is).length / (words.length || 1);
const timesIn = (where, { isIn }) => where.flatMap(({ words }) => words).filter(isIn).length;
for (const word of asked) word.times = timesIn(sections, word) || 1;

const sectionsOf = (page, anchor) => sections.filter((each) => each.page === page && (!anchor || `#${each.id}` === anchor));

// What is named for what was asked comes first; then, where most is said of it.
Scorer.score = ([page, title, anchor]) => {
  const name = wordsOf(title.split(" > ").at(-1));
  const fit = part(name, isAsked) * part(asked, ({ isIn }) => name.some(isIn));
  const where = sectionsOf(page, anchor);
  return (anchor ? 1 : PAGE) * fit + mean(asked.map((word) => timesIn(where, word) / word.times));
};

// Returns where most of the words asked for stand closest together: a section, and the number of the first of them.
function closest(where) {
  let best = { most: 0 };
  for (const section of where) {
    section.words.forEach((word, i) => {
      if (!isAsked(word)) return;
      const near = section.words.slice(i, i + AROUND);
      const first = asked.map(({ isIn }) => near.findIndex(isIn)).filter((at) => at >= 0);
      const [most, span] = [first.length, Math.max(...first)];
      if (most > best.most || (most === best.most && span < best.span)) best = { most, span, section, i };
    });
  }
  return best;
}

function excerpt({ section, i }) {
  const { text, words } = section;
  const { begin } = words[i];
  const sentence = text.lastIndexOf(". ", begin) + 1;
  const from = begin - sentence < SENTENCE ? sentence : words[Math.max(0, i - FEW)].begin;
  const shown = words.filter((word) => word.begin >= from).slice(0, AROUND);
  const to = shown.length < AROUND ? text.length : shown.at(-1).end;
  const pieces = [from > sentence ? "… " : ""];
  let last = from;
  for (const word of shown.filter(isAsked)) {
    const marked = document.createElement("mark");
    marked.textContent = text.slice(word.begin, word.end);
    pieces.push(text.slice(last, word.begin), marked);
    last = word.end;
  }
  return [...pieces, text.slice(last, to), to < text.length ? " …" : ""];
}

// Adds to a result an excerpt, and in which section it stands.
function explain(result) {
  const { pathname, hash } = new URL(result.querySelector("a").href);
  const page = pathname.split("/").at(-1).replace(/\.html$/, "");
  const found = closest(sectionsOf(page, hash));
  if (!found.section) return;
  const context = document.createElement("p");
  context.className = "context";
  if (!hash && !found.section.isTop) {
    const link = document.createElement("a");
    link.href = `${page}.html#${found.section.id}`;
    link.textContent = found.section.heading;
    context.append(link, ": ");
  }
  context.append(...excerpt(found));
  result.append(context);
}

const added = new MutationObserver((changes) => {
  const nodes = changes.flatMap(({ addedNodes }) => [...addedNodes]);
  nodes.filter((node) => node.matches?.("#search-results li")).forEach(explain);
});
added.observe(document, { childList: true, subtree: true });
