// On a narrow page: the number under the hand with a stepper, the chosen word's way, one matrix of inputs at a time.

const TAP = 10; // steps of one tap: a whole unit
const WAY = ["X", "Q", "scores", "weights", "output"];

function underHand(el, send) {
  let at = null;
  let chosen = null; // the matrix that is shown
  const way = document.createElement("div");
  way.className = "mha-way";
  way.ariaHidden = "true"; // the tables say the same

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
  // What the chosen word has in each matrix, from its row of X to its output; above a share, whose it is.
  const line = (name) => {
    const row = el.querySelector(`table[data-matrix="${name}"] tr[data-chosen]`);
    if (!row) return [];
    const names = [...row.closest("table").tHead.querySelectorAll("th[title]")].map((th) => th.title);
    const made = document.createElement("div");
    made.append(Object.assign(document.createElement("b"), { textContent: name }));
    [...row.cells].slice(1).forEach((td, i) => {
      const number = Object.assign(document.createElement("span"), { textContent: td.firstElementChild?.value ?? td.textContent });
      if (names[i]) number.prepend(Object.assign(document.createElement("small"), { textContent: names[i] }));
      number.style.background = td.style.background;
      made.append(number);
    });
    return [made];
  };
  const follow = () => {
    const [place, output] = el.querySelectorAll(".mha-place, .mha-hand output");
    place.textContent = field() ? field().ariaLabel : "Tap an underlined number.";
    output.textContent = field()?.value ?? "";
    way.replaceChildren(...WAY.flatMap(line));
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
    const picture = el.querySelector('[data-part="picture"]');
    const sentence = el.querySelector(".mha-band:has(> .mha-picture)");
    if (sentence) sentence.after(bar, way);
    else picture.before(bar);
    at ??= picture.dataset.push || null;
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
