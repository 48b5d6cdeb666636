import type { ChangedFile } from "../../domain/hunks.ts";
import type { Classification } from "../classify-file.ts";
import { isProgramText } from "../languages.ts";
import type { RiskFile, RiskFileKind } from "./risk-facts.ts";

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

function kindOf(
  path: string,
  { test, reason, claims }: Pick<Classification, "test" | "reason" | "claims">,
): RiskFileKind {
  const uncounted = UNCOUNTED.get(claims ?? reason);
  if (uncounted !== undefined) return uncounted;
  if (test) return "test";
  return DOCS.test(path) ? "docs" : "code";
}
