import { defined } from "../../domain/defined.ts";
import type { Observation } from "../../domain/findings.ts";
import type { ChangedFile } from "../../domain/hunks.ts";
import { type Classification, isTestPath } from "../classify-file.ts";
import { isProgramText } from "../languages.ts";
import { reasonByName } from "../written-claims.ts";

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

const DOCS =
  /\.(?:md|markdown|rst|adoc)$|(?:^|\/)(?:README|LICEN[CS]E|NOTICE|AUTHORS|CHANGELOG|CHANGES|CONTRIBUTING|CODE_OF_CONDUCT)(?:\.txt)?$/i;

const UNCOUNTED: ReadonlyMap<string | undefined, RiskFileKind> = new Map([
  ["a lock file", "lock"],
  ["vendored", "vendored"],
  ["generated", "generated"],
  ["minified", "generated"],
]);

type Claims = Pick<Classification, "test" | "reason" | "claims" | "language">;

/** New code is code, whatever it calls itself: only what the base knows as the output of a program is not counted. */
function isBelieved({ status }: ChangedFile, { claims, language }: Claims): boolean {
  return claims === undefined || status !== "added" || !isProgramText(language);
}

/** A changed file as the risk sees it. */
export function riskFile(
  file: ChangedFile,
  classification: Pick<Classification, "test" | "reason" | "claims">,
): RiskFile {
  const { path, addedLines, deletedLines } = file;
  const moved = file.status === "renamed" || file.status === "copied";
  return {
    path,
    kind: kindOf(path, isBelieved(file, classification) ? classification : { test: classification.test }),
    addedLines,
    deletedLines,
    pureRename: moved && file.hunks.length === 0,
  };
}

/** What a file is by its path alone, where nobody looks at what it holds. */
export function kindByName(path: string): RiskFileKind {
  return kindOf(path, { test: isTestPath(path), ...defined({ claims: reasonByName(path) }) });
}

function kindOf(
  path: string,
  { test, reason, claims }: Pick<Classification, "test" | "reason" | "claims">,
): RiskFileKind {
  const uncounted = UNCOUNTED.get(claims ?? reason);
  if (uncounted !== undefined) return uncounted;
  if (test) return "test";
  return DOCS.test(path) ? "docs" : "code";
}

/** `  contents: write`, `permissions: write-all`. */
const GRANT = /^\s*(?:permissions\s*:\s*(write-all)|([a-z][a-z-]*)\s*:\s*["']?write["']?)\s*(?:#.*)?$/;
const BLOCK = /^\s*permissions\s*:/;
/** `permissions: { contents: write }` */
const INLINE = /([a-z][a-z-]*)(?:\s*:\s*["']?(write\b)?)?/g;

/**
 * Whether a workflow's jobs may write more than before: a grant that was not there, or a limit that is gone, so that the repository's
 * default counts. Reads lines, not YAML: what is doubtful counts as a grant.
 */
export function grantsMore(oldText: string | undefined, newText: string): boolean {
  const [before, after] = [grantsOf(oldText ?? ""), grantsOf(newText)];
  if (oldText !== undefined && after.blocks < before.blocks) return true;
  return [...after.grants].some(([grant, count]) => count > (before.grants.get(grant) ?? 0));
}

function grantsOf(text: string): { readonly grants: ReadonlyMap<string, number>; readonly blocks: number } {
  const grants = new Map<string, number>();
  let blocks = 0;
  const add = (grant: string) => grants.set(grant, (grants.get(grant) ?? 0) + 1);
  for (const line of text.split("\n", 20_000)) {
    if (line.length > 500) continue;
    if (BLOCK.test(line)) blocks += 1;
    const grant = GRANT.exec(line.trimEnd());
    if (grant) add(grant[1] ?? grant[2] ?? "");
    else if (BLOCK.test(line))
      for (const [, name = "", write] of line.matchAll(INLINE)) if (write !== undefined) add(name);
  }
  return { grants, blocks };
}
