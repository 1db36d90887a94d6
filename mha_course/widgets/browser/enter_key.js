// Enter in a field ends the typing; in that of the text, it may press a button as well.

// button: its name, if there is one.
function enterEnds(el, send, button) {
  el.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches("input[name]")) return;
    event.preventDefault();
    event.target.blur(); // which the browser takes for the end of typing
    event.target.focus();
    if (button && event.target.name === "text") send("press", button);
  });
}
