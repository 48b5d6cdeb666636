import { isDeepStrictEqual } from "node:util";
import type { ExplainedMoment, Explanation } from "../../../domain/explanations.ts";
import { DEPLOYMENT } from "../definition.ts";
import { type Deployment, type Observed, stageOf } from "../deployment.ts";

/** What people have to decide or to understand now: a version that waits for them, or a verdict. Undefined before that, and after a person decided. */
export function momentOf(run: Deployment): ExplainedMoment | undefined {
  const { deploy, steps, back, end } = run;
  if (deploy.cause === "rollback") return undefined;
  const last = steps.findLast(({ planned }) => planned.task === "deploy");
  if (!last) return DEPLOYMENT.stages[stageOf(run)].waits ? { is: "proposed", step: 0 } : undefined;
  const { step } = last.planned.marker;
  if (back) return back.why === "person" ? undefined : { is: "rolled_back", step };
  if (end) return end.outcome === "degraded" ? { is: "degraded", step } : undefined;
  return last.unclear && !last.promoted ? { is: "unclear", step } : undefined;
}

/** Whether this verdict is still the one that people have to understand, and nothing was said of it. */
export function isToExplain(run: Deployment | undefined, of: ExplainedMoment): run is Observed {
  return run?.observed !== undefined && isDeepStrictEqual(momentOf(run), of) && explanationOf(run) === undefined;
}

/** The explanation of that verdict. One of an earlier verdict does not count. */
export function explanationOf(run: Deployment): Explanation | undefined {
  const { explained } = run;
  return explained && isDeepStrictEqual(explained.of, momentOf(run)) ? explained : undefined;
}
