// A list that lies over a narrow page goes away when the reader has chosen from it.
document.addEventListener("click", (event) => event.target.closest("dialog :is(a, .of-the-page button)")?.closest("dialog").close());

// Where Python for a page lies beside it, a page can come alive; a hand that is quicker than that script is heard.
const site = document.currentScript.src;
const activation = new URL("../run/page/activation.js", site);
addEventListener("DOMContentLoaded", async () => {
  if (location.protocol === "file:" || !document.querySelector(".widget-placeholder")) return;
  let early = null;
  document.addEventListener("click", ({ target }) => { early = target; });
  const { touch } = await import(activation);
  if (early) touch(early);
  if (document.querySelector("[data-cell].cell")) import(new URL("cells.js", activation));
});

// The list of a page's sections says which of them is being read: the last one whose heading was reached.
addEventListener("DOMContentLoaded", () => {
  const links = [...document.querySelectorAll(".sections a")];
  const headings = new Map(links.map((link) => [document.getElementById(link.hash.slice(1)), link]));
  const isReached = (heading) => heading.getBoundingClientRect().top < innerHeight / 5;
  const show = () => {
    const now = headings.get([...headings.keys()].findLast(isReached));
    for (const link of links) link.ariaCurrent = link === now ? "true" : null;
  };
  const watch = new IntersectionObserver(show, { rootMargin: "0px 0px -80%" });
  for (const heading of headings.keys()) watch.observe(heading);
});

// A page says what is done, where the browser keeps it.
addEventListener("DOMContentLoaded", () => {
  const keeps = location.protocol !== "file:" && document.querySelector("[data-progress], .widget-placeholder");
  if (keeps) import(new URL("../run/page/completion.js", site));
});

// Paper is light.
const { dataset } = document.documentElement;
let chosen;
addEventListener("beforeprint", () => { chosen = dataset.theme; dataset.theme = "light"; });
addEventListener("afterprint", () => { dataset.theme = chosen; });
