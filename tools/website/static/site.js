// A list that lies over a narrow page goes away when the reader has chosen from it.
document.addEventListener("click", (event) => event.target.closest("dialog a")?.closest("dialog").close());

// Where Python for a page lies beside it, a page can come alive.
const waking = new URL("../run/page/waking.js", document.currentScript.src);
addEventListener("DOMContentLoaded", () => {
  if (location.protocol !== "file:" && document.querySelector(".sleeper")) import(waking);
});

// Paper is light.
const { dataset } = document.documentElement;
let chosen;
addEventListener("beforeprint", () => { chosen = dataset.theme; dataset.theme = "light"; });
addEventListener("afterprint", () => { dataset.theme = chosen; });
