// A model that writes: each picture asks Python for the next token.

function render({ model, el }) {
  const words = ["▶ Write", "■ Stop"];
  const { send, close } = ticking({ model, el, kind: "mha-speak", button: "write", words });
  enterEnds(el, send, "begin"); // also while it writes
  return close;
}

export default alive(render);
