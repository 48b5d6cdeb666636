import { tmpdir } from "node:os";
import { ForgeError } from "../../domain/errors.ts";
import { BOX_FOLDER, type Sandbox } from "../../workspace/sandbox/sandbox.ts";
import type { ChildRequest, ChildTask } from "../child/protocol.ts";
import { rulesVersion } from "../rules-version.ts";
import { compiledCodeFolder, sharedCompiledCode } from "./compiled-code.ts";
import { FORGE_FOLDER, readingChild, runInside } from "./run-reader.ts";
import { openReaderPlace } from "./start-reader.ts";

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
