import { isDeepStrictEqual } from "node:util";
import type { ExplainedMoment } from "../../../domain/explanations.ts";
import type { Input } from "../../../domain/inputs.ts";
import type { NewJob } from "../../../domain/jobs.ts";
import type { Decision } from "../../runs/decision.ts";
import { placeEvents, runOf } from "../../runs/kind.ts";
import type { Deployment } from "../deployment.ts";
import { evolveDeployment } from "../evolve.ts";
import type { EnvironmentView } from "../view.ts";
import { momentOf } from "./moment.ts";

/** When people have to understand a verdict, a job of its own has a model explain it. The deployment does not wait for that job (TOOLS-3). */
export function askForWords(view: EnvironmentView, decision: Decision, { at, type }: Input): Decision {
  if (type === "subject.gone") return decision;
  const asked = decision.appends.flatMap((append): NewJob[] => {
    const before = runOf(view, append.runId);
    // A run that begins here has no verdict yet.
    if (!before) return [];
    const after = placeEvents(append, at).reduce<Deployment>(evolveDeployment, before);
    const of = momentOf(after);
    return of === undefined || isDeepStrictEqual(of, momentOf(before)) ? [] : [explain(after, of, at)];
  });
  return asked.length === 0 ? decision : { ...decision, jobs: [...decision.jobs, ...asked] };
}

/** Nobody waits for it. */
const LAST = 9;

/** Not one of the run's own jobs, which are cancelled whenever a person moves the deployment. */
function explain({ runId, subject }: Deployment, of: ExplainedMoment, runAt: string): NewJob {
  return { kind: "explain", key: `explain:${runId}`, payload: { runId, subject, of }, runAt, priority: LAST };
}
