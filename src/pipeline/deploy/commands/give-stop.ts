import { environmentOf } from "../../../domain/deployments.ts";
import type { NewEvent } from "../../../domain/events.ts";
import type { DeployCommandGiven } from "../../../domain/inputs.ts";
import { atLeast } from "../../../domain/subjects.ts";
import { type Outcome, refuse } from "../../commands/command-result.ts";
import { DEPLOYMENT } from "../definition.ts";
import { isObserved, stageOf } from "../deployment.ts";
import { finish, moved } from "../move.ts";
import { sharesLeft } from "../steps.ts";
import type { EnvironmentView } from "../view.ts";

/**
 * `/forge stop` where the work is being deployed: the step in flight goes on to its end, and nothing begins after it by itself, neither there nor
 * in the next environment. What is there is watched on, and goes back by itself where it gets worse. Before the first step it is over.
 */
export function giveDeployStop(view: EnvironmentView, { subject, by, at }: DeployCommandGiven): Outcome {
  const { active: run } = view;
  const environment = environmentOf(subject);
  if (!run) return refuse({ reason: "nothing_to_stop", environment });
  const { waits, out } = DEPLOYMENT.stages[stageOf(run)];
  if (!out) {
    const end = finish(run, at, { outcome: "rejected", reason: `${by.login} stopped it` });
    // Nobody works on a run that waits, so it is woken. A worker that builds finishes, and its result is ignored.
    return { decision: moved(run, view.facts.version, { ...end, wake: waits === true }, at) };
  }
  if (run.stopped) return {};
  const goesOn = isObserved(run) && !run.back && (sharesLeft(run) || run.observed.onward === true);
  if (!goesOn) return refuse({ reason: "nothing_to_stop", environment });
  const stopped: NewEvent = { type: "run.stopped", payload: {}, actor: by };
  return { decision: moved(run, view.facts.version, { events: [stopped] }, at) };
}

/** `/forge resume` where a deployment was stopped: it goes on by itself again, as it was let through. */
export function giveDeployResume(view: EnvironmentView, input: DeployCommandGiven): Outcome {
  const { active: run } = view;
  const { subject, by, at, role = "none" } = input;
  if (!run?.stopped) return refuse({ reason: "nothing_to_resume" });
  if (!atLeast(role, RESUMER)) return refuse({ reason: "role", name: "resume", needs: RESUMER, has: role });
  const payload = { attempt: 1, reason: `${by.login} had it go on` };
  const environment = environmentOf(subject);
  const { hold } = view.environment;
  if (hold) return refuse({ reason: "environment_held", environment, hold });
  const resumed: NewEvent = { type: "run.resumed", payload, actor: by };
  return { decision: moved(run, view.facts.version, { events: [resumed] }, at) };
}

/** As for every step forward that a person gives (`promote`). */
const RESUMER = "maintain";
