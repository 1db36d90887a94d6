// A mixing desk of heads: arrows go from switch to switch, and each picture asks Python for the next word.

const LAYERS = 30;
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -LAYERS, ArrowDown: LAYERS };

function render({ model, el }) {
  const switches = () => [...el.querySelectorAll("[data-switches] button")];
  const visit = (next) => {
    for (const each of switches()) each.tabIndex = each === next ? 0 : -1;
  };
  const beyond = ({ on = [] }) => {
    const pressed = new Set(on);
    for (const each of el.querySelectorAll("[data-switches] button, [data-groups] button[name^=group]")) {
      const isOff = String(pressed.has(each.name));
      if (each.ariaPressed !== isOff) each.ariaPressed = isOff;
    }
    if (switches().length && !switches().some((each) => each.tabIndex === 0)) visit(switches()[0]);
  };

  const { send, close } = ticking({ model, el, kind: "mha-desk", button: "writing", beyond });
  enterPresses(el, send, "read");

  el.addEventListener("focusin", ({ target }) => target.matches("[data-switches] button") && visit(target));
  el.addEventListener("keydown", (event) => {
    if (!(event.key in STEPS) || !event.target.matches("[data-switches] button")) return;
    event.preventDefault();
    switches()[switches().indexOf(event.target) + STEPS[event.key]]?.focus();
  });

  return close;
}

export default alive(render);
