// What ESLint asks of the scripts. Python joins those of a widget into one module, so each knows the names of the others.

import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const { configs } = createRequire(realpathSync(process.argv[1]))("@eslint/js"); // which is installed beside ESLint

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const JOINED = ["mha_course/engine/browser/page", "mha_course/widgets/browser"];
const MODULES = ["tools/website/live/page"]; // of a page, which import each other by name
const NOT_MODULES = ["first_aid", "service-worker", "unpacking", "reading_worker"].map((name) => `tools/website/live/page/${name}.js`);
const ALONE = ["tools/classroom/deck", "tools/website/static"]; // scripts of a page, not modules
const BROWSER = [ // no more than what is used: a browser also knows `name`, `find` and `status`
  "AbortController", "Blob", "FormData", "KeyboardEvent", "MutationObserver", "Node", "NodeFilter", "ResizeObserver", "URL", "cancelAnimationFrame", "clearInterval",
  "clearTimeout", "document", "matchMedia", "navigator", "requestAnimationFrame", "setInterval", "setTimeout",
];
const OF_A_PAGE = [ // with what another script of the page defines
  ...BROWSER, "DOCUMENTATION_OPTIONS", "IntersectionObserver", "Reveal", "innerHeight", "addEventListener", "isWide", "location",
  "Scorer", "Stemmer", "TEXTS", "URLSearchParams", "stopwords", // on the page that searches
  "ARROWS", "beside", "nameOf", // with boards
];

const OF_A_LIVE_LESSON = [
  ...BROWSER, "DecompressionStream", "Response", "TextDecoder", "URLSearchParams", "addEventListener", "atob", "btoa", "caches", "fetch", "globalThis", "importScripts",
  "BroadcastChannel", "Event", "Worker", "console", "indexedDB", "innerHeight", "innerWidth", "localStorage", "location", "performance", "postMessage", "scrollBy", "self",
  "sessionStorage", "structuredClone", "visualViewport", "window",
];

const allowed = (names) => Object.fromEntries(names.map((name) => [name, "readonly"]));

const files = JOINED.flatMap((folder) => {
  const names = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith(".js"));
  return names.map((name) => {
    const text = readFileSync(join(ROOT, folder, name), "utf-8");
    const defined = [...text.matchAll(/^(?:async )?(?:function|const|let) (\w+)/gm)].map(([, each]) => each);
    return { path: `${folder}/${name}`, text, defined };
  });
});

// What a file defines may be there for others, and what it uses may be theirs.
const ofFile = ({ path, defined }) => {
  const others = files.filter((each) => each.path !== path);
  const isUsed = (name) => others.some(({ text }) => new RegExp(`\\b${name}\\b`).test(text));
  const forOthers = `^(${defined.filter(isUsed).join("|")})$`;
  const theirs = others.flatMap((each) => each.defined).filter((name) => !defined.includes(name));
  return {
    files: [path],
    languageOptions: { globals: allowed([...BROWSER, ...theirs]) },
    rules: { "no-unused-vars": ["error", { varsIgnorePattern: forOthers }] },
  };
};

export default [
  { ...configs.recommended, files: [...JOINED, ...ALONE, ...MODULES].map((folder) => `${folder}/*.js`) },
  { rules: { eqeqeq: "error", "no-var": "error", "prefer-const": "error" } },
  {
    files: ALONE.map((folder) => `${folder}/*.js`),
    languageOptions: { sourceType: "script", globals: allowed(OF_A_PAGE) },
    rules: { "no-unused-vars": ["error", { vars: "local" }], "no-redeclare": ["error", { builtinGlobals: false }] },
  },
  {
    files: MODULES.map((folder) => `${folder}/*.js`),
    languageOptions: { globals: allowed(OF_A_LIVE_LESSON) },
  },
  {
    files: NOT_MODULES,
    languageOptions: { sourceType: "script" },
    rules: { "no-var": "off" }, // any browser, however old, can read first_aid.js
  },
  ...files.map(ofFile),
];
