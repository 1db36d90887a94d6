// A grid of buttons that the Tab key enters at one of them; from there the arrow keys go on.

// Returns what is called after an update, when the buttons may be new. columns: of the grid.
function roving(el, selector, columns) {
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns };
  const buttons = () => [...el.querySelectorAll(selector)];
  const visit = (next) => {
    for (const each of buttons()) each.tabIndex = each === next ? 0 : -1;
  };

  el.addEventListener("focusin", ({ target }) => target.matches(selector) && visit(target));
  el.addEventListener("keydown", (event) => {
    if (!(event.key in steps) || !event.target.matches(selector)) return;
    event.preventDefault();
    buttons()[buttons().indexOf(event.target) + steps[event.key]]?.focus();
  });

  return () => {
    const all = buttons();
    if (all.some((each) => each.tabIndex === 0)) return;
    visit(all.find((each) => each.ariaPressed === "true") ?? all[0]);
  };
}
