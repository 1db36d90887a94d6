// A lesson that the learner changed is never overwritten by a new version: that one stands beside it.
import { notebookOf, store, storedFiles } from "./browser_store.js";

const isOfToday = (model, { stamp }) => {
  const { metadata } = notebookOf(model);
  return !metadata.lesson || metadata.lesson === stamp;
};

export async function offerNewVersion(app, { version, lessons }) {
  const { contents } = app.serviceManager;
  const stored = await storedFiles();
  for (const lesson of lessons) {
    const path = `${lesson.name}.ipynb`;
    const beside = `${lesson.name}_${version}.ipynb`;
    if (!stored.has(path) || isOfToday(stored.get(path), lesson) || stored.has(beside)) continue;
    const content = await (await fetch(new URL(`../files/${path}`, import.meta.url))).json();
    await store(contents, beside, { type: "notebook", format: "json", content });
    const text = `There is a new version of “${lesson.title}”. Yours stays as it is, and the new one stands beside it.`;
    globalThis.sayOnPage(text, false, beside);
  }
}
