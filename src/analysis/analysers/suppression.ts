import { setImmediate } from "node:timers/promises";
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
  analyse: async (files) => {
    const observations: Observation[] = [];
    const turn = takeTurns();
    for (const file of files) {
      const found: Suppression[] = [];
      for (const line of file.addedLines) {
        const text = lineText(file, line);
        const others = turn(text.length);
        if (others) await others;
        found.push(...findSuppressions([line], () => text));
      }
      observations.push(...observe(file, found));
    }
    return { observations, filesRead: files.length, problems: [] };
  },
};

/** UTF-16 units looked at in one turn of the event loop, and what a line costs beside its own: some 10 ms. */
const IN_ONE_TURN = 1024 * 1024;
const OF_A_LINE = 200;

/** A change may have a million lines, and others wait meanwhile. @returns to be awaited where there is something to await */
function takeTurns(): (units: number) => Promise<void> | undefined {
  let looked = 0;
  return (units) => {
    looked += units + OF_A_LINE;
    if (looked <= IN_ONE_TURN) return undefined;
    looked = units;
    return setImmediate();
  };
}

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
