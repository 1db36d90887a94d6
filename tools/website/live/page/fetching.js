// Fetches what Python is made of while JupyterLab is built, all at once. Python itself then finds it in the cache.
export async function fetchPython(files, tell) {
  const all = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  const fetchOne = async ({ name }) => {
    const answer = await fetch(new URL(`../python/${name}`, import.meta.url)).catch(() => ({ ok: false }));
    if (!answer.ok) throw new Error(`A part of Python did not load: ${name}.`);
    const reader = answer.body.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      done += part.value.length;
      tell(done, all);
    }
  };
  await Promise.all(files.map(fetchOne));
}
