// Writes the pages under docs/reference/ that come from the tables in code. `npm run docs:reference`.
import { writeFileSync } from "node:fs";
import { REFERENCE_PAGES } from "./reference/pages.ts";

for (const [path, page] of REFERENCE_PAGES) writeFileSync(path, page());
