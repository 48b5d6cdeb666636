import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { CODE_ENDING } from "../../domain/code-ending.ts";
import type { PackagePlan, PlanRequest } from "./package-plan.ts";

const LIMITS = { timeMs: 60_000, memoryMib: 512 } as const;

/**
 * The plans that manifests and lock files come to, made in a thread with limits: a lock file of 500 KB can ask for more than fits into
 * memory, and everybody else would wait for it.
 * @returns why there are none, as a sentence without its end
 * @throws the signal's reason
 */
export async function planPackages(
  request: PlanRequest,
  signal: AbortSignal,
  limits: { readonly timeMs: number; readonly memoryMib: number } = LIMITS,
): Promise<readonly PackagePlan[] | { readonly reason: string }> {
  signal.throwIfAborted();
  const worker = new Worker(new URL(`./plan-thread${CODE_ENDING}`, import.meta.url), {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: limits.memoryMib },
    env: {},
  });
  // It may fail while it is ended, when nothing listens any more.
  worker.on("error", () => undefined);
  const late = AbortSignal.timeout(limits.timeMs);
  try {
    const [plans] = (await once(worker, "message", { signal: AbortSignal.any([signal, late]) })) as [PackagePlan[]];
    return plans;
  } catch {
    signal.throwIfAborted();
    const how = late.aborted ? ` within ${limits.timeMs / 1_000} seconds` : "";
    return { reason: `what its manifests and lock files ask for could not be read${how}` };
  } finally {
    await worker.terminate();
  }
}
