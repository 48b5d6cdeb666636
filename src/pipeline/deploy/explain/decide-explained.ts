import { type Effect, effectKey } from "../../../domain/effects.ts";
import type { DeployExplained } from "../../../domain/inputs.ts";
import { subjectKey } from "../../../domain/subjects.ts";
import { type Decision, ignore } from "../../runs/decision.ts";
import { moved } from "../move.ts";
import { rollbackIssue } from "../taken-back.ts";
import type { EnvironmentView } from "../view.ts";
import { isToExplain } from "./moment.ts";

/** A model's words go to where people read of the verdict, and to nothing that decides. */
export function decideExplained(
  { addressed: run, facts }: Pick<EnvironmentView, "addressed" | "facts">,
  { explanation, at }: DeployExplained,
): Decision {
  if (!isToExplain(run, explanation.of)) return ignore("another verdict counts by now, or this one was explained");
  // An issue that is opened later has them in its text.
  const openKey = run.endedAt === undefined ? undefined : rollbackIssue(run);
  const key = effectKey("issue.explain", subjectKey(run.subject), run.deploy.sha, run.runId);
  const late: Effect[] =
    openKey === undefined ? [] : [{ kind: "issue.explain", key, payload: { openKey, explanation } }];
  const events = [{ type: "deployment.explained" as const, payload: explanation }];
  return moved(run, facts.version, { events, effects: late }, at);
}
