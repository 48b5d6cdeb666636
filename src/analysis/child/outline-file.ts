import { outlinePython } from "./outline-python.ts";
import { outlineScript } from "./outline-script.ts";
import type { ChildFile, OutlineResult } from "./protocol.ts";

/** What a file declares and imports; null for what is not read or does not parse. */
export function outlineFile({ dialect, text }: ChildFile): OutlineResult {
  if (dialect === undefined) return null;
  return dialect === "py" ? outlinePython(text) : outlineScript(text, dialect);
}
