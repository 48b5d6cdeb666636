import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { ForgeError } from "../../domain/errors.ts";
import type { ChangedFile } from "../../domain/hunks.ts";
import { removeFolder } from "../../workspace/remove-folder.ts";
import type { ComplexityResult } from "../child/protocol.ts";
import type { Content } from "../classify-file.ts";
import { type Dialect, languageOf } from "../languages.ts";
import { runInChild } from "../run-in-child.ts";

const SCRIPTS: ReadonlySet<Dialect | undefined> = new Set(["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"]);

/**
 * The cognitive complexity that a change adds to functions, over all scripts that parse; undefined where there is none. Measured in a
 * child process, which may die of what it reads.
 */
export async function addedComplexity(
  files: readonly ChangedFile[],
  contents: ReadonlyMap<string, Content>,
  { scratchRoot, signal }: { readonly scratchRoot: string; readonly signal: AbortSignal },
): Promise<number | undefined> {
  const scripts = files.flatMap((file, id) => {
    const dialect = languageOf(file.path)?.dialect;
    const content = contents.get(file.path);
    if (dialect === undefined || !SCRIPTS.has(dialect) || !Buffer.isBuffer(content)) return [];
    const addedLines = file.hunks.flatMap(({ added }) => added);
    return addedLines.length === 0 ? [] : [{ id, text: content.toString("utf8"), dialect, addedLines }];
  });
  if (scripts.length === 0) return undefined;
  const scratch = await mkdtemp(join(scratchRoot, "complexity-"));
  try {
    const { results } = await runInChild<ComplexityResult>("complexity", scripts, { signal, scratch });
    const measured = [...results.values()].filter((result) => result !== null);
    return measured.length === 0 ? undefined : measured.reduce((sum, { added }) => sum + added, 0);
  } catch (thrown) {
    // The part of the risk is not known then; the analysers say for themselves what they could not read.
    if (thrown instanceof ForgeError) return undefined;
    throw thrown;
  } finally {
    await removeFolder(scratch);
  }
}
