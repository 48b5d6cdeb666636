import type { DeployFacts, DeployRefusal } from "../../domain/deployments.ts";
import type { DeployGuard } from "./definition.ts";
import type { EnvironmentFacts } from "./evolve.ts";

interface Known {
  readonly facts: DeployFacts;
  readonly hold: EnvironmentFacts["hold"];
  /** Of the version, where nobody asked for it. */
  readonly level: number | undefined;
}

/** Each guard with the refusal of what it does not let through, and whether it holds. */
const GUARDS: Readonly<
  Record<DeployGuard, { readonly refusal: DeployRefusal; readonly holds: (known: Known) => boolean }>
> = {
  // At level 0 nothing is begun that nobody asked for, whatever else speaks against it (SAFE-4).
  level: { refusal: "level", holds: ({ level }) => level !== 0 },
  merged: { refusal: "not_merged", holds: ({ facts }) => facts.merged },
  not_held: { refusal: "held", holds: ({ hold }) => hold === undefined },
  new: { refusal: "same", holds: ({ facts }) => facts.previous !== facts.sha },
  not_older: { refusal: "older", holds: ({ facts }) => !facts.older },
};

/** Why an exit may not be taken (PIPE-4): the first of its guards that does not hold; undefined where it may. */
export function refusalOf(guards: readonly DeployGuard[], known: Known): DeployRefusal | undefined {
  const failed = guards.find((guard) => !GUARDS[guard].holds(known));
  return failed && GUARDS[failed].refusal;
}
