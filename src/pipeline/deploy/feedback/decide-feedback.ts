import { effectKey } from "../../../domain/effects.ts";
import type { PlacedEvent } from "../../../domain/events.ts";
import type { FeedbackReceived } from "../../../domain/inputs.ts";
import type { FeedbackStanding } from "../../../domain/production-feedback.ts";
import { subjectKey } from "../../../domain/subjects.ts";
import { applyEffects, type Decision, ignore, NOTHING } from "../../runs/decision.ts";

/** What is known of one thing that production told of. */
interface Known {
  /** How often it was told, and whether it was over, as its event says. */
  readonly times: number;
  readonly resolved: boolean;
  /** Which issue about it this is: one that is there again after it was over is told in the same. */
  readonly at: string;
  /** It has no issue of its own: there were too many. */
  readonly together: boolean;
}

/** What production told of, by fingerprint. */
export type FeedbackFacts = ReadonlyMap<string, Known>;

/** In a day at most so many issues are opened about one environment; all else is told in one more. */
const ISSUES_A_DAY = 20;
const DAY_MS = 86_400_000;

/** Folds one event of an environment's own log. */
export function evolveFeedback(
  facts: FeedbackFacts | undefined,
  event: PlacedEvent & { readonly type: "feedback.received" },
): FeedbackFacts {
  const { feedback, times, resolved, more } = event.payload.standing;
  const before = facts?.get(feedback.fingerprint);
  const known = { times, resolved, at: before?.at ?? event.at, together: before?.together ?? more !== undefined };
  return new Map(facts).set(feedback.fingerprint, known);
}

/** One issue for each thing; of a storm of different things one issue that counts them (PROD-1). */
export function decideFeedback(
  facts: FeedbackFacts = new Map(),
  version: number,
  { subject, standing, at }: FeedbackReceived,
): Decision {
  const { fingerprint } = standing.feedback;
  const known = facts.get(fingerprint);
  if (known && known.times === standing.times && known.resolved === standing.resolved)
    return ignore("the pipeline knows that already");
  if (!known && standing.resolved) return ignore("it was over before anything was opened");
  const since = Date.parse(at) - DAY_MS;
  const ofToday = [...facts.values()].filter((one) => Date.parse(one.at) > since);
  const together = known?.together ?? ofToday.filter((one) => !one.together).length >= ISSUES_A_DAY;
  const more = ofToday.filter((one) => one.together).length + (known ? 0 : 1);
  const told: FeedbackStanding = together ? { ...standing, more } : standing;
  const own = subjectKey(subject);
  const event = { type: "feedback.received", payload: { standing: told } } as const;
  const appends = [{ runId: own, expectedVersion: version, events: [event] }];
  // The issue that stands for many says how many; what each of them does is not news there.
  if (together && (known || !isRound(more))) return { ...NOTHING, appends };
  const about = together ? `more:${at.slice(0, 10)}` : fingerprint;
  const key = effectKey(
    "feedback.show",
    own,
    "",
    `${about}:${standing.times}:${standing.resolved ? "over" : "there"}`,
    String(more),
  );
  const show = { kind: "feedback.show", key, payload: { standing: told } } as const;
  return {
    ...NOTHING,
    appends,
    effects: [{ runId: feedbackRun(own, about), headSha: "", effects: [show] }],
    jobs: [applyEffects(subject, at)],
  };
}

/** All effects about one issue have this in common: by it the issue is found again. */
function feedbackRun(own: string, about: string): string {
  return `feedback:${own}:${about}`;
}

function isRound(count: number): boolean {
  return /^10*$/.test(String(count));
}
