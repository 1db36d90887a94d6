// A training: each picture asks Python for the next few steps, and a slider for those of before.

function render({ model, el }) {
  const beyond = ({ on = [] }) => {
    for (const button of el.querySelectorAll('button[name="play"], button[name^="head "]')) {
      button.ariaPressed = String(on.includes(button.name));
    }
  };
  const words = ["▶ Train", "❚❚ Pause"];
  const { send, close } = ticking({ model, el, kind: "mha-train", button: "play", words, beyond });
  enterEnds(el);

  el.addEventListener("input", ({ target }) => target.type === "range" && send("set", target.name, target.value));

  return close;
}

export default alive(render);
