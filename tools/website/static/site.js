// A list that lies over a narrow page goes away when the reader has chosen from it.
document.addEventListener("click", (event) => event.target.closest("dialog a")?.closest("dialog").close());

// Where Python for a page lies beside it, a page can come alive; a hand that is quicker than that script is heard.
const site = document.currentScript.src;
const waking = new URL("../run/page/waking.js", site);
addEventListener("DOMContentLoaded", async () => {
  if (location.protocol === "file:" || !document.querySelector(".sleeper")) return;
  let early = null;
  document.addEventListener("click", ({ target }) => { early = target; });
  const { touch } = await import(waking);
  if (early) touch(early);
});

// The first page says what is done, where the browser keeps it.
addEventListener("DOMContentLoaded", () => {
  if (location.protocol !== "file:" && document.querySelector("[data-progress]")) import(new URL("../run/page/done.js", site));
});

// Paper is light.
const { dataset } = document.documentElement;
let chosen;
addEventListener("beforeprint", () => { chosen = dataset.theme; dataset.theme = "light"; });
addEventListener("afterprint", () => { dataset.theme = chosen; });
