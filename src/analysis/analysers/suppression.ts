import type { Observation } from "../../domain/findings.ts";
import { takeTurns } from "../../workspace/files/turns.ts";
import type { Analyser } from "../analyser.ts";
import { lineText, type SourceFile } from "../source-file.ts";
import { findSuppressions, type Suppression } from "../suppressions.ts";

/** Comments of the change that switch a check off: Forge looked all the same, and says that they are new. */
export const suppression: Analyser = {
  name: "suppression",
  version: "2",
  layer: "static",
  appliesTo: ({ language }) => language !== undefined,
  analyse: async (files) => {
    const observations: Observation[] = [];
    const turn = takeTurns(TURN);
    for (const file of files) {
      const found: Suppression[] = [];
      for (const line of file.addedLines) {
        const text = lineText(file, line);
        found.push(...findSuppressions([line], () => text));
        const others = turn(text.length);
        if (others) await others;
      }
      observations.push(...observe(file, found));
    }
    return { observations, filesRead: files.length, problems: [] };
  },
};

/** A change may have a million lines, and others wait meanwhile: some 10 ms, of which a line takes as much as 200 of its UTF-16 units. */
const TURN = { most: 5_000, unitsOfStep: 200 };

function observe(file: SourceFile, found: readonly Suppression[]): Observation[] {
  // A test of types expects errors: that is no silence.
  const silent = found.filter(({ directive }) => !file.test || directive !== "@ts-expect-error");
  return silent.map((one) => ({
    source: "static",
    rule: "suppression/added",
    severity: one.wide && !one.named && !file.test ? "warning" : "info",
    category: "maintainability",
    file: file.path,
    line: one.line,
    column: one.column,
    endLine: one.line,
    endColumn: one.column + one.directive.length,
    message: says(one),
    why: "The tools of this repository stay silent where it applies; this review looked as if it were not there.",
    confidence: 0.8,
  }));
}

function says({ directive, wide }: Suppression): string {
  return wide
    ? `${directive} switches a check off for more than one line.`
    : `${directive} switches a check off for one place.`;
}
