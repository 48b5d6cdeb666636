import { RetryLater } from "../../../domain/errors.ts";
import type { JobPayload } from "../../../domain/jobs.ts";
import { BEGINS_FROM } from "../../../domain/ladder.ts";
import { FORGE, type Subject, subjectKey } from "../../../domain/subjects.ts";
import type { JobContext } from "../../../queue/ports.ts";
import { levelFor } from "../../../safety/ladder.ts";
import { listEffectsOfRun } from "../../../store/effects/read-effects.ts";
import { readFeedback, thing } from "../../../store/feedback.ts";
import type { Store } from "../../../store/store.ts";
import {
  type CommonGiven,
  type FactsDependencies,
  readCommandTarget,
  withFacts,
} from "../../commands/command-facts.ts";
import { handleInput, type InputDependencies } from "../../runs/handle-input.ts";
import { feedbackRun } from "../feedback/show-feedback.ts";
import { readLevel } from "./level-now.ts";

export type BeginDependencies = InputDependencies & FactsDependencies;

/** GitHub may be away: an issue that was not opened within a day is begun by a person. */
const OPENED_MS = 24 * 3_600_000;

/**
 * `/forge implement` by Forge itself on the issue about a fault, where both conditions name the change that caused it, and where the record of
 * Forge's own fixes carries the level (SAFE-4). Once for each version that caused it. Everywhere else a person begins.
 * @throws RetryLater `issue_to_come` while the issue is not open yet
 */
export async function beginOnFault(
  dependencies: BeginDependencies,
  { subject, fingerprint }: Omit<JobPayload<"fault">, "fix">,
  { signal, fence }: JobContext,
): Promise<void> {
  const { store, now, makeId } = dependencies;
  const { repository } = subject;
  const { known: things } = await readFeedback(store, subject, [thing(fingerprint)], now());
  const known = things.get(fingerprint);
  const cause = known?.shown?.suspicion;
  if (!known || known.resolved || cause?.is !== "caused") return;
  const { standing, cap } = await readLevel(dependencies, repository, signal);
  if (levelFor("fix", standing, cap, "work") < BEGINS_FROM) return;
  const number = await issueAbout(store, subject, fingerprint);
  if (number === undefined) {
    if (Date.parse(now()) - Date.parse(known.firstAt) > OPENED_MS) return;
    const options = { source: "logic", afterMs: 10_000 } as const;
    throw new RetryLater("issue_to_come", "The issue about it is not open yet.", options);
  }
  const issue: Subject = { kind: "issue", repository, number };
  const place = await readCommandTarget(dependencies, issue, signal);
  if (!place) return;
  const given: CommonGiven = {
    ...({ type: "command.given" } as const),
    ...{ subject: issue, at: now(), newRunId: makeId(), by: FORGE, role: "write" as const },
    ...{ source: { kind: "fault" as const, id: `${fingerprint}:${cause.sha}` }, index: 0, alone: false, plain: false },
    parsed: { command: { name: "implement" as const } },
  };
  await handleInput(dependencies, await withFacts(dependencies, given, place, signal), fence);
}

async function issueAbout(store: Store, environment: Subject, fingerprint: string): Promise<number | undefined> {
  const effects = await listEffectsOfRun(store, feedbackRun(subjectKey(environment), fingerprint));
  return effects.findLast(({ result }) => result?.issueNumber !== undefined)?.result?.issueNumber;
}
