// A mixing desk of heads: arrows go from switch to switch, and each picture asks Python for the next word.

const LAYERS = 30;
const SWITCHES = "[data-switches] button";

function render({ model, el }) {
  const settle = roving(el, SWITCHES, LAYERS);
  const beyond = ({ on = [] }) => {
    const pressed = new Set(on);
    for (const each of el.querySelectorAll(`${SWITCHES}, [data-groups] button[name^=group]`)) {
      const isOff = String(pressed.has(each.name));
      if (each.ariaPressed !== isOff) each.ariaPressed = isOff;
    }
    settle();
  };

  const { send, close } = ticking({ model, el, kind: "mha-desk", button: "writing", beyond });
  enterEnds(el, send, "read");
  return close;
}

export default alive(render);
