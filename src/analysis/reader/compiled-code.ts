import { createHash, randomUUID } from "node:crypto";
import { access, lstat, mkdir, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

// Loaded before everything else, so that the rest is compiled from that folder: it imports nothing of ours.

/** Below the folder of a user: for children in the sandbox. */
const FOR_CHILDREN = "sandbox";

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

/**
 * The same for children in the sandbox, who only read it: they meet hostile text, and what they left there would be run in later
 * reviews. So it is filled beforehand, by a child that is given nothing to read; once for each version.
 * @param of names what is loaded, with the version of everything in it
 * @param fill lets a child load it and keep what it compiled in the folder; false when that failed
 */
export async function sharedCompiledCode(
  parent: string,
  of: string,
  fill: (folder: string) => Promise<boolean>,
): Promise<string | undefined> {
  const own = await compiledCodeFolder(parent);
  if (own === undefined) return undefined;
  const folder = join(own, FOR_CHILDREN);
  // Beside the folder, which belongs to the user of the sandbox.
  const filled = join(own, `filled-${createHash("sha256").update(of).digest("hex").slice(0, 32)}`);
  if (await exists(filled)) return folder;
  await mkdir(folder, { recursive: true });
  await removeMountPoint(folder);
  if (!(await fill(folder))) return undefined;
  await writeFile(filled, "");
  return folder;
}

/** The folder of `sharedCompiledCode` where it is there already, whatever it was filled for. */
export async function filledCompiledCode(parent: string): Promise<string | undefined> {
  const own = await compiledCodeFolder(parent);
  const folder = own && join(own, FOR_CHILDREN);
  return folder !== undefined && (await exists(folder)) ? folder : undefined;
}

/** By path: reviews that begin at the same moment wait for one snapshot instead of making one each. */
const making = new Map<string, Promise<string | undefined>>();

/**
 * A snapshot of a process that has loaded something, from which children are begun; in the same folder, and made as that is filled.
 * @param folder of compiled code for children in the sandbox
 * @param of names what was loaded, with the version of everything in it
 * @param make lets Node write the snapshot to this name in the folder and tries it; false when that failed
 * @returns its path, or undefined where there is none
 */
export async function sharedSnapshot(
  folder: string,
  of: string,
  make: (name: string) => Promise<boolean>,
): Promise<string | undefined> {
  const snapshot = join(folder, `${createHash("sha256").update(of).digest("hex").slice(0, 32)}.blob`);
  const made = making.get(snapshot) ?? makeOnce(folder, snapshot, make).finally(() => making.delete(snapshot));
  making.set(snapshot, made);
  return made;
}

async function makeOnce(
  folder: string,
  snapshot: string,
  make: (name: string) => Promise<boolean>,
): Promise<string | undefined> {
  if (await exists(snapshot)) return snapshot;
  // No child begins from half of one.
  const name = `${randomUUID()}.blob`;
  try {
    await removeMountPoint(folder);
    if (!(await make(name))) return undefined;
    await rename(join(folder, name), snapshot);
    return snapshot;
  } catch {
    return undefined;
  } finally {
    await rm(join(folder, name), { force: true });
  }
}

/** The sandbox lays an empty `.git` over what it may write to. Left behind where Forge was killed, it has every later sandbox refuse the folder. */
async function removeMountPoint(folder: string): Promise<void> {
  // With anything in it, it is none of ours and stays.
  await rmdir(join(folder, ".git")).catch(() => undefined);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
