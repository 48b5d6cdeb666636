import { lstat, mkdir } from "node:fs/promises";
import { join } from "node:path";

/**
 * A folder below `parent` in which Node keeps the compiled form of the analysers, so that a child process need not compile megabytes of
 * them at each start; undefined where it cannot be ours alone. Node checks each entry against the source and its own version.
 */
export async function compiledCodeFolder(parent: string): Promise<string | undefined> {
  const user = process.getuid?.();
  const folder = join(parent, `forge-compiled-${user ?? "code"}`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const found = await lstat(folder);
    // Compiled code is code: in a folder of somebody else, or one that others may write to, they could put theirs.
    const ours = user === undefined || (found.uid === user && (found.mode & 0o022) === 0);
    return found.isDirectory() && ours ? folder : undefined;
  } catch {
    // Without it children start more slowly, and nothing else.
    return undefined;
  }
}
