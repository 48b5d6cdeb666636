// How long both deterministic layers take over 30 MB of TypeScript. `node bench/analysis.ts [--megabytes <n>] [--json <file>]`.
import { analyseFolder } from "./analysis/analyse-folder.ts";
import { ANALYSIS_TITLE, measureAnalysis } from "./analysis/measure-analysis.ts";
import { searchFolder } from "./analysis/search-folder.ts";
import { report } from "./report.ts";

const [mode, folder = "."] = process.argv.slice(2);
if (mode === "--secretlint") await searchFolder(folder);
else if (mode === "--forge") console.log(JSON.stringify(await analyseFolder(folder)));
else {
  const at = process.argv.indexOf("--megabytes");
  report(ANALYSIS_TITLE, await measureAnalysis(at === -1 ? 30 : Number(process.argv[at + 1])));
}
