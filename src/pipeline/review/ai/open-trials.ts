import { mkdtemp, realpath } from "node:fs/promises";
import { join } from "node:path";
import { createTrials, type TrialCopy, type Trials } from "../../../agents/reviewer/trials.ts";
import { compiles } from "../../../analysis/compiles.ts";
import { ForgeError } from "../../../domain/errors.ts";
import type { Redact } from "../../../safety/redact.ts";
import { createRunnerFinder } from "../../../tools/run/runner-at.ts";
import { ToolFailure } from "../../../tools/tool.ts";
import { type Clone, cloneLater, openClone } from "../../../workspace/clone.ts";
import { openFolderFiles } from "../../../workspace/files/folder-files.ts";
import { createFolderLock } from "../../../workspace/folder-lock.ts";
import { removeFolder } from "../../../workspace/remove-folder.ts";
import { runProgram } from "../../../workspace/run-program.ts";
import { openSandbox } from "../../../workspace/sandbox/open-sandbox.ts";
import type { Sandbox } from "../../../workspace/sandbox/sandbox.ts";
import type { Change } from "../../change/read-change.ts";

/** A gigabyte on a slow disk. */
const COPY_TIME_MS = 60_000;

export interface TrialContext {
  /** Writes the head's files into an empty folder of ours; gives the reason where that cannot be done. */
  readonly writeHead: (folder: string, signal: AbortSignal) => Promise<string | undefined>;
  readonly change: Pick<Change, "files" | "contents" | "oldContents">;
  /** A folder with the installed packages of the repository, seen read-only; without them only what needs none can be run. */
  readonly packages?: string | undefined;
  /** Why they are not there, where they are needed. */
  readonly packagesMissing?: string | undefined;
  /** Its maker removes it. */
  readonly scratchRoot: string;
  readonly redact: Redact;
  readonly signal: AbortSignal;
}

/** The head to try things on, in copies inside the sandbox (REV-4). Undefined where there is no sandbox: then nothing is run (SEC-1). */
export async function openTrials({
  writeHead,
  change,
  packages,
  packagesMissing,
  scratchRoot,
  redact,
  signal,
}: TrialContext): Promise<Trials | undefined> {
  const sandbox = await openSandbox();
  if ("unavailable" in sandbox) return undefined;
  const folder = await mkdtemp(join(scratchRoot, "trial-"));
  if ((await writeHead(folder, signal)) !== undefined) return undefined;
  const head = openFolderFiles({ root: await realpath(folder), lock: createFolderLock() });
  const listed = await head.list(signal);
  if (!listed.ok) return undefined;
  return createTrials({
    ...{ head, redact, signal, packagesMissing, paths: listed.paths, before: beforeOf(change) },
    openCopy: () => copyOf(folder, join(scratchRoot, "copy-"), { sandbox, packages, signal }),
    runnerAt: createRunnerFinder(head, listed.paths, signal),
    compiles: async (path, text) => {
      const before = await head.read(path, signal);
      if (!before.ok) return false;
      return compiles(path, { before: before.content.toString("utf8"), after: text }, { scratchRoot, signal });
    },
  });
}

interface CopyContext extends Pick<TrialContext, "packages" | "signal"> {
  readonly sandbox: Sandbox;
}

async function copyOf(folder: string, prefix: string, { sandbox, packages, signal }: CopyContext): Promise<TrialCopy> {
  const copy = await mkdtemp(prefix);
  await copyFiles(folder, copy, signal);
  const clone = await openClone({ folder: copy, sandbox });
  if (packages !== undefined) await clone.addPackages(packages);
  return {
    clone,
    [Symbol.asyncDispose]: async () => void (await removeFolder(copy)),
  };
}

/** By a program of the system: names in a repository need not be text, which is all that Node's own copying knows. */
async function copyFiles(folder: string, copy: string, signal: AbortSignal): Promise<void> {
  const args = ["-RP", "--", `${folder}/.`, copy];
  const { ok } = await runProgram({ command: "cp", args, timeoutMs: COPY_TIME_MS, maxOutputBytes: 0, signal });
  signal.throwIfAborted();
  if (!ok) throw new ToolFailure("trial_not_opened", "The files of the head could not be copied.");
}

/** Each file before the change; a file whose old side was not read is left as it is. */
function beforeOf({ files, oldContents }: TrialContext["change"]): Map<string, Buffer | undefined> {
  const before = new Map<string, Buffer | undefined>();
  for (const { path, oldPath, status } of files) {
    const old = oldContents.get(path);
    if (status === "added") before.set(path, undefined);
    else if (Buffer.isBuffer(old)) before.set(path, old);
    if (oldPath !== undefined && oldPath !== path && Buffer.isBuffer(old)) before.set(oldPath, old);
  }
  return before;
}

/**
 * Where a reviewer runs tests: the head in a folder of its own, in the sandbox, written when the first test is run. Each run has a copy of it:
 * what one writes, or leaves half done when it is stopped, would be the head for all that come after. Undefined where
 * there is no sandbox: then nothing is run (SEC-1).
 */
export async function openTestClone({
  writeHead,
  packages,
  scratchRoot,
  signal,
}: Pick<TrialContext, "writeHead" | "packages" | "scratchRoot" | "signal">): Promise<Clone | undefined> {
  const sandbox = await openSandbox();
  if ("unavailable" in sandbox) return undefined;
  return cloneLater(async () => {
    const folder = await mkdtemp(join(scratchRoot, "tests-"));
    const reason = await writeHead(folder, signal);
    if (reason === undefined) {
      const lock = createFolderLock();
      const { files } = await openClone({ folder, sandbox, lock });
      const open = () => copyOf(folder, join(scratchRoot, "run-"), { sandbox, packages, signal });
      return {
        files,
        run: async (spec) => {
          await using copy = await lock.exclusive(spec.signal, open);
          return await copy.clone.run(spec);
        },
      };
    }
    const message = `The head could not be written out: ${reason}`;
    throw new ForgeError("clone_unavailable", message, { source: "resource", recoverability: "none" });
  });
}
