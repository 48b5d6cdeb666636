import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { createTrials, type Trials } from "../../agents/reviewer/trials.ts";
import { compiles } from "../../analysis/compiles.ts";
import type { Redact } from "../../safety/redact.ts";
import { detectTestRunner, MANIFESTS } from "../../tools/run/test-runner.ts";
import { openClone } from "../../workspace/clone.ts";
import { openSandbox } from "../../workspace/sandbox/open-sandbox.ts";
import type { Change } from "../read-change.ts";

export interface TrialSite {
  /** Writes the head's files into an empty folder of ours; gives the reason where that cannot be done. */
  readonly writeHead: (folder: string, signal: AbortSignal) => Promise<string | undefined>;
  readonly change: Pick<Change, "files" | "contents" | "oldContents">;
  /** Taken away by whoever made it. */
  readonly scratchRoot: string;
  readonly redact: Redact;
  readonly signal: AbortSignal;
}

/** A clone of the head in the sandbox, to try things in (REV-4). Undefined where there is no sandbox: then nothing is run (SEC-1). */
export async function openTrials({
  writeHead,
  change,
  scratchRoot,
  redact,
  signal,
}: TrialSite): Promise<Trials | undefined> {
  const sandbox = await openSandbox();
  if ("unavailable" in sandbox) return undefined;
  const folder = await mkdtemp(join(scratchRoot, "trial-"));
  if ((await writeHead(folder, signal)) !== undefined) return undefined;
  const clone = await openClone({ folder, sandbox });
  const listed = await clone.files.list(signal);
  if (!listed.ok) return undefined;
  const texts = await clone.files.readMany(
    MANIFESTS.filter((path) => listed.paths.includes(path)),
    signal,
  );
  return createTrials({
    ...{ clone, redact, signal, paths: listed.paths, before: beforeOf(change) },
    runner: detectTestRunner({ paths: listed.paths, textOf: (path) => texts.get(path)?.toString("utf8") }),
    compiles: async (path, text) => {
      const before = await clone.files.read(path, signal);
      if (!before.ok) return false;
      return compiles(path, { before: before.content.toString("utf8"), after: text }, { scratchRoot, signal });
    },
  });
}

/** What each file of the change was; a file whose old side was not read is left as it is. */
function beforeOf({ files, oldContents }: TrialSite["change"]): Map<string, Buffer | undefined> {
  const before = new Map<string, Buffer | undefined>();
  for (const { path, oldPath, status } of files) {
    const old = oldContents.get(path);
    if (status === "added") before.set(path, undefined);
    else if (Buffer.isBuffer(old)) before.set(path, old);
    if (oldPath !== undefined && oldPath !== path && Buffer.isBuffer(old)) before.set(oldPath, old);
  }
  return before;
}
