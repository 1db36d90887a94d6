// Takes out of HTML whatever could act.
export { default as cleaner } from "dompurify";
