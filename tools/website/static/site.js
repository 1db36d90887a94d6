// A list that lies over a narrow page goes away when the reader has chosen from it.
document.addEventListener("click", (event) => event.target.closest("dialog a")?.closest("dialog").close());

// Paper is light.
const { dataset } = document.documentElement;
let chosen;
addEventListener("beforeprint", () => { chosen = dataset.theme; dataset.theme = "light"; });
addEventListener("afterprint", () => { dataset.theme = chosen; });
