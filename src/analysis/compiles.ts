import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { defined } from "../domain/defined.ts";
import { removeFolder } from "../workspace/remove-folder.ts";
import { types } from "./analysers/types.ts";
import type { SyntaxResult } from "./child/protocol.ts";
import { languageOf } from "./languages.ts";
import { runInChild } from "./reader/run-in-child.ts";
import { createSourceFile, type SourceFile } from "./source-file.ts";

/**
 * Whether a new text of a file parses, and has no certain error of types that the old one had not (REV-4). A language that nothing here
 * parses is not judged: true.
 */
export async function compiles(
  path: string,
  texts: { readonly before: string; readonly after: string },
  { scratchRoot, signal }: { readonly scratchRoot: string; readonly signal: AbortSignal },
): Promise<boolean> {
  const dialect = languageOf(path)?.dialect;
  if (dialect === undefined) return true;
  const scratch = await mkdtemp(join(scratchRoot, "compiles-"));
  try {
    const context = { signal, scratch };
    const { results } = await runInChild<SyntaxResult>("syntax", [{ id: 0, text: texts.after, dialect }], context);
    if (results.get(0) !== null) return false;
    const [before, after] = [sourceOf(path, texts.before), sourceOf(path, texts.after)];
    if (!types.appliesTo(after)) return true;
    const count = async (file: SourceFile) => (await types.analyse([file], context)).observations.length;
    const errors = await count(after);
    return errors === 0 || errors <= (await count(before));
  } finally {
    await removeFolder(scratch);
  }
}

function sourceOf(path: string, text: string): SourceFile {
  const language = languageOf(path);
  const file = {
    path,
    status: "modified",
    mode: "100644",
    binary: false,
    addedLines: 0,
    deletedLines: 0,
    hunks: [],
  } as const;
  const classification = { ...defined({ language }), test: false, look: "all", gap: false } as const;
  return createSourceFile({ ...file, hunks: [] }, classification, Buffer.from(text));
}
