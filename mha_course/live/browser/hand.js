// On a narrow page: the number under the hand with a stepper, and one matrix of inputs at a time.

const TAP = 10; // steps of one tap: a whole unit

function underHand(el, send) {
  let at = null;
  let chosen = null; // the matrix that is shown

  const field = () => (at ? el.querySelector(`td[data-at="${at}"] > input`) : null);
  const tables = () => [...el.querySelectorAll("table:has(td.mha-input)")];
  const button = (text, name, press) => {
    const made = document.createElement("button");
    Object.assign(made, { type: "button", textContent: text, ariaLabel: name });
    made.addEventListener("click", press);
    return made;
  };

  const choose = (matrix) => {
    chosen = matrix;
    for (const table of tables()) table.classList.toggle("mha-away", table.dataset.matrix !== matrix);
    for (const each of el.querySelectorAll(".mha-matrices button")) each.ariaPressed = String(each.textContent === matrix);
  };
  const step = (count) => field() && send("step", at, count);
  const follow = () => {
    const [place, output] = el.querySelectorAll(".mha-place, .mha-hand output");
    place.textContent = field() ? field().ariaLabel : "Tap an underlined number.";
    output.textContent = field()?.value ?? "";
  };

  const drawn = () => {
    const names = [...new Set(tables().map((table) => table.dataset.matrix))];
    const matrices = document.createElement("div");
    matrices.className = "mha-matrices";
    matrices.append(...names.map((name) => button(name, `Show ${name}`, () => choose(name))));
    const bar = document.createElement("div");
    bar.className = "mha-hand";
    const [place, output] = ["span", "output"].map((tag) => document.createElement(tag));
    place.className = "mha-place";
    bar.append(place, button("−", "One less", () => step(-TAP)), output, button("+", "One more", () => step(TAP)), matrices);
    el.querySelector('[data-part="picture"]').before(bar);
    choose(names.includes(chosen) ? chosen : names.at(names.includes("X") && names.length > 1 ? 1 : 0));
    follow();
  };

  el.addEventListener("focusin", ({ target }) => {
    if (!target.matches("td[data-at] > input")) return;
    at = target.parentElement.dataset.at;
    follow();
  });
  return { drawn, updated: follow };
}
