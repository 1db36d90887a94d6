// Packs files into one, and unpacks them.
export { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
