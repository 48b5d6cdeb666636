import { defined } from "../domain/defined.ts";
import type { LearntEvent } from "../domain/events.ts";
import type { Finding } from "../domain/findings.ts";
import { type Actor, atLeast, type Subject } from "../domain/subjects.ts";
import { type InputDependencies, submit } from "../pipeline/runs/handle-input.ts";
import { elapsedMs } from "../pipeline/runs/kind.ts";
import type { CommentPort } from "../pipeline/runs/ports.ts";
import { readFacts } from "../pipeline/runs/subject.ts";
import { type FindingFact, readFindingFacts } from "../store/events/read-events.ts";
import type { Fence } from "../store/jobs/fence.ts";
import { findMemoriesById } from "../store/memories/read-memories.ts";
import { readLedger } from "../store/runs/ledger.ts";
import type { Store } from "../store/store.ts";
import { aboutFinding } from "./follow-findings.ts";

export interface ReactionDependencies extends InputDependencies {
  readonly comments: Pick<CommentPort, "readVotes" | "readRole">;
}

/** Comments and people that are looked at in one go: a flood of either is cut here, and the rest is not counted. */
const MOST_COMMENTS = 50;
const MOST_PEOPLE = 30;

/**
 * 👍 and 👎 on comments of Forge (HUM-4): GitHub tells nobody of them, so they are read at the next event and when the pull request ends. Only
 * people who may push are heard, each of them once for a finding.
 */
export async function learnReactions(
  { comments, ...dependencies }: ReactionDependencies,
  { subject, fence, signal }: { readonly subject: Subject; readonly fence: Fence; readonly signal: AbortSignal },
): Promise<void> {
  const shown = new Map<number, Finding>();
  for (const { commentId, finding } of await readLedger(dependencies.store, subject)) {
    if (commentId !== undefined && shown.size < MOST_COMMENTS) shown.set(commentId, finding);
  }
  if (shown.size === 0) return;
  const { causes } = await readFacts(dependencies.store, subject);
  const roles = new Map<string, boolean>();
  const mayTeach = async (login: string): Promise<boolean> => {
    const known = roles.get(login);
    if (known !== undefined || roles.size >= MOST_PEOPLE) return known ?? false;
    const may = atLeast(await comments.readRole(subject.repository, login, signal), "write");
    roles.set(login, may);
    return may;
  };
  for (const { commentId, by, is } of await comments.readVotes(subject, [...shown.keys()], signal)) {
    const finding = shown.get(commentId);
    const cause = `reaction:${finding?.id}:${by.id}`;
    if (!finding || by.kind !== "user" || causes.has(cause) || !(await mayTeach(by.login))) continue;
    const event: LearntEvent = {
      type: "feedback.reaction",
      actor: by,
      payload: { cause, ...aboutFinding(finding), is },
    };
    const events = is === "up" ? [event, ...(await confirmed(dependencies.store, subject, finding, by))] : [event];
    await submit(dependencies, { subject, fence }, { type: "learning.observed", cause, events });
  }
}

/**
 * A 👍 on a finding is a word for the memories that led to it (MEM-3): once for each person, wherever they said it, and not for what they taught
 * themselves.
 */
async function confirmed(
  store: Store,
  { repository }: Subject,
  { memories = [] }: Finding,
  by: Actor,
): Promise<LearntEvent[]> {
  const scope = { installationId: repository.installationId, repositoryId: repository.id };
  const memoryIds: string[] = [];
  for (const id of memories) {
    const [memory] = await findMemoriesById(store, scope, id, 1);
    if (memory?.taughtBy?.id !== by.id) memoryIds.push(id);
  }
  if (memoryIds.length === 0) return [];
  const what = { use: "confirmed", during: "reaction" } as const;
  return [{ type: "memory.applied", payload: { ...what, memoryIds, cause: `confirmed:${by.id}` }, actor: by }];
}

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
