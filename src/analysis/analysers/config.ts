import { setImmediate } from "node:timers/promises";
import type { Observation } from "../../domain/findings.ts";
import { CONFIGURATION_PATH, RepoConfig } from "../../domain/repo-config.ts";
import type { Analyser, AnalyserContext } from "../analyser.ts";
import { type DeployFault, deployFaults, queryFaults } from "../configuration/deploy-faults.ts";
import { parseConfiguration, settingLine } from "../configuration/parse-configuration.ts";
import { lineText, nearestAddedLine, type SourceFile } from "../source-file.ts";

/** Mistakes in Forge's own configuration, on the pull request that makes them (CONF-1): after the merge they would change every review. */
export const config: Analyser = {
  name: "config",
  version: "2",
  layer: "static",
  appliesTo: ({ path }) => path === CONFIGURATION_PATH,
  analyse: async (files, context) => {
    const observations = await Promise.all(files.map((file) => observe(file, context)));
    return { observations: observations.flat(), filesRead: files.length, problems: [] };
  },
};

async function observe(file: SourceFile, context: AnalyserContext): Promise<Observation[]> {
  const parsed = parseConfiguration(file.text);
  if (parsed.ok) return observeFaults(file, context);
  // Each of two hostile files takes its tenth of a second.
  await setImmediate();
  const isNew = file.oldText === undefined || parseConfiguration(file.oldText).ok;
  return parsed.mistakes.flatMap(({ line, message }) =>
    report(
      file,
      { line, isNew },
      { rule: "config/invalid", severity: "error", category: "correctness", message, why: UNUSED },
    ),
  );
}

/** Settings that are right one by one and do not go together. */
function observeFaults(file: SourceFile, context: AnalyserContext): Observation[] {
  const before = new Set(
    file.oldText === undefined ? [] : faultsIn(file.oldText, context).map(({ message }) => message),
  );
  return faultsIn(file.text, context).flatMap(({ path, severity, message }) =>
    report(
      file,
      { line: settingLine(file.text, path), isNew: !before.has(message) },
      severity === "error"
        ? { rule: "config/cannot-deploy", severity, category: "correctness", message, why: UNDEPLOYED }
        : { rule: "config/untested-deploy", severity, category: "correctness", message, why: UNTESTED },
    ),
  );
}

function faultsIn(text: string, { settle = (given) => RepoConfig.parse(given), tree }: AnalyserContext): DeployFault[] {
  const parsed = parseConfiguration(text);
  const settled = parsed.ok ? settle(parsed.given) : undefined;
  if (!parsed.ok || settled === undefined) return [];
  const paths = tree && new Set(tree.paths);
  return [...deployFaults(settled, paths && ((path) => paths.has(path))), ...queryFaults(parsed.given)];
}

const UNUSED =
  "Once this is merged, nothing of the file is used: the last configuration without a mistake stays in force.";
const UNDEPLOYED = "Once this is merged, Forge refuses each deployment that needs this setting.";
const UNTESTED = "A pull request of low risk whose tests did not run is not covered, so its deployment asks a person.";

type Said = Pick<Observation, "rule" | "severity" | "category" | "message" | "why">;

/** A parser notices a mistake where it stops, which may be beside the line that the change touched. */
function report(
  file: SourceFile,
  place: { readonly line: number; readonly isNew: boolean },
  said: Said,
): Observation[] {
  const line = place.isNew ? nearestAddedLine(file, place.line) : place.line;
  if (line === undefined) return [];
  const column = /\S/.exec(lineText(file, line))?.index ?? 0;
  return [{ source: "static", ...said, file: file.path, line, column: column + 1, endLine: line, confidence: 1 }];
}
