// A gallery of heads: arrows go from map to map, and a word of the large drawing is chosen.

const COLUMNS = 9;
const MAPS = "[data-maps] button";

function render({ model, el }) {
  let hadFocus = false; // a word of the large drawing
  const settle = roving(el, MAPS, COLUMNS);
  const sizes = sizing();

  const updated = ({ on = [] }) => {
    for (const head of el.querySelectorAll(MAPS)) head.ariaPressed = String(on.includes(head.name));
    settle();
    sizes.disconnect();
    for (const each of el.querySelectorAll(".mha-sentence")) sizes.observe(each);
    if (hadFocus) el.querySelector('[data-word][tabindex="0"]')?.focus(); // the drawing is new
    hadFocus = false;
  };

  const { send, disconnect } = connect({ model, el, kind: "mha-gallery", updated });
  choosing(el, (...what) => {
    hadFocus = true;
    send(...what);
  });
  enterEnds(el, send, "read");

  el.addEventListener("change", ({ target }) => target.name && send("set", target.name, target.value));
  return () => (sizes.disconnect(), disconnect());
}

export default alive(render);
