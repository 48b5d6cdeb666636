// How long both deterministic layers take over 30 MB of TypeScript. `node bench/analysis.ts [--megabytes <n>] [--json <file>]`.
import { enableCompileCache } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compiledCodeFolder } from "../src/analysis/reader/compiled-code.ts";
import { ANALYSIS_TITLE, measureAnalysis } from "./analysis/measure-analysis.ts";
import { searchFolder } from "./analysis/search-folder.ts";
import { report } from "./report.ts";

const [mode, folder = "."] = process.argv.slice(2);
if (mode === "--secretlint") await searchFolder(folder);
else if (mode === "--forge") {
  // As `main.ts` begins.
  const compiled = await compiledCodeFolder(tmpdir());
  if (compiled !== undefined) enableCompileCache(join(compiled, "server"));
  const { analyseFolder } = await import("./analysis/analyse-folder.ts");
  console.log(JSON.stringify(await analyseFolder(folder)));
} else {
  const at = process.argv.indexOf("--megabytes");
  report(ANALYSIS_TITLE, await measureAnalysis(at === -1 ? 30 : Number(process.argv[at + 1])));
}
