import { defined } from "../../../domain/defined.ts";
import { effectKey } from "../../../domain/effects.ts";
import type { PlacedEvent } from "../../../domain/events.ts";
import type { FeedbackReceived } from "../../../domain/inputs.ts";
import type { FeedbackStanding, ProductionFault } from "../../../domain/production-feedback.ts";
import { subjectKey } from "../../../domain/subjects.ts";
import { applyEffects, type Decision, ignore, NOTHING, traceFault } from "../../runs/decision.ts";

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

/** What production told of. */
export interface FeedbackFacts {
  /** By fingerprint: what was told in an issue. */
  readonly known: ReadonlyMap<string, Known>;
  /** How many others the issue for all of a day was told of last, by the day. */
  readonly others: ReadonlyMap<string, number>;
}

const NO_FEEDBACK: FeedbackFacts = { known: new Map(), others: new Map() };

/** In a day at most so many issues are opened about one environment; all else is told in one more. */
const ISSUES_A_DAY = 20;
const DAY_MS = 86_400_000;

/** Folds an environment's own log in one go: a storm makes it long. */
export function feedbackOf(log: readonly PlacedEvent[]): FeedbackFacts {
  const known = new Map<string, Known>();
  const others = new Map<string, number>();
  for (const event of log) {
    if (event.type !== "feedback.received") continue;
    const { feedback, times, resolved, more } = event.payload.standing;
    const before = known.get(feedback.fingerprint);
    const together = before?.together ?? more !== undefined;
    known.set(feedback.fingerprint, { times, resolved, at: before?.at ?? event.at, together });
    if (more !== undefined) others.set(dayOf(event.at), more);
  }
  return { known, others };
}

function dayOf(at: string): string {
  return at.slice(0, 10);
}

/** One issue for each thing; of a storm of different things one issue that counts them (PROD-1). */
export function decideFeedback(
  { known: all, others }: FeedbackFacts = NO_FEEDBACK,
  version: number,
  { subject, standing, heard, at }: FeedbackReceived,
): Decision {
  const { fingerprint } = standing.feedback;
  const known = all.get(fingerprint);
  if (known && known.times === standing.times && known.resolved === standing.resolved)
    return ignore("the pipeline knows that already");
  if (!known && standing.resolved) return ignore("it was over before anything was opened");
  const since = Date.parse(at) - DAY_MS;
  const issues = [...all.values()].filter((one) => !one.together && Date.parse(one.at) > since).length;
  const together = known?.together ?? issues >= ISSUES_A_DAY;
  const more = Math.max(1, heard - issues);
  const traced = together ? undefined : faultOf(standing);
  const jobs = traced ? [traceFault(subject.repository, traced, at)] : [];
  // The issue that stands for many says how many; what each of them does is not news there.
  const isNews = !together || magnitude(more) > magnitude(others.get(dayOf(at)) ?? 0);
  if (!isNews) return ignore("it is counted among others");
  const told: FeedbackStanding = together ? { ...standing, more } : standing;
  const own = subjectKey(subject);
  const event = { type: "feedback.received", payload: { standing: told } } as const;
  const appends = [{ runId: own, expectedVersion: version, events: [event] }];
  const about = together ? `more:${dayOf(at)}` : fingerprint;
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
    jobs: [...jobs, applyEffects(subject, at)],
  };
}

/** What the run behind it is told, where both conditions name a change; a suspicion marks nobody. */
function faultOf({ environment, feedback, suspicion, resolved }: FeedbackStanding): ProductionFault | undefined {
  if (resolved || suspicion?.is !== "caused" || suspicion.pull === undefined) return undefined;
  const { sha, pull, commit, file, line } = suspicion;
  const what = feedback.is === "error" ? [feedback.type, feedback.message].filter(Boolean).join(": ") : feedback.name;
  return {
    ...{ id: `${environment}:${feedback.fingerprint}`, is: "error", environment, what: what.slice(0, 300), sha, pull },
    ...defined({ commit, file, line }),
  };
}

/** All effects about one issue have this in common: by it the issue is found again. */
function feedbackRun(own: string, about: string): string {
  return `feedback:${own}:${about}`;
}

/** 0 for nothing, 1 below ten, 2 below a hundred: the next is news. */
function magnitude(count: number): number {
  return count < 1 ? 0 : String(Math.floor(count)).length;
}
