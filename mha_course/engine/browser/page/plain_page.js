// A page without Jupyter as the host of widgets. It keeps their models and hands messages on; plain_page.py says what
// stands in these. post(message): to Python. Returns what takes a message of Python's.
export function plainPage(post) {
  const widgets = new Map();
  const modules = new Map(); // a script's text -> its module: widgets of one kind share it

  const load = async (script) => {
    const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    try {
      return (await import(address)).default;
    } finally {
      URL.revokeObjectURL(address);
    }
  };

  const begin = async (id, { _esm: script, _css: styles, ...state }) => {
    if (!modules.has(script)) {
      modules.set(script, load(script));
      document.head.appendChild(document.createElement("style")).textContent = styles;
    }
    const widget = { state, gone: new AbortController(), listeners: new Map() };
    widget.model = modelOf(id, widget, post);
    widget.script = await modules.get(script);
    await widget.script.initialize?.({ model: widget.model, signal: widget.gone.signal });
    return widget;
  };

  const show = async (id, state, place) => {
    if (!widgets.has(id)) widgets.set(id, begin(id, state)); // promises: what comes for a widget waits for its script
    const { script, model, gone } = await widgets.get(id);
    const el = document.getElementById(place).appendChild(document.createElement("div"));
    const end = await script.render({ model, el, signal: gone.signal });
    gone.signal.addEventListener("abort", () => {
      end?.();
      el.remove();
    });
  };

  const hear = async ({ to, gone, show: shown, place, method, state, content }) => {
    if (shown) return show(shown, state, place);
    const widget = await widgets.get(to ?? gone);
    if (gone) {
      widgets.delete(gone);
      widget.gone.abort();
    } else if (method === "update") Object.assign(widget.state, state);
    else for (const each of [...(widget.listeners.get("msg:custom") ?? [])]) each(content);
  };
  return hear;
}

// What a widget's script knows of its model.
const modelOf = (id, { state, listeners }, post) => ({
  get: (name) => state[name],
  on: (event, listener) => listeners.set(event, (listeners.get(event) ?? new Set()).add(listener)),
  off: (event, listener) => listeners.get(event)?.delete(listener),
  send: (content) => post({ from: id, content }),
});
