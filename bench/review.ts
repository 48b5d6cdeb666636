// What a review takes: without a model in time, with one in tokens. `npm run bench:review [-- <part>... --megabytes <n> --json <file>]`, parts: reviews, analysis,
// small, pushes, locks, silence. Without one: all but silence, which needs a package registry and some minutes.
import { parseArgs } from "node:util";
import { ANALYSIS_TITLE, measureAnalysis } from "./analysis/measure-analysis.ts";
import { report, writeResults } from "./report.ts";
import { LOCKS_TITLE, measureLocks } from "./review/measure-locks.ts";
import { measurePushes, PUSHES_TITLE } from "./review/measure-pushes.ts";
import { measureReviews, REVIEWS_TITLE } from "./review/measure-reviews.ts";
import { measureSilence } from "./review/measure-silence.ts";
import { measureSmall, SMALL_TITLE } from "./review/measure-small.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { megabytes: { type: "string", default: "30" }, json: { type: "string" } },
});
const chosen = new Set(positionals.length > 0 ? positionals : ["reviews", "small", "analysis", "pushes", "locks"]);
const parts = [];
if (chosen.has("reviews")) parts.push({ title: REVIEWS_TITLE, results: await measureReviews() });
if (chosen.has("small")) parts.push({ title: SMALL_TITLE, results: measureSmall() });
if (chosen.has("analysis"))
  parts.push({ title: ANALYSIS_TITLE, results: await measureAnalysis(Number(values.megabytes)) });
if (chosen.has("pushes")) parts.push({ title: PUSHES_TITLE, results: await measurePushes() });
if (chosen.has("locks")) parts.push({ title: LOCKS_TITLE, results: measureLocks() });
if (chosen.has("silence")) parts.push({ title: "Silence on published changes", results: measureSilence() });
for (const { title, results } of parts) report(title, results, []);
if (!chosen.has("silence")) console.log("Silence on published changes: `npm run bench:review -- silence`.\n");
if (values.json !== undefined)
  writeResults(
    values.json,
    parts.flatMap(({ results }) => results),
  );
