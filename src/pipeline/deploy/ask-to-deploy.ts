import { uncoveredOf } from "../../domain/coverage.ts";
import { defined } from "../../domain/defined.ts";
import { asksAtLevel, type DeployQuestion, environmentOf, isByItself } from "../../domain/deployments.ts";
import type { Effect } from "../../domain/effects.ts";
import type { Gate } from "../../domain/gates.ts";
import { FIRST_LEVEL } from "../../domain/ladder.ts";
import type { RepositoryFacts } from "../runs/decision.ts";
import { showGate } from "../runs/gates/evolve-gates.ts";
import { requestGate } from "../runs/gates/gate-rules.ts";
import type { Deployment, Observed } from "./deployment.ts";
import type { Move } from "./move.ts";
import { entered, plannedShares } from "./steps.ts";
import type { EnvironmentView } from "./view.ts";

type Asked = Pick<Observed, "subject" | "observed" | "deploy">;

/**
 * Production always waits for a person, staging where the repository wants it; and what follows from a merge also below the level that lets
 * Forge deploy by itself, and while Forge is paused. So does whatever was not looked at, wherever it is to go (DEP-4).
 */
export function needsPerson(run: Asked, { pause }: Pick<RepositoryFacts, "pause">): boolean {
  const { subject, observed, deploy } = run;
  const isConfigured = environmentOf(subject) === "production" || observed.settings.approval;
  if (uncoveredOf(observed.facts.coverage) !== undefined) return true;
  return isConfigured || levelAsking(run) !== undefined || (isByItself(deploy) && pause !== undefined);
}

/** The level that is too low to deploy this without a person's yes; undefined where it is not the level that asks. */
function levelAsking({ deploy, observed }: Asked): number | undefined {
  const { level = FIRST_LEVEL } = observed;
  return isByItself(deploy) && asksAtLevel(level) ? level : undefined;
}

/** The gate: what goes there, in which steps, what is watched, and what it can go back to. No silence is a yes. */
export function askToDeploy(view: Pick<EnvironmentView, "gates">, run: Observed, at: string): Move {
  const { gate, event } = requestGate(
    run,
    view.gates,
    { question: questionOf(run), headSha: run.deploy.sha, needs: "maintain" },
    at,
  );
  const events = [...entered(run, "asking", "the version is verified"), event];
  return { events, told: shownDeployGate(run, gate) };
}

function questionOf(run: Observed): DeployQuestion {
  const { deploy, observed, subject } = run;
  const isAlways = environmentOf(subject) === "production" || observed.settings.approval;
  const { environment, sha } = deploy;
  return {
    ...{ type: "production_deploy", environment, sha, steps: [...plannedShares(run)], facts: observed.facts },
    ...{
      watched: observed.watched,
      ...defined({ back: observed.back, level: isAlways ? undefined : levelAsking(run), verified: run.verified }),
    },
  };
}

/** The comment of the gate as it stands, in the conversation that the deployment is told in. */
export function shownDeployGate({ deploy }: Pick<Deployment, "deploy">, gate: Gate): Effect[] {
  return deploy.about ? [showGate(deploy.about, gate)] : [];
}
