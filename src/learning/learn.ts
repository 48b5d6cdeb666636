import type { JobPayload } from "../domain/jobs.ts";
import type { InputDependencies } from "../pipeline/runs/handle-input.ts";
import type { JobContext } from "../queue/ports.ts";
import { learnDismissals } from "./learn-dismissals.ts";

/**
 * Looks what people did with what Forge said on a subject. Every part tells what it found by `learning.observed`, whose causes make the job
 * safe to run again; a part that cannot look now throws, and what the parts before it found is kept.
 */
export async function learn(
  dependencies: InputDependencies,
  { subject }: JobPayload<"learn">,
  { fence }: JobContext,
): Promise<void> {
  await learnDismissals(dependencies, { subject, fence });
}
