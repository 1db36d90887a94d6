// The entries of a board: what each is called, and the way from one to the next.

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

// An entry in the words of the field, like "score, query create, key disrupt".
function nameOf(td) {
  const { entry, rows, columns } = td.closest("table").dataset;
  const row = td.parentElement.querySelector("th").textContent;
  const column = td.closest("table").tHead.rows[0].cells[td.cellIndex].textContent;
  return `${entry}, ${rows} ${row}, ${columns} ${column}`;
}

// Returns the next entry that way in the same table, or nothing; what stands for entries left out is none.
function beside(td, down, across) {
  const row = td.closest("table").rows[td.parentElement.rowIndex + down];
  const next = row?.cells[td.cellIndex + across];
  if (!next || next.tagName === "TH") return null;
  return next.dataset.at ? next : beside(next, down, across);
}
