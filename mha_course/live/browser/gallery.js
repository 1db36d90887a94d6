// A gallery of heads: arrows go from map to map, and a query of the large drawing is chosen by a click.

const COLUMNS = 9;
const MAPS = "[data-maps] button";

function render({ model, el }) {
  let chosen = null; // the token of the drawing that gets the focus when the drawing is new
  const settle = roving(el, MAPS, COLUMNS);
  const sizes = sizing();

  const updated = ({ on = [] }) => {
    for (const head of el.querySelectorAll(MAPS)) head.ariaPressed = String(on.includes(head.name));
    settle();
    sizes.disconnect();
    for (const each of el.querySelectorAll(".mha-looks")) sizes.observe(each);
    if (chosen) el.querySelector(`[data-token="${chosen}"]`)?.focus();
    chosen = null;
  };

  const { send, disconnect } = connect({ model, el, kind: "mha-gallery", updated });
  singleOut(el);
  enterEnds(el, send, "read");

  el.addEventListener("change", ({ target }) => target.name && send("set", target.name, target.value));
  const choose = ({ target }) => {
    const token = target.closest("[data-token^=query]")?.dataset.token;
    if (!token) return;
    chosen = token;
    send("set", "query", token.split(":")[1]);
  };
  el.addEventListener("click", choose);
  el.addEventListener("keydown", (event) => event.key === "Enter" && choose(event));

  return () => (sizes.disconnect(), disconnect());
}

export default alive(render);
