// A question: what is filled in goes to Python when the form is submitted.

function render({ model, el }) {
  const { send, disconnect } = connect({ model, el, kind: "mha-form" });

  // JupyterLab keeps Enter in a text field from submitting its form.
  el.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches("input")) return;
    event.preventDefault();
    event.target.form.requestSubmit();
  });
  el.addEventListener("submit", (event) => {
    event.preventDefault();
    const form = event.target;
    send("submit", form.dataset.form, Object.fromEntries(new FormData(form)));
  });
  el.addEventListener("input", (event) => {
    if (isOff(event.target)) event.target.form.reset(); // an answer that was committed to
  });

  return disconnect;
}

export default alive(render);
