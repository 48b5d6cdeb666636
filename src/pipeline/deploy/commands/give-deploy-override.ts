import type { CommandOf } from "../../../domain/commands.ts";
import type { NewEvent } from "../../../domain/events.ts";
import type { DeployCommandGiven } from "../../../domain/inputs.ts";
import { type Outcome, refuse } from "../../commands/command-result.ts";
import { DEPLOY_CONCLUSIONS, moved } from "../move.ts";
import type { EnvironmentView } from "../view.ts";

/**
 * `/forge override forge/deploy`: the check of a deployment that ended badly passes on its commit. Nothing is deployed by that, and a hold
 * stays: what runs there is up to `deploy` and `release`.
 */
export function giveDeployOverride(
  view: EnvironmentView,
  { by, at }: DeployCommandGiven,
  { check, reason }: CommandOf<"override">,
): Outcome {
  const { active, latest: run } = view;
  const nothing = (why: "no_check" | "at_work" | "passes") => refuse({ reason: "nothing_to_override", check, why });
  if (active) return nothing("at_work");
  if (!run?.end) return nothing("no_check");
  if (run.overridden || DEPLOY_CONCLUSIONS[run.end.outcome] !== "failure") return nothing("passes");
  const { sha } = run.deploy;
  const overridden: NewEvent = { type: "deployment.overridden", payload: { reason }, actor: by };
  return {
    decision: moved(run, view.facts.version, { events: [overridden] }, at),
    events: [{ type: "check.overridden", payload: { check, headSha: sha, reason }, actor: by }],
  };
}
