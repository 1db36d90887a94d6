// What a page needs once, however many widgets it has. Each widget's script is a module of its own, perhaps of another
// notebook and of another version of the course, so what they share hangs on the document, under a name.

// Returns what make() made for the first widget that asked. signal: of a widget that needs it no more; the last one
// ends it. make(): what is shared, with a function `end`.
function oneForAll(name, make, signal) {
  const key = Symbol.for(`mha_course.${name}`);
  const shared = (document[key] ??= { users: 0, ...make() });
  shared.users += 1;
  signal.addEventListener("abort", () => {
    shared.users -= 1;
    if (shared.users) return;
    shared.end();
    delete document[key];
  });
  return shared;
}
