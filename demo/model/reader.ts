import type { ScriptedReply } from "../../simulator/models/scripted-model.ts";
import { addedLines, type Conversation, type ShownLine } from "./conversation.ts";
import { raisedBy } from "./suspicions.ts";

/** As a reviewer: looks up what the change builds on and who uses it, then says what it doubts. */
export function readChange({ task, results }: Conversation): ScriptedReply {
  const added = addedLines(task);
  const questions = results.length === 0 ? lookUps(added) : [];
  if (questions.length > 0) return { text: "I look at what this builds on, and at who calls it.", calls: questions };
  const findings = added.flatMap((line) => raisedBy(line).map((suspicion) => claimAt(line, suspicion)));
  const files = [...new Set(added.map(({ path }) => path))];
  const summary = files.length === 0 ? "Nothing was added." : `Changes ${files.join(", ")}.`;
  return { calls: [{ name: "complete", input: { summary, findings } }] };
}

/** Types that are imported from the same folder, and functions that others may call. */
function lookUps(added: readonly ShownLine[]) {
  const code = added.map(({ text }) => text).join("\n");
  const types = [...code.matchAll(/\btype (\w+)[ ,}].*from "\.\.?\//g)].map(([, name]) => name ?? "");
  const functions = [...code.matchAll(/^export function (\w+)/gm)].map(([, name]) => name ?? "");
  return [
    ...[...new Set(types)].map((name) => ({
      name: "grep",
      input: { pattern: `interface ${name}\\b|type ${name}\\b =`, context_lines: 3 },
    })),
    ...[...new Set(functions)].map((symbol) => ({ name: "find_references", input: { symbol } })),
  ];
}

function claimAt({ path, line, text }: ShownLine, suspicion: ReturnType<typeof raisedBy>[number]) {
  const { kind, claim, scenario, confidence, mended } = suspicion;
  const fix = mended && { start_line: line, end_line: line, replacement: mended(text) };
  return {
    ...{ file: path, line, quote: text.trim(), kind, severity: "error", claim, scenario, confidence },
    ...(fix ? { fix } : {}),
  };
}
