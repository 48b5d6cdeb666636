import { enableCompileCache } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compiledCodeFolder } from "../analysis/reader/compiled-code.ts";

/**
 * Has Node keep the compiled form of what is loaded from here on, and use what an earlier start left: compiling is a third of a start. Only in
 * a folder that is ours alone.
 */
export async function keepCompiledCode(): Promise<void> {
  const folder = await compiledCodeFolder(tmpdir());
  if (folder !== undefined) enableCompileCache(join(folder, "server"));
}
