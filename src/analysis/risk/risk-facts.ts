import type { Observation } from "../../domain/findings.ts";

/** What a changed file is. Lines of `generated`, `lock` and `vendored` files were not written by anybody and do not count. */
export const RISK_FILE_KINDS = ["code", "test", "docs", "generated", "lock", "vendored"] as const;
export type RiskFileKind = (typeof RISK_FILE_KINDS)[number];

export interface RiskFile {
  readonly path: string;
  readonly kind: RiskFileKind;
  readonly addedLines: number;
  readonly deletedLines: number;
  /** Moved without a change of content: whatever lines a listing gives for it do not count. */
  readonly pureRename: boolean;
}

/** Of the touched files and of the change's author, as the base knows them. */
export interface HistoryFacts {
  /** Commits on the touched files in 12 months. */
  readonly commits: number;
  /** Distinct authors of those commits. */
  readonly authors: number;
  /** Earlier commits of the change's author; undefined when the author could not be told. */
  readonly author?: { readonly inTheseDirectories: number; readonly elsewhere: number };
  /** Counting was stopped at a limit: all counts are lower bounds. */
  readonly truncated: boolean;
}

/** Everything `assessRisk` looks at. What is not known is left out, never zero. */
export interface RiskFacts {
  readonly files: readonly RiskFile[];
  /** Cognitive complexity that added lines bring into functions, where files could be parsed. */
  readonly addedComplexity?: number;
  /** Globs of the configuration that match a changed file, with their weights 0 to 1. */
  readonly pathWeights: readonly { readonly glob: string; readonly weight: number }[];
  readonly history?: HistoryFacts;
  /** Findings that are open on this head. */
  readonly openFindings: readonly (Pick<Observation, "severity" | "category" | "confidence"> & Partial<Observation>)[];
  /** Changed files that migrate a database. */
  readonly migrations: readonly string[];
  /** Workflows whose permissions the change touches. */
  readonly workflowPermissions: readonly string[];
  /** Changed files that the configuration protects. */
  readonly protectedPaths: readonly string[];
}
