import type { DeployFacts, DeployRefusal, DeployRequest } from "../../domain/deployments.ts";
import { type DeployGuard, PIPELINES } from "../runs/definition.ts";
import type { EnvironmentFacts } from "./evolve.ts";

type Known = { readonly facts: DeployFacts; readonly hold: EnvironmentFacts["hold"] };

/** Each guard with the refusal of what it does not let through, and whether it holds. */
const GUARDS: Readonly<
  Record<DeployGuard, { readonly refusal: DeployRefusal; readonly holds: (known: Known) => boolean }>
> = {
  merged: { refusal: "not_merged", holds: ({ facts }) => facts.merged },
  not_held: { refusal: "held", holds: ({ hold }) => hold === undefined },
  new: { refusal: "same", holds: ({ facts }) => facts.previous !== facts.sha },
  not_older: { refusal: "older", holds: ({ facts }) => !facts.older },
};

/** Why a version may not be deployed (PIPE-4), as the definition has it; undefined where it may. */
export function refusalOf(
  facts: DeployFacts,
  { cause }: Pick<DeployRequest, "cause">,
  { hold }: Pick<EnvironmentFacts, "hold">,
): DeployRefusal | undefined {
  const { guards, guardsOfRollback } = PIPELINES.deploy;
  const failed = (cause === "rollback" ? guardsOfRollback : guards).find(
    (guard) => !GUARDS[guard].holds({ facts, hold }),
  );
  return failed && GUARDS[failed].refusal;
}
