import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { ForgeError } from "../../../domain/errors.ts";
import { type Clone, openClone } from "../../../workspace/clone.ts";
import { cloneLater } from "../../../workspace/clone-later.ts";
import { openSandbox } from "../../../workspace/sandbox/open-sandbox.ts";
import type { TrialContext } from "./open-trials.ts";

/**
 * Where a reviewer runs tests: the head in a folder of its own, in the sandbox, written when the first test is run. Undefined where there is
 * no sandbox: then nothing is run (SEC-1).
 */
export async function openTestClone({
  writeHead,
  scratchRoot,
  signal,
}: Pick<TrialContext, "writeHead" | "scratchRoot" | "signal">): Promise<Clone | undefined> {
  const sandbox = await openSandbox();
  if ("unavailable" in sandbox) return undefined;
  return cloneLater(async () => {
    const folder = await mkdtemp(join(scratchRoot, "tests-"));
    const reason = await writeHead(folder, signal);
    if (reason === undefined) return openClone({ folder, sandbox });
    const message = `The head could not be written out: ${reason}`;
    throw new ForgeError("clone_unavailable", message, { source: "resource", recoverability: "none" });
  });
}
