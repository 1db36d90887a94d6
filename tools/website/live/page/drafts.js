// What was typed and is not kept yet, at every key: the browser takes it at once, so a page that ends loses nothing.
const NAME = "mha_course draft";

const nameOf = (lesson, id) => `${NAME} ${lesson} ${id}`;

const ifAllowed = (act) => {
  try {
    return act();
  } catch {
    return null; // then the page says that nothing is kept
  }
};

export const setDraft = (lesson, id, source) => ifAllowed(() => localStorage.setItem(nameOf(lesson, id), source));
export const draftOf = (lesson, id) => ifAllowed(() => localStorage.getItem(nameOf(lesson, id)));
export const dropDraft = (lesson, id) => ifAllowed(() => localStorage.removeItem(nameOf(lesson, id)));

export const dropAllDrafts = () => ifAllowed(() => {
  for (const name of Object.keys(localStorage)) if (name.startsWith(NAME)) localStorage.removeItem(name);
});
