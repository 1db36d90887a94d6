// Asked for a number of a stored board, the strip below it says where it came from, and the board frames what went in.

const HERE = "mha-selected", SOURCE = "mha-source";
const entryAt = (node) => node.closest?.("td[data-at]");

function tellOf(strip) {
  const board = strip.parentElement.querySelector(".mha-board");
  const tables = [...board.querySelectorAll("table")];
  const entries = [...board.querySelectorAll("td[data-at]")];
  let answers;

  const show = (td) => {
    answers ??= JSON.parse(document.getElementById(strip.dataset.answers).textContent);
    const [words, made, sources] = answers[td.dataset.at];
    const arithmetic = document.createElement("code");
    arithmetic.textContent = made;
    strip.replaceChildren(words, " ", arithmetic);
    const from = sources.split(" ");
    for (const each of entries) {
      each.classList.toggle(HERE, each.dataset.at === td.dataset.at);
      each.classList.toggle(SOURCE, from.includes(each.dataset.at));
    }
  };

  // The Tab key enters the board at one entry. From there the arrows go on, at the edge of a table to the next one.
  const visit = (td) => {
    for (const each of entries) each.tabIndex = each === td ? 0 : -1;
  };
  const beyond = (td, forward) => tables[tables.indexOf(td.closest("table")) + forward]?.querySelector("td[data-at]");
  for (const table of tables) {
    table.setAttribute("role", "grid");
    table.setAttribute("aria-label", table.caption.textContent);
  }
  visit(entries[0]);

  board.addEventListener("keydown", (event) => {
    const td = entryAt(event.target), way = ARROWS[event.key];
    if (!td || !way || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    (beside(td, ...way) ?? beyond(td, way[0] + way[1]))?.focus();
  });
  board.addEventListener("focusin", ({ target }) => {
    const td = entryAt(target);
    if (!target.matches("input")) td.ariaLabel = `${nameOf(td)}: ${td.textContent}`;
    visit(td);
    show(td);
  });
  board.addEventListener("pointerover", ({ target }) => entryAt(target) && show(entryAt(target)));
}

document.addEventListener("DOMContentLoaded", () => document.querySelectorAll(".arithmetic").forEach(tellOf));
