import type { Observation } from "../../domain/findings.ts";
import type { Analyser } from "../analyser.ts";
import { lineText, type SourceFile } from "../source-file.ts";
import { findSuppressions, type Suppression } from "../suppressions.ts";

/** Comments of the change that switch a check off: Forge looked all the same, and says that they are new. */
export const suppression: Analyser = {
  name: "suppression",
  version: "2",
  layer: "static",
  appliesTo: ({ language }) => language !== undefined,
  analyse: async (files) => ({ observations: files.flatMap(observe), filesRead: files.length, problems: [] }),
};

function observe(file: SourceFile): Observation[] {
  return findSuppressions(file.addedLines, (line) => lineText(file, line)).map((found) => ({
    source: "static",
    rule: "suppression/added",
    severity: found.wide ? "warning" : "info",
    category: "maintainability",
    file: file.path,
    line: found.line,
    column: found.column,
    endLine: found.line,
    endColumn: found.column + found.directive.length,
    message: says(found),
    why: "The tools of this repository stay silent where it applies; this review looked as if it were not there.",
    confidence: 0.8,
  }));
}

function says({ directive, wide }: Suppression): string {
  return wide
    ? `${directive} switches a check off for more than one line.`
    : `${directive} switches a check off for one place.`;
}
