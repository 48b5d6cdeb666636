import { isByItself } from "../../domain/deployments.ts";
import type { RepositoryFacts } from "../runs/decision.ts";
import { announce } from "./announce.ts";
import { askToDeploy, needsPerson } from "./ask-to-deploy.ts";
import { DEPLOYMENT, type DeployCondition, type DeployStage, type StageExit } from "./definition.ts";
import type { Observed } from "./deployment.ts";
import { refusalOf } from "./guards.ts";
import { finish, type Move } from "./move.ts";
import { beginNext, entered, sharesLeft } from "./steps.ts";
import type { EnvironmentView } from "./view.ts";

/** By what the exit out of a stage is chosen, and what is said where it ends. */
export interface Crossing {
  readonly view: Pick<EnvironmentView, "gates" | "environment"> & {
    readonly repository: Pick<RepositoryFacts, "pause">;
  };
  readonly run: Observed;
  /** Now, ISO 8601. */
  readonly at: string;
  /** What the judge said of it; `unclear` also where a person promotes it anyway, `blind` where nothing watches it. */
  readonly found?: "good" | "worse" | "unclear" | "blind";
  /** Why, where it ends. */
  readonly reason?: string;
}

const CONDITIONS: Readonly<Record<DeployCondition, (crossing: Crossing) => boolean>> = {
  goes_back: ({ run }) => run.back !== undefined || run.deploy.cause === "rollback",
  needs_person: ({ run, view }) => needsPerson(run, view.repository),
  by_itself: ({ run }) => isByItself(run.deploy),
  shares_left: ({ run }) => sharesLeft(run),
  to_be_watched: ({ run, found }) => found !== "blind" && run.observed.settings.watch_minutes > 0,
  found_healthy: ({ found }) => found === "good",
  found_worse: ({ found }) => found === "worse",
};

const ENTER: Readonly<Record<Exclude<StageExit["to"], "ended">, (crossing: Crossing) => Move>> = {
  verifying: ({ run }) => ({ events: entered(run, "verifying", "the version is to be deployed") }),
  asking: ({ view, run, at }) => askToDeploy(view, run, at),
  announced: ({ run, at }) => announce(run, at),
  deploying: ({ run }) => beginNext(run),
  baking: () => ({ events: [] }),
  watching: ({ run }) => ({
    events: entered(run, "watching", "all traffic has the version"),
    own: [{ type: "environment.deployed", payload: { sha: run.deploy.sha, runId: run.runId, healthy: false } }],
  }),
};

/** Leaves a stage by the first of its exits whose condition holds. Where there is none it stays there. */
export function leave(stage: DeployStage, crossing: Crossing): Move {
  const exit = DEPLOYMENT.stages[stage].next.find((one) => one.if === undefined || CONDITIONS[one.if](crossing));
  return exit ? go(exit, crossing) : { events: [] };
}

/** The answer of a person, or of their silence, to the question of a stage. */
export function answered(stage: DeployStage, answer: "yes" | "no", crossing: Crossing): Move {
  const exit = DEPLOYMENT.stages[stage].answers?.[answer];
  return exit ? go(exit, crossing) : { events: [] };
}

/** Takes an exit, or ends where one of its guards does not hold. */
function go(exit: StageExit, crossing: Crossing): Move {
  const { run, at, view, reason } = crossing;
  const { facts, level } = run.observed;
  const refusal = refusalOf(exit.guards ?? [], { facts, level, hold: view.environment.hold });
  if (refusal !== undefined) return finish(run, at, { outcome: "refused", refusal });
  if (exit.to !== "ended") return ENTER[exit.to](crossing);
  return finish(run, at, { outcome: exit.outcome, ...(reason === undefined ? {} : { reason }) });
}
