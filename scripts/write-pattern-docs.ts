// Writes docs/patterns.md from the tables of rules. `npm run docs:patterns`.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { patternDocs } from "./patterns/write-docs.ts";

writeFileSync(join(import.meta.dirname, "..", "docs", "patterns.md"), patternDocs());
