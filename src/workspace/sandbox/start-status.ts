import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { isNamespaceAlive } from "./process-tree.ts";
import { sandboxFailed } from "./sandbox-failed.ts";
import { SANDBOX_LIMITS } from "./sandbox-limits.ts";

export interface StartStatus {
  /** The first process of the sandbox's PID namespace, by its number outside; undefined before it exists. */
  readonly firstPid: number | undefined;
  /** The program was started, and has ended by itself. */
  readonly programEnded: boolean;
}

/** What bubblewrap wrote so far: one JSON document when it starts, one when the program has ended. */
export function readStartStatus(file: string): StartStatus {
  const text = readIfPresent(file);
  const [, pid] = /"child-pid": (\d+)/.exec(text) ?? [];
  return { firstPid: pid === undefined ? undefined : Number(pid), programEnded: /"exit-code": \d+/.test(text) };
}

/**
 * bubblewrap returns a moment before the kernel has ended the rest. Whoever uses the writable folder next must be alone in it.
 * @throws ForgeError `sandbox_failed`
 */
export async function untilNamespaceEnds(firstPid: number): Promise<void> {
  const deadline = performance.now() + SANDBOX_LIMITS.endWaitMs;
  while (isNamespaceAlive(firstPid)) {
    if (performance.now() > deadline) throw sandboxFailed(`process ${firstPid} does not end.`);
    await delay(SANDBOX_LIMITS.endPollMs);
  }
}

function readIfPresent(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}
