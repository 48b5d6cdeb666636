import type { ChangedFile } from "../../domain/hunks.ts";
import type { Classification } from "../classify-file.ts";
import type { RiskFile, RiskFileKind } from "./risk-facts.ts";

const DOCS =
  /\.(?:md|markdown|rst|adoc)$|(?:^|\/)(?:README|LICEN[CS]E|NOTICE|AUTHORS|CHANGELOG|CHANGES|CONTRIBUTING|CODE_OF_CONDUCT)(?:\.txt)?$/i;

const UNCOUNTED: ReadonlyMap<string | undefined, RiskFileKind> = new Map([
  ["a lock file", "lock"],
  ["vendored", "vendored"],
  ["generated", "generated"],
  ["minified", "generated"],
]);

/** A changed file as the risk sees it. */
export function riskFile(file: ChangedFile, classification: Pick<Classification, "test" | "reason">): RiskFile {
  const { path, addedLines, deletedLines } = file;
  const moved = file.status === "renamed" || file.status === "copied";
  return {
    path,
    kind: kindOf(path, classification),
    addedLines,
    deletedLines,
    pureRename: moved && file.hunks.length === 0,
  };
}

function kindOf(path: string, { test, reason }: Pick<Classification, "test" | "reason">): RiskFileKind {
  const uncounted = UNCOUNTED.get(reason);
  if (uncounted !== undefined) return uncounted;
  if (test) return "test";
  return DOCS.test(path) ? "docs" : "code";
}
