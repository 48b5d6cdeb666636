import { outlinePythonTests } from "./outline-python-tests.ts";
import { outlineScriptTests } from "./outline-script-tests.ts";
import type { ChildFile, TestsResult } from "./protocol.ts";

/** The tests of both sides of a changed file; null for a side that is not there, is not read or does not parse. */
export function outlineTests({ dialect, text, oldText }: ChildFile): TestsResult {
  if (dialect === undefined) return { before: null, after: null };
  const outline = (source: string) =>
    dialect === "py" ? outlinePythonTests(source) : outlineScriptTests(source, dialect);
  return {
    before: oldText === undefined ? null : (outline(oldText) ?? null),
    after: text === "" ? null : (outline(text) ?? null),
  };
}
