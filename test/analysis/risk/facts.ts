import type { HistoryFacts, RiskFacts, RiskFile } from "../../../src/analysis/risk/risk-facts.ts";

export function changedFile(path: string, addedLines: number, deletedLines: number): RiskFile {
  return { path, kind: "code", addedLines, deletedLines, pureRename: false };
}

export function history(commits: number, authors: number, inTheseDirectories: number, elsewhere: number): HistoryFacts {
  return { commits, authors, author: { inTheseDirectories, elsewhere }, truncated: false };
}

/** Facts about which nothing is known but the files. */
export function facts(known: Partial<RiskFacts>): RiskFacts {
  return {
    files: [],
    pathWeights: [],
    openFindings: [],
    migrations: [],
    workflowPermissions: [],
    protectedPaths: [],
    ...known,
  };
}
