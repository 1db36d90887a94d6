// A gallery of heads: arrows go from map to map, and a word of the large drawing is chosen.

const COLUMNS = 9;
const MAPS = "[data-maps] button";

function render({ model, el }) {
  let chosen = null; // the word of the large drawing that has the focus, however often the drawing is made anew
  const settle = roving(el, MAPS, COLUMNS);

  const updated = ({ on = [] }) => {
    for (const head of el.querySelectorAll(MAPS)) head.ariaPressed = String(on.includes(head.name));
    settle();
    if (chosen !== null) el.querySelector(`[data-word="${chosen}"]`)?.focus({ preventScroll: true });
  };

  const { send, disconnect } = connect({ model, el, kind: "mha-gallery", updated });
  choosing(el, (word) => {
    chosen = word;
    send("set", "query", word);
  });
  el.addEventListener("focusin", ({ target }) => target.closest("[data-word]") || (chosen = null));
  el.addEventListener("pointerdown", () => (chosen = null));
  enterEnds(el, send, "read");

  el.addEventListener("change", ({ target }) => target.name && send("set", target.name, target.value));
  return disconnect;
}

export default alive(render);
