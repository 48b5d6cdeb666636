import { defined } from "../domain/defined.ts";
import type { LearntEvent } from "../domain/events.ts";
import type { Subject } from "../domain/subjects.ts";
import { type InputDependencies, submit } from "../pipeline/runs/handle-input.ts";
import { elapsedMs } from "../pipeline/runs/kind.ts";
import { type FindingFact, readFindingFacts } from "../store/events/read-events.ts";
import type { Fence } from "../store/jobs/fence.ts";
import { readLedger } from "../store/runs/ledger.ts";
import { aboutFinding } from "./follow-findings.ts";

/** Each dismissal by a person, with the time that the finding could be seen (HUM-1, HUM-4): within seconds it was obviously wrong. */
export async function learnDismissals(
  dependencies: InputDependencies,
  { subject, fence }: { readonly subject: Subject; readonly fence: Fence },
): Promise<void> {
  const [facts, ledger] = await Promise.all([
    readFindingFacts(dependencies.store, subject),
    readLedger(dependencies.store, subject),
  ]);
  for (const { event } of facts) {
    // What a wider dismissal took along was nobody's word on that finding, nor is what a review met again.
    if (event.type !== "finding.dismissed" || event.payload.findingId !== event.payload.dismissal.findingId) continue;
    if (event.actor === undefined) continue;
    const { findingId, dismissal } = event.payload;
    const finding = ledger.find((entry) => entry.finding.id === findingId)?.finding;
    if (!finding) continue;
    const cause = `dismissed:${findingId}:${event.version}`;
    const postedAt = firstSeen(facts, findingId);
    const learnt: LearntEvent = {
      type: "feedback.human_dismissed",
      actor: event.actor,
      payload: {
        cause,
        ...aboutFinding(finding),
        scope: dismissal.scope,
        reasoned: dismissal.reason !== "",
        ...defined({ seconds: postedAt === undefined ? undefined : elapsedMs(postedAt, dismissal.at) / 1000 }),
      },
    };
    await submit(dependencies, { subject, fence }, { type: "learning.observed", cause, events: [learnt] });
  }
}

/** When people could see a finding first (ISO 8601). */
function firstSeen(facts: readonly FindingFact[], findingId: string): string | undefined {
  const posted = facts.find(({ event }) => event.type === "finding.posted" && event.payload.findingId === findingId);
  return posted?.event.at;
}
