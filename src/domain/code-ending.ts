/** How files of our code end: `.ts` in a checkout, which Node runs as it is, and `.js` in the package, where Node strips no types (OPS-6). */
export const CODE_ENDING = import.meta.filename.endsWith(".ts") ? ".ts" : ".js";
