import { setImmediate } from "node:timers/promises";
import type { Observation } from "../../domain/findings.ts";
import { CONFIGURATION_PATH } from "../../domain/repo-config.ts";
import type { Analyser } from "../analyser.ts";
import { type ConfigurationMistake, parseConfiguration } from "../configuration/parse-configuration.ts";
import { lineText, nearestAddedLine, type SourceFile } from "../source-file.ts";

/** Mistakes in Forge's own configuration, on the pull request that makes them (CONF-1): after the merge they would change every review. */
export const config: Analyser = {
  name: "config",
  version: "1",
  layer: "static",
  appliesTo: ({ path }) => path === CONFIGURATION_PATH,
  analyse: async (files) => {
    const observations = await Promise.all(files.map(observe));
    return { observations: observations.flat(), filesRead: files.length, problems: [] };
  },
};

async function observe(file: SourceFile): Promise<Observation[]> {
  const parsed = parseConfiguration(file.text);
  if (parsed.ok) return [];
  // Each of two hostile files takes its tenth of a second.
  await setImmediate();
  const isNew = file.oldText === undefined || parseConfiguration(file.oldText).ok;
  return parsed.mistakes.flatMap((mistake) => report(file, mistake, isNew));
}

/** A parser notices a mistake where it stops, which may be beside the line that the change touched. */
function report(file: SourceFile, mistake: ConfigurationMistake, isNew: boolean): Observation[] {
  const line = isNew ? nearestAddedLine(file, mistake.line) : mistake.line;
  if (line === undefined) return [];
  const column = /\S/.exec(lineText(file, line))?.index ?? 0;
  return [
    {
      source: "static",
      rule: "config/invalid",
      severity: "error",
      category: "correctness",
      file: file.path,
      line,
      column: column + 1,
      endLine: line,
      message: mistake.message,
      why: "Once this is merged, nothing of the file is used: the last configuration without a mistake stays in force.",
      confidence: 1,
    },
  ];
}
