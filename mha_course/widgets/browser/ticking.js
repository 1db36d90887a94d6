// What goes on in small steps: as long as a button is pressed in, every picture asks Python for the next step. So it
// stops when the page is closed, hidden or run again, and every press is heard between two pictures.

// button: its name. words: on it, while it is not pressed in and while it is. beyond(update): what else is new.
function ticking({ model, el, kind, button, words, beyond = () => {} }) {
  let frame = null;
  let isOver = false;

  const next = () => {
    frame = null;
    if (!isOver && el.isConnected) send("tick");
  };
  const updated = (rest) => {
    const isOn = (rest.on ?? []).includes(button);
    const pressed = el.querySelector(`button[name="${button}"]`);
    if (pressed && words) pressed.textContent = words[Number(isOn)];
    if (isOn) frame ??= requestAnimationFrame(next);
    else if (frame) frame = cancelAnimationFrame(frame) ?? null;
    beyond(rest);
  };

  const { send, disconnect } = connect({ model, el, kind, updated });

  el.addEventListener("change", (event) => {
    const { name, value } = event.target;
    if (name) send("set", name, value);
  });
  const close = () => {
    isOver = true;
    cancelAnimationFrame(frame);
    disconnect();
  };
  return { send, close };
}
