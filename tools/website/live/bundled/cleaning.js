// Takes out of HTML whatever could act, or reach beyond its place.
import purify from "dompurify";

export const clean = (html) => purify.sanitize(html, { FORBID_TAGS: ["style", "form"] });
