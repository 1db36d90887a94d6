// From a page to read to the same cell of the live notebook, and back.
import { notebooks } from "./kernels.js";

const PATIENCE = 50; // milliseconds between two looks
const CELL = /^#cell-id=(.+)$/;

// Brings the cell that the address names into view.
export async function showNamedCell(app) {
  const id = location.hash.match(CELL)?.[1];
  const [panel] = notebooks(app);
  if (!id || !panel) return;
  await Promise.all([panel.context.ready, panel.revealed]);
  const { content } = panel;
  content.activeCellIndex = content.widgets.findIndex(({ model }) => model.id === id);
  const { activeCell: cell } = content;
  const last = content.widgets.at(-1);
  const hand = new AbortController();
  for (const event of ["wheel", "pointerdown", "keydown"]) addEventListener(event, () => hand.abort(), { capture: true, once: true });
  for (let isAllThere = false; !isAllThere && !hand.signal.aborted;) { // cells come one by one
    isAllThere = last.node.isConnected;
    if (cell.node.isConnected) await content.scrollToCell(cell, "start");
    await new Promise((done) => setTimeout(done, PATIENCE));
  }
}

// Lets a link to the page lead to where the hand is in the notebook: to the code cell that it is in, or the one before.
export function leadBack(app, link) {
  const [page] = link.href.split("#");
  const follow = () => {
    const content = notebooks(app).find(({ isVisible }) => isVisible)?.content;
    const before = content?.widgets.slice(0, content.activeCellIndex + 1).findLast(({ model }) => model.type === "code");
    link.href = before ? `${page}#${before.model.id}` : page;
  };
  for (const event of ["pointerenter", "focus", "pointerdown", "click"]) link.addEventListener(event, follow);
}
