import { createHash } from "node:crypto";
import { access, lstat, mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ForgeError } from "../domain/errors.ts";
import { BOX_FOLDER, type Sandbox } from "../workspace/sandbox/sandbox.ts";
import type { ChildRequest, ChildTask } from "./child/protocol.ts";
import { rulesVersion } from "./rules-version.ts";
import { FORGE_FOLDER, readingChild, runInside } from "./run-reader.ts";
import { openReaderPlace } from "./start-reader.ts";

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
  const folder = join(own, "sandbox");
  // Beside the folder, which belongs to the user of the sandbox.
  const filled = join(own, `filled-${createHash("sha256").update(of).digest("hex").slice(0, 32)}`);
  if (await exists(filled)) return folder;
  await mkdir(folder, { recursive: true });
  if (!(await fill(folder))) return undefined;
  await writeFile(filled, "");
  return folder;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** ESLint with its plugins takes a second. */
const FILL_LIMITS = { timeoutMs: 30_000, memoryBytes: 1024 * 1024 * 1024, maxOutputBytes: 1024 };

const folders = new Map<ChildTask, Promise<string | undefined>>();

/** The folder with the compiled form of what children load for a task; undefined where there can be none. */
export async function compiledCodeOf(task: ChildTask): Promise<string | undefined> {
  const place = await openReaderPlace();
  if ("beside" in place) return compiledCodeFolder(tmpdir());
  const { sandbox } = place;
  const known = folders.get(task);
  if (known !== undefined) return known;
  const of = [FORGE_FOLDER, process.version, rulesVersion(), task].join("\0");
  const folder = sharedCompiledCode(tmpdir(), of, (empty) => loadOnce(sandbox, task, empty));
  folders.set(task, folder);
  return folder;
}

/** Lets a child load everything for a task and read nothing. */
async function loadOnce(sandbox: Sandbox, task: ChildTask, folder: string): Promise<boolean> {
  try {
    const { ok } = await runInside(sandbox, {
      ...FILL_LIMITS,
      ...readingChild(),
      env: { NODE_COMPILE_CACHE: BOX_FOLDER },
      folder,
      writes: true,
      input: JSON.stringify({ task, files: [] } satisfies ChildRequest),
      signal: new AbortController().signal,
    });
    return ok;
  } catch (error) {
    // Children start more slowly then, and nothing else.
    if (error instanceof ForgeError) return false;
    throw error;
  }
}
