import { defined } from "../../../domain/defined.ts";
import { type Effect, effectKey } from "../../../domain/effects.ts";
import type { PullInput } from "../../../domain/inputs.ts";
import type { Conclusion } from "../../../domain/phases.ts";
import { numberOf, type Subject, subjectKey } from "../../../domain/subjects.ts";
import { applyEffects, type Decision } from "../../runs/decision.ts";
import { isWorse } from "../verdict.ts";
import type { SubjectView } from "../view.ts";
import type { HeadAnswer, SharedHead, Sharer } from "./sharer.ts";

/**
 * Pull requests with the same head share one check on GitHub, which shows the newest check-run of a name: so each of their check-runs
 * says the worst of their verdicts (GH-8d), in whatever order they are reviewed. What a decision wants to say on its own check is raised to that
 * at once; when the check is settled, or the pull request leaves the head, the others are made to agree.
 */
export function shareCheck(view: SubjectView, input: PullInput, decision: Decision): Decision {
  const { shared } = view;
  if (!shared || shared.others.length === 0) return decision;
  const raised = decision.effects.map((planned) =>
    planned.headSha === shared.headSha && planned.subject === undefined
      ? { ...planned, effects: planned.effects.map((effect) => raise(effect, shared)) }
      : planned,
  );
  const revisions = revisionsAfter(view, input, shared);
  if (revisions.length === 0) return { ...decision, effects: raised };
  const { ignored: _nothing, ...rest } = decision;
  return {
    ...rest,
    effects: [...raised, ...revisions],
    jobs: [...decision.jobs, ...revisions.map(({ subject }) => applyEffects(subject, input.at))],
  };
}

interface Named extends HeadAnswer {
  readonly number: number;
}

function worstOf(sharers: readonly Sharer[]): Named | undefined {
  let worst: Named | undefined;
  for (const { subject, counts, answer } of sharers) {
    if (!counts || !answer) continue;
    if (!worst || isWorse(answer.conclusion, worst.conclusion)) worst = { ...answer, number: numberOf(subject) };
  }
  return worst;
}

/** A cancelled run has no say in what its check shows, as long as others have one. */
function raise(effect: Effect, { others }: SharedHead): Effect {
  if (effect.kind !== "check.complete" && effect.kind !== "check.revise") return effect;
  if (effect.payload.check !== "forge/review") return effect;
  const worst = worstOf(others);
  const { conclusion } = effect.payload;
  if (!worst || (conclusion !== "cancelled" && !isWorse(worst.conclusion, conclusion))) return effect;
  // The compiler cannot see that the same members are added to either kind.
  return { ...effect, payload: { ...effect.payload, ...saidBy(worst) } } as Effect;
}

function saidBy({ number, conclusion, report, overridden }: Named) {
  return { conclusion, shared: { number, report, ...defined({ overridden }) } };
}

interface Revision {
  readonly runId: string;
  readonly headSha: string;
  readonly subject: Subject;
  readonly effects: Effect[];
}

function revisionsAfter(view: SubjectView, input: PullInput, shared: SharedHead): Revision[] {
  const cause = causeOf(view, input, shared);
  if (cause === undefined) return [];
  const own = shared.own && { ...shared.own, counts: cause.counts ?? shared.own.counts };
  const all = own ? [own, ...shared.others] : shared.others;
  const worst = worstOf(all);
  if (!worst) return [];
  return all.flatMap((sharer) => {
    const isOwn = sharer === own;
    // The check of a pull request that has gone on is not read, unless it is the newest run of that name here.
    const shown = isOwn && input.type === "check.settled" ? input.conclusion : sharer.run.shown;
    if (shown === undefined || shown === worst.conclusion) return [];
    return [revision(sharer, worst, shared.headSha, cause.key)];
  });
}

/** Inputs that change neither what a check-run says nor whether its pull request is at the head; what they decide to say is raised at once. */
type Unheard =
  | "head.tested"
  | "tests.progressed"
  | "review.observed"
  | "review.finished"
  | "review.carried"
  | "review.suspended"
  | "review.parked"
  | "review.progressed"
  | "review.failed"
  | "findings.posted"
  | "effect.failed"
  | "request.made"
  | "commands.void"
  | "command.given"
  | "question.settled"
  | "verdict.given"
  | "head.judged"
  | "pull.readied"
  | "merge.observed"
  | "merge.settled"
  | "fixes.made"
  | "branch.pushed"
  | "learning.observed"
  | "production.traced"
  | "reply.read"
  | "subject.gone";

/** The cause to compare a head's check-runs: one says something new, or its pull request leaves. */
function causeOf(
  view: SubjectView,
  input: PullInput,
  { headSha }: SharedHead,
): { readonly key: string; readonly counts?: boolean } | undefined {
  switch (input.type) {
    case "check.settled":
      return { key: `${input.runId}@${view.addressed?.version ?? 0}` };
    case "pull_request.closed":
      return { key: `closed@${view.facts.version}`, counts: false };
    case "head.changed": {
      const stays = input.ends.headSha === headSha;
      return stays && !view.facts.closed ? undefined : { key: input.request.id, counts: stays };
    }
    default:
      input.type satisfies Unheard;
      return undefined;
  }
}

function revision({ subject, run, answer, counts }: Sharer, worst: Named, headSha: string, cause: string): Revision {
  const of = subjectKey(subject);
  const { id } = run.request;
  // Who is no better than the worst speaks for itself.
  const isItsOwn = counts && answer?.conclusion === worst.conclusion;
  const { report } = answer ?? worst;
  const said: { conclusion: Conclusion } = isItsOwn ? { conclusion: worst.conclusion } : saidBy(worst);
  return {
    runId: run.runId,
    headSha,
    subject,
    effects: [
      {
        kind: "check.revise",
        key: effectKey("check.revise", of, headSha, id, cause),
        payload: {
          check: "forge/review",
          headSha,
          openKey: effectKey("check.open", of, headSha, id),
          completeKey: effectKey("check.complete", of, headSha, id),
          report,
          ...(isItsOwn && answer.overridden ? { overridden: answer.overridden } : {}),
          ...said,
        },
      },
    ],
  };
}
