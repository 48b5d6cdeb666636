import type { JobPayload } from "../domain/jobs.ts";
import type { JobContext } from "../queue/ports.ts";
import { type FollowDependencies, followFindings } from "./follow-findings.ts";
import { type JudgeDependencies, judgeOutcome } from "./judge-outcome.ts";
import { judgeProbes } from "./judge-probes.ts";
import { type FaultDependencies, learnFault } from "./learn-faults.ts";
import { learnDismissals, learnReactions, type ReactionDependencies } from "./learn-from-people.ts";
import { learnRemark, type RemarkDependencies } from "./learn-remarks.ts";
import { type LookBackDependencies, lookBack } from "./look-back.ts";
import { proposeHiding } from "./propose-hiding.ts";

export interface LearnDependencies
  extends FollowDependencies,
    ReactionDependencies,
    RemarkDependencies,
    LookBackDependencies,
    FaultDependencies,
    JudgeDependencies {
  readonly host: FollowDependencies["host"] & RemarkDependencies["host"] & JudgeDependencies["host"];
  readonly comments: ReactionDependencies["comments"] & RemarkDependencies["comments"];
}

/**
 * Looks what people did with what Forge said on a subject. Every part tells what it found by `learning.observed`, whose causes make the job
 * safe to run again; a part that cannot look now throws, and what the parts before it found is kept.
 */
export async function learn(
  dependencies: LearnDependencies,
  { subject, remark, run: runId, fault }: JobPayload<"learn">,
  { signal, fence }: JobContext,
): Promise<void> {
  const about = { subject, signal, fence };
  if (runId !== undefined) return lookBack(dependencies, { ...about, runId });
  if (fault) return learnFault(dependencies, { ...about, fault });
  if (remark) return learnRemark(dependencies, { ...about, source: remark });
  await learnDismissals(dependencies, about);
  await proposeHiding(dependencies, about);
  await learnReactions(dependencies, about);
  await followFindings(dependencies, about);
  await judgeOutcome(dependencies, about);
  await judgeProbes(dependencies, about);
}
