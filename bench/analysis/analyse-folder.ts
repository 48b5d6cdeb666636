import { appendFileSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { analyseChange, type ChangeAnalysis } from "../../src/analysis/analyse-change.ts";
import { openAnalysisCache } from "../../src/analysis/open-analysis-cache.ts";
import { DEFAULT_REPO_CONFIG } from "../../src/domain/repo-config.ts";

/** Both layers over a folder, every file as added; then one of them is touched, for the next time. */
export async function analyseFolder(folder: string): Promise<Pick<ChangeAnalysis, "cache"> & { findings: number }> {
  const paths = readdirSync(join(folder, "src"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => `src/${path}`);
  const contents = new Map(paths.map((path) => [path, readFileSync(join(folder, path))]));
  const { cache, observations, coverage } = await analyseChange({
    files: [...contents].map(([path, content]) => {
      const lines = content.toString("latin1").split("\n").length - 1;
      const added = Array.from({ length: lines }, (_, index) => index + 1);
      const hunks = [{ newStart: 1, newEnd: lines, added }];
      return { path, status: "added", mode: "100644", binary: false, addedLines: lines, deletedLines: 0, hunks };
    }),
    contents,
    configuration: DEFAULT_REPO_CONFIG,
    identity: { headSha: "a".repeat(40), baseSha: "b".repeat(40), mergeBaseSha: "c".repeat(40) },
    key: Buffer.from("bench"),
    cache: openAnalysisCache(join(folder, "data", "cache")),
    scratchRoot: mkdtempSync(join(folder, "data", "scratch-")),
    signal: new AbortController().signal,
  });
  const missed = coverage.layers.find(({ state }) => state === "partly" || state === "failed");
  if (missed !== undefined || coverage.uncovered.length > 0) throw new Error(`not all was read: ${missed?.reason}`);
  const [touched = ""] = paths;
  appendFileSync(join(folder, touched), "\nexport const touched = true;\n");
  return { cache, findings: observations.length };
}
