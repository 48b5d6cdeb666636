import { cognitiveComplexity } from "../risk/cognitive-complexity.ts";
import type { ChildFile, ComplexityResult } from "./protocol.ts";

/** The cognitive complexity that the added lines of a script bring into its functions; null where it does not parse. */
export function measureComplexity({ text, dialect, addedLines = [] }: ChildFile): ComplexityResult {
  if (dialect === undefined) return null;
  const functions = cognitiveComplexity({ text, dialect, addedLines: new Set(addedLines) });
  return functions === undefined ? null : { added: functions.reduce((sum, { added }) => sum + added, 0) };
}
