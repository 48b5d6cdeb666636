import type { ChildFile, RulesResult } from "../protocol.ts";
import { ALL_RULES, rulesFor } from "./choose-rules.ts";

/**
 * A reader for these files, with the rules that could say something about one of them: ESLint and its plugins take half a second to load,
 * and about most changes they have nothing to say. All are loaded where there are no files.
 */
export async function readRules(files: readonly ChildFile[]): Promise<(file: ChildFile) => RulesResult> {
  const fitting = new Map(files.map((file) => [file, rulesFor(file.text)]));
  const rules = new Set(files.length === 0 ? ALL_RULES.values() : [...fitting.values()].flat());
  if (rules.size === 0) return () => ({ hits: [], dropped: [] });
  const find = (await import("./rule-hits.ts")).findRuleHits([...rules]);
  return (file) => find(file, fitting.get(file) ?? []);
}
