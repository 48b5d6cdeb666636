import { askThread, type ThreadLimits } from "../../safety/limited-thread.ts";
import type { PackagePlan, PlanRequest } from "./package-plan.ts";

const LIMITS: ThreadLimits = { timeMs: 60_000, memoryMib: 512 };

/**
 * The plans that manifests and lock files come to, made in a thread with limits: a lock file of 500 KB can ask for more than fits into
 * memory, and everybody else would wait for it.
 * @returns why there are none, as a sentence without its end
 * @throws the signal's reason
 */
export async function planPackages(
  request: PlanRequest,
  signal: AbortSignal,
  limits: ThreadLimits = LIMITS,
): Promise<readonly PackagePlan[] | { readonly reason: string }> {
  const code = new URL("./plan-thread", import.meta.url);
  const work = { ...limits, answers: 1, workerData: request };
  const { answers, lacking } = await askThread<readonly PackagePlan[]>(code, work, signal);
  const how = lacking === "late" ? ` within ${limits.timeMs / 1_000} seconds` : "";
  return answers[0] ?? { reason: `what its manifests and lock files ask for could not be read${how}` };
}
