// A gallery of heads: arrows go from map to map, and a query of the large drawing is chosen by a click.

const COLUMNS = 9;
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -COLUMNS, ArrowDown: COLUMNS };

function render({ model, el }) {
  let chosen = null; // the token of the drawing that gets the focus when the drawing is new

  const updated = ({ on = [] }) => {
    const heads = [...el.querySelectorAll("[data-maps] button")];
    for (const head of heads) {
      head.ariaPressed = String(on.includes(head.name));
      head.tabIndex = on.includes(head.name) ? 0 : -1;
    }
    if (heads.length && !heads.some((head) => head.tabIndex === 0)) heads[0].tabIndex = 0;
    if (chosen) el.querySelector(`[data-token="${chosen}"]`)?.focus();
    chosen = null;
  };

  const { send, disconnect } = connect({ model, el, kind: "mha-gallery", updated });
  singleOut(el);

  el.addEventListener("change", ({ target }) => target.name && send("set", target.name, target.value));
  const choose = ({ target }) => {
    const token = target.closest("[data-token^=query]")?.dataset.token;
    if (!token) return;
    chosen = token;
    send("set", "query", token.split(":")[1]);
  };
  el.addEventListener("click", choose);
  el.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (key === "Enter" && target.name === "text") {
      event.preventDefault();
      target.blur(); // which the browser takes for the end of typing
      target.focus();
      send("press", "read");
    } else if (key === "Enter") {
      choose(event);
    } else if (key in STEPS && target.matches("[data-maps] button")) {
      const heads = [...el.querySelectorAll("[data-maps] button")];
      event.preventDefault();
      heads[heads.indexOf(target) + STEPS[key]]?.focus();
    }
  });

  return disconnect;
}

export default alive(render);
