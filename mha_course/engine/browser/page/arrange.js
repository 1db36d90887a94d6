// Lines to put in order: by their buttons, by the arrow keys, or by drag. Python moves them; here they are only held.

const FAR = 4; // pixels from where it was pressed: less is no drag
const WAYS = { ArrowUp: "up", ArrowDown: "down" };

function render({ model, el }) {
  const { send, disconnect } = connect({ model, el, kind: "mha-form" });
  el.classList.add("mha-arrange");

  el.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && held) return letGo();
    const button = event.target.closest("[data-line] button");
    if (!button || !WAYS[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault(); // the page stays where it is
    button.closest("[data-line]").querySelector(`[name^="${WAYS[event.key]} "]`)?.click();
  });

  let held = null; // the line that is dragged, where it was pressed, and where it would go

  const letGo = () => {
    held = null;
    for (const node of el.querySelectorAll("[data-held], [data-aim]")) {
      delete node.dataset.held;
      delete node.dataset.aim;
    }
  };

  // The list whose area is nearest, and how many of its other lines stand above.
  const aim = (y) => {
    const away = (list) => {
      const { top, bottom } = list.getBoundingClientRect();
      return Math.max(top - y, y - bottom, 0);
    };
    const [list] = [...el.querySelectorAll("[data-list]")].sort((one, other) => away(one) - away(other));
    const lines = [...list.querySelectorAll("[data-line]")].filter((line) => line !== held.line);
    const middle = (line) => line.getBoundingClientRect().top + line.offsetHeight / 2;
    const place = lines.filter((line) => middle(line) < y).length;
    return { list, lines, place };
  };

  const show = ({ list, lines, place }) => {
    for (const node of el.querySelectorAll("[data-aim]")) delete node.dataset.aim;
    held.line.dataset.held = "true";
    if (lines[place]) lines[place].dataset.aim = "above";
    else (lines.at(-1) ?? list).dataset.aim = "below";
  };

  el.addEventListener("pointerdown", (event) => {
    const line = event.target.closest("[data-line]");
    const scrolls = event.pointerType === "touch" && !event.target.closest("[data-grip]");
    if (!line || event.button || event.target.closest("button") || scrolls) return;
    event.preventDefault(); // no text is selected
    line.setPointerCapture(event.pointerId);
    held = { line, from: event.clientY, to: null };
  });
  el.addEventListener("pointermove", (event) => {
    if (!held || (!held.to && Math.abs(event.clientY - held.from) < FAR)) return;
    show((held.to = aim(event.clientY)));
  });
  el.addEventListener("pointerup", () => {
    const { line, to } = held ?? {};
    letGo();
    if (to) send("move", line.dataset.line, to.list.dataset.list, to.place);
  });
  el.addEventListener("pointercancel", letGo);

  return disconnect;
}

export default alive(render);
