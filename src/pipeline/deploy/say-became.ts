import { defined } from "../../domain/defined.ts";
import type { DeployOutcome, StepHandle, StepOutcome } from "../../domain/deployments.ts";
import { type Effect, effectKey } from "../../domain/effects.ts";
import { subjectKey } from "../../domain/subjects.ts";
import { currentStep, type Deployment, type StepState } from "./deployment.ts";

type Said = Extract<Effect, { kind: "deployment.say" }>["payload"];
type Became = Said["became"];

/** What the steps forward are when the deployment ends so; what is not named leaves GitHub's statuses as the workflow wrote them. */
const BECAME: Readonly<Partial<Record<DeployOutcome, Became>>> = {
  healthy: "replaced",
  unwatched: "replaced",
  degraded: "replaced",
  rolled_back: "rolled_back",
  rollback_failed: "still_there",
};

/**
 * Has GitHub say on each deployment of ours what it is from now on (GH-8). A workflow has written "success" on the step of a version that then
 * was rolled back, and in production GitHub itself leaves that as it is.
 */
export function sayBecame(run: Deployment, outcome: DeployOutcome, reason: string | undefined): Effect[] {
  const isNowhere = outcome === "rollback_failed" && run.back?.to === undefined;
  const became = isNowhere ? "no_earlier" : BECAME[outcome];
  if (became === undefined) return [];
  const last = currentStep(run);
  return run.steps
    .filter((step) => step.planned.task === "deploy" && !(became === "replaced" && step === last))
    .flatMap(({ planned, handle, outcome: { logUrl } }) => {
      const { deploymentId } = planned.way === "deployment" && handle ? handle : {};
      if (deploymentId === undefined) return [];
      const key = effectKey(
        "deployment.say",
        subjectKey(run.subject),
        planned.sha,
        run.runId,
        `${planned.marker.step}`,
      );
      const why = became === "replaced" ? "" : (reason ?? "").slice(0, 300);
      return [
        {
          kind: "deployment.say" as const,
          key,
          payload: { deploymentId, became, reason: why, ...defined({ logUrl }) },
        },
      ];
    });
}

/** Has GitHub say on the deployment of a step how it ended: of one that nothing took up, nobody else says anything (GH-8). */
export function sayStep(
  run: Deployment,
  { planned, handle: known }: StepState,
  outcome: StepOutcome,
  told?: StepHandle,
): Effect[] {
  const { deploymentId } = { ...known, ...told };
  if (planned.way !== "deployment" || deploymentId === undefined) return [];
  const { is, detail = "", url, logUrl } = outcome;
  const part = `${planned.marker.step}:${is}`;
  const payload: Said = {
    ...{ deploymentId, became: is === "done" ? "deployed" : "not_deployed", reason: detail.slice(0, 300) },
    ...{ step: { is, percentage: planned.percentage, ...defined({ url }) }, ...defined({ logUrl }) },
  };
  return [
    {
      kind: "deployment.say",
      key: effectKey("deployment.say", subjectKey(run.subject), planned.sha, run.runId, part),
      payload,
    },
  ];
}
