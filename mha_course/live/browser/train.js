// A training: while it plays, every picture asks Python for the next few steps. So it stops when the page is closed,
// hidden or run again, and every press is heard between two pictures.

function render({ model, el }) {
  let frame = null;
  let isOver = false;

  const next = () => {
    frame = null;
    if (!isOver && el.isConnected) send("tick");
  };
  const updated = ({ on = [] }) => {
    for (const button of el.querySelectorAll('button[name="play"], button[name^="head "]')) {
      button.ariaPressed = String(on.includes(button.name));
    }
    el.querySelector('button[name="play"]').textContent = on.includes("play") ? "❚❚ Pause" : "▶ Train";
    if (on.includes("play")) frame ??= requestAnimationFrame(next);
  };

  const { send, disconnect } = connect({ model, el, kind: "mha-train", updated });

  el.addEventListener("input", (event) => {
    if (event.target.type === "range") send("set", event.target.name, event.target.value);
  });
  el.addEventListener("change", (event) => {
    const { name, value, type } = event.target;
    if (name && type !== "range") send("set", name, value);
  });
  el.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches("input[name]")) return;
    event.preventDefault();
    event.target.blur(); // which the browser takes for the end of typing
    event.target.focus();
  });

  return () => {
    isOver = true;
    cancelAnimationFrame(frame);
    disconnect();
  };
}

export default alive(render);
