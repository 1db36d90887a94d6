// Packs files into one, and unpacks them.
export { strToU8, unzipSync, zipSync } from "fflate";
