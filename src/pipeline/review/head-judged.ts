import { isDeepStrictEqual } from "node:util";
import type { HeadJudged, VerdictGiven } from "../../domain/inputs.ts";
import { subjectKey } from "../../domain/subjects.ts";
import { both, type Decision, ignore, NOTHING } from "../runs/decision.ts";
import { asksPeople } from "./conclude-review.ts";
import type { RunState } from "./run-state.ts";
import { reviseReview } from "./show-ledger.ts";
import type { SubjectView } from "./view.ts";

/** Somebody gave a verdict on GitHub: a worker looks at it where a high risk waits for one (REV-2). */
export function decideVerdictGiven({ latest }: SubjectView, { subject, at }: VerdictGiven): Decision {
  if (!latest || !waitsForPeople(latest)) return ignore("nothing here waits for a review of people");
  const job = { kind: "judge", key: `judge:${subjectKey(subject)}`, payload: { subject }, runAt: at } as const;
  return { ...NOTHING, jobs: [job] };
}

function waitsForPeople(run: RunState): boolean {
  return run.status === "running" ? asksPeople(run) : run.status === "completed" && run.review?.asks === true;
}

/** What people say of a head now: it is noted, and its check says what it comes to with that. */
export function decideHeadJudged(view: SubjectView, { subject, at, headSha, judgement }: HeadJudged): Decision {
  const { facts, ledger } = view;
  const judged = { headSha, ...judgement };
  if (isDeepStrictEqual(facts.judged ?? { headSha }, judged)) return ignore("they say what they said before");
  const runId = subjectKey(subject);
  const payload = { subject, ...judged };
  const noted: Decision = {
    ...NOTHING,
    appends: [{ runId, expectedVersion: facts.version, events: [{ type: "head.judged", payload }] }],
  };
  const cause = `judged@${facts.version}`;
  return both(noted, reviseReview(view, { subject, at, headSha, cause }, { ledger, facts: { ...facts, judged } }));
}
