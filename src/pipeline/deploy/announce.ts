import { DEPLOY_OBJECTION_MS, isByItself } from "../../domain/deployments.ts";
import { FIRST_LEVEL } from "../../domain/ladder.ts";
import type { RepositoryFacts } from "../runs/decision.ts";
import { askToDeploy, needsPerson } from "./ask-to-deploy.ts";
import type { Observed } from "./deployment.ts";
import { finish, type Move } from "./move.ts";
import { beginNext, enter } from "./steps.ts";
import type { EnvironmentView } from "./view.ts";

type Known = Pick<EnvironmentView, "gates"> & { readonly repository: Pick<RepositoryFacts, "pause"> };

/** What follows once a version is built and tested: a person is asked; what nobody asked for is announced; else it begins (SAFE-4). */
export function letThrough(view: Known, run: Observed, at: string): Move {
  if (needsPerson(run, view.repository)) return askToDeploy(view, run, at);
  return isByItself(run.deploy) ? announce(run, at) : beginNext(run);
}

/** People have time to object before it begins; a worker takes it up again then. */
function announce({ observed }: Observed, at: string): Move {
  const due = new Date(Date.parse(at) + DEPLOY_OBJECTION_MS).toISOString();
  const { level = FIRST_LEVEL } = observed;
  return {
    events: [enter("deployment", "the version is verified"), { type: "deployment.announced", payload: { due, level } }],
  };
}

/** The time to object is over: what counts is the level of now. */
export function afterWait(view: Known, run: Observed, level: number, at: string): Move {
  if (level === 0) return finish(run, at, { outcome: "refused", refusal: "level" });
  const known: Observed = { ...run, observed: { ...run.observed, level } };
  return needsPerson(known, view.repository) ? askToDeploy(view, known, at) : beginNext(known);
}
