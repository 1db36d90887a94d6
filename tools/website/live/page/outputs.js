// What a cell gives, drawn as the page draws what is stored.
import { element } from "./saying.js";
import { unlined } from "./browser_store.js";

const KINDS = [ // what a notebook may hold of one output, the best first
  ["text/html", (text, clean) => element("div", { className: "output text_html", innerHTML: clean(text) })],
  ["image/svg+xml", (text, clean) => element("div", { className: "output image_svg", innerHTML: clean(text) })],
  ["image/png", (data) => element("div", { className: "output image_png" }, element("img", { src: `data:image/png;base64,${data}`, alt: "" }))],
  ["text/plain", (text) => written(text, "text_plain")],
];

const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, "g"); // of a terminal, as notebooks store them
const written = (text, kind) => element("div", { className: `output ${kind}` }, element("pre", {}, unlined(text)));

// clean: what comes before HTML of somebody else's is drawn.
export function drawOutput(place, { output_type: type, text, data = {}, traceback, name, place: id }, clean = (html) => html) {
  if (id) return place.append(element("div", { id, className: "living" }));
  if (type === "stream") return addPrinted(place, text, name);
  if (type === "error") return place.append(written((traceback ?? []).join("\n").replace(COLOURS, ""), "traceback"));
  const best = KINDS.find(([kind]) => kind in data);
  if (best) place.append(best[1](unlined(data[best[0]]), (html) => toPages(clean(html))));
}

// A link to a lesson leads to its page.
const toPages = (html) => html.replaceAll(".ipynb#cell-id=", ".html#").replaceAll('.ipynb"', '.html"');

// What is printed goes on where it ended.
function addPrinted(place, text, name) {
  const last = place.lastElementChild;
  if (last?.matches(`.stream.${name}`)) last.firstChild.append(unlined(text));
  else place.append(written(text, `stream ${name}`));
}
