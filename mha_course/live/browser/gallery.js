// A gallery of heads: arrows go from map to map, and a word of the large drawing is chosen.

const COLUMNS = 9;
const MAPS = "[data-maps] button";

function render({ model, el }) {
  let isChosen = false; // whether a word of the large drawing gets the focus when the drawing is new
  const settle = roving(el, MAPS, COLUMNS);
  const sizes = sizing();

  const updated = ({ on = [] }) => {
    for (const head of el.querySelectorAll(MAPS)) head.ariaPressed = String(on.includes(head.name));
    settle();
    sizes.disconnect();
    for (const each of el.querySelectorAll(".mha-sentence")) sizes.observe(each);
    if (isChosen) el.querySelector('[data-word][tabindex="0"]')?.focus();
    isChosen = false;
  };

  const { send, disconnect } = connect({ model, el, kind: "mha-gallery", updated });
  choosing(el, (...what) => {
    isChosen = true;
    send(...what);
  });
  enterEnds(el, send, "read");

  el.addEventListener("change", ({ target }) => target.name && send("set", target.name, target.value));
  return () => (sizes.disconnect(), disconnect());
}

export default alive(render);
