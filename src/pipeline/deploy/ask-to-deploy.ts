import { uncoveredOf } from "../../domain/coverage.ts";
import { defined } from "../../domain/defined.ts";
import { type DeployQuestion, environmentOf } from "../../domain/deployments.ts";
import type { Effect } from "../../domain/effects.ts";
import type { Gate } from "../../domain/gates.ts";
import { showGate } from "../runs/gates/evolve-gates.ts";
import { requestGate } from "../runs/gates/gate-rules.ts";
import type { Deployment, Observed } from "./deployment.ts";
import type { Move } from "./move.ts";
import { enter, plannedShares } from "./steps.ts";
import type { EnvironmentView } from "./view.ts";

/** Production always waits for a person, staging where the repository wants it; and whatever was not looked at, wherever it is to go (DEP-4). */
export function needsPerson({ subject, observed }: Observed): boolean {
  return (
    environmentOf(subject) === "production" ||
    observed.settings.approval ||
    uncoveredOf(observed.facts.coverage) !== undefined
  );
}

/** The gate: what goes there, in which steps, what is watched, and what it can go back to. No silence is a yes. */
export function askToDeploy(view: Pick<EnvironmentView, "gates">, run: Observed, at: string): Move {
  const { gate, event } = requestGate(
    run,
    view.gates,
    { question: questionOf(run), headSha: run.deploy.sha, needs: "maintain" },
    at,
  );
  return { events: [enter("deployment", "the version is verified"), event], told: shownDeployGate(run, gate) };
}

function questionOf(run: Observed): DeployQuestion {
  const { deploy, observed } = run;
  const { environment, sha } = deploy;
  return {
    ...{ type: "production_deploy", environment, sha, steps: [...plannedShares(run)], facts: observed.facts },
    ...{ watched: observed.watched, ...defined({ back: observed.back }) },
  };
}

/** The comment of the gate as it stands, in the conversation that the deployment is told in. */
export function shownDeployGate({ deploy }: Pick<Deployment, "deploy">, gate: Gate): Effect[] {
  return deploy.about ? [showGate(deploy.about, gate)] : [];
}
