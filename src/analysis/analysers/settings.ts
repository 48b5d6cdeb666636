import { defined } from "../../domain/defined.ts";
import type { Observation } from "../../domain/findings.ts";
import type { Analyser, AnalyserContext, AnalyserProblem, AnalyserResult } from "../analyser.ts";
import type { ChildFile } from "../child/protocol.ts";
import type { CommandDanger } from "../commands/command-dangers.ts";
import { eachInTurn } from "../each-in-turn.ts";
import { runInChild } from "../reader/run-in-child.ts";
import { kindOf } from "../settings/find-settings.ts";
import type { SourceFile } from "../source-file.ts";

/** In characters. Large settings are data, and a person has to look at them anyway. */
const MOST_CHARACTERS = 1_000_000;

/** What a change tells agents, and what settings of agents, editors and builds start or permit: each is a finding of its own. */
export const settings: Analyser = {
  name: "settings",
  version: "1",
  layer: "security",
  readsFilesAlone: true,
  appliesTo: (file) => file.look === "all" && (kindOf(file) !== undefined || /pyproject\.toml$/i.test(file.path)),
  analyse: readSettings,
};

async function readSettings(files: readonly SourceFile[], context: AnalyserContext): Promise<AnalyserResult> {
  const asked = await eachInTurn(files, (file, id) =>
    file.text.length > MOST_CHARACTERS ? [] : [settingsOf(file, id)],
  );
  const { results, unread } = await runInChild<CommandDanger[]>("settings", asked.flat(), context);
  const reasons = new Map(unread.map(({ id, reason }) => [id, reason]));
  const problems = files.flatMap((file, id): AnalyserProblem[] => {
    if (results.has(id)) return [];
    const reason = reasons.get(id) ?? "it has more than a million characters";
    return [{ file: file.path, reason: `not read as settings: ${reason}`, gap: true }];
  });
  const observations = files.flatMap((file, id) => (results.get(id) ?? []).map((danger) => observe(file, danger)));
  return { observations, filesRead: results.size, problems };
}

/** What is read of a file, as the child gets it. */
export function settingsOf({ path, text, oldText, addedLines }: SourceFile, id: number): ChildFile {
  return { id, path, text, addedLines: [...addedLines], ...defined({ oldText }) };
}

function observe(file: SourceFile, { line, ...told }: CommandDanger): Observation {
  return { ...told, source: "security", category: "security", file: file.path, line, endLine: line };
}
