import type { Analyser, AnalyserContext, AnalyserResult } from "../analyser.ts";
import { escapeHidden } from "../disguises/show.ts";
import { nearestAddedLine, type SourceFile } from "../source-file.ts";

/** New files that are taken for others of the repository, as their names look the same or are the same on other systems. */
export const twins: Analyser = {
  name: "twins",
  version: "1",
  layer: "security",
  appliesTo: ({ status }) => status === "added" || status === "renamed" || status === "copied",
  analyse: findTwinNames,
};

async function findTwinNames(files: readonly SourceFile[], context: AnalyserContext): Promise<AnalyserResult> {
  const observations = files.flatMap((file) => {
    const twin = context.twins?.get(file.path);
    const line = nearestAddedLine(file, 1);
    if (twin === undefined || line === undefined) return [];
    const there = `\`${escapeHidden(twin.of)}\``;
    const [message, why] = twin.caseOnly
      ? [
          `The name of this file and that of ${there} differ in capitals only.`,
          "On Windows and macOS they are one file, and one of the two is lost.",
        ]
      : [
          `The name of this file looks like ${there}: ${escapeHidden(file.path)}`,
          "People take it for another file than programs do.",
        ];
    return [
      {
        ...({ source: "security", category: "security", rule: "twins/file-name" } as const),
        ...{
          severity: twin.caseOnly ? ("warning" as const) : ("error" as const),
          confidence: twin.caseOnly ? 0.7 : 0.9,
        },
        ...{ file: file.path, line, endLine: line, message, why },
      },
    ];
  });
  return { observations, filesRead: files.length, problems: [] };
}
