import { type Effect, effectKey } from "../../../domain/effects.ts";
import type { NewEvent } from "../../../domain/events.ts";
import type { FeedbackStanding } from "../../../domain/production-feedback.ts";
import type { Subject } from "../../../domain/subjects.ts";
import { subjectKey } from "../../../domain/subjects.ts";
import { applyEffects, type Decision } from "../../runs/decision.ts";

/** One update of an issue, and its event in the log. */
export interface Shown {
  readonly about: string;
  readonly effect: Effect;
  readonly event: NewEvent;
}

export function shownOwn(own: string, standing: FeedbackStanding): Shown {
  const { fingerprint } = standing.feedback;
  return shown(
    own,
    fingerprint,
    `${standing.times}:${standing.fixed ? `fixed:${standing.fixed.sha}` : standing.resolved ? "over" : "there"}`,
    standing,
  );
}

export function shownTogether(own: string, day: string, standing: FeedbackStanding): Shown {
  return shown(own, `more:${day}`, String(standing.more), standing);
}

function shown(own: string, about: string, what: string, standing: FeedbackStanding): Shown {
  const key = effectKey("feedback.show", own, "", `${about}:${what}`);
  return {
    about,
    effect: { kind: "feedback.show", key, payload: { standing } },
    event: { type: "feedback.received", payload: { standing } },
  };
}

/** All effects about one issue have this in common: by it the issue is found again. */
export function feedbackRun(own: string, about: string): string {
  return `feedback:${own}:${about}`;
}

/** Updates of issues as a part of a decision; `version` is of the environment's own log. */
export function showing(
  environment: Subject,
  version: number,
  shown: readonly Shown[],
  at: string,
): Pick<Decision, "appends" | "effects" | "jobs"> {
  const key = subjectKey(environment);
  if (shown.length === 0) return { appends: [], effects: [], jobs: [] };
  return {
    appends: [{ runId: key, expectedVersion: version, events: shown.map(({ event }) => event) }],
    effects: shown.map(({ about, effect }) => ({ runId: feedbackRun(key, about), headSha: "", effects: [effect] })),
    jobs: [applyEffects(environment, at)],
  };
}
