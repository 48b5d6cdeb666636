import type { LearntEvent } from "../domain/events.ts";
import type { Finding } from "../domain/findings.ts";
import { atLeast, type Subject } from "../domain/subjects.ts";
import { type InputDependencies, submit } from "../pipeline/runs/handle-input.ts";
import type { CommentPort } from "../pipeline/runs/ports.ts";
import { readFacts } from "../pipeline/runs/subject.ts";
import type { Fence } from "../store/jobs/fence.ts";
import { readLedger } from "../store/runs/ledger.ts";
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
    await submit(dependencies, { subject, fence }, { type: "learning.observed", cause, events: [event] });
  }
}
