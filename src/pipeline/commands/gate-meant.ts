import type { Environment } from "../../domain/deployments.ts";
import type { Refusal } from "../../domain/refusals.ts";
import type { Subject } from "../../domain/subjects.ts";
import type { Store } from "../../store/store.ts";
import { readDeployGates } from "../runs/gates/deploy-gates.ts";
import { readOpenGates } from "../runs/gates/read-gates.ts";
import { workBehind } from "../runs/implementation-of.ts";

/** Whose gate an answer is for: of a deployment, or of this conversation itself. Where that is not clear nothing is answered. */
export type GateMeant =
  | { readonly is: "deployment"; readonly environment: Environment; readonly gate: string }
  | { readonly is: "own" }
  | { readonly is: "unclear"; readonly refusal: Refusal };

/**
 * Only what was asked here can be answered here: the same number may mean something else in another conversation.
 * @param environment the deployment that is meant by its name; its number alone may be that of another gate too
 */
export async function gateMeant(
  store: Store,
  place: Subject,
  written: string | undefined,
  environment?: Environment,
): Promise<GateMeant> {
  const work = await workBehind(store, place);
  const [deploying, ...gates] = await Promise.all([
    readDeployGates(store, [place, ...(work ? [work.subject] : [])]),
    readOpenGates(store, place),
    ...(work && !work.over ? [readOpenGates(store, work.subject)] : []),
  ]);
  const isMeant = ({ gate }: { readonly gate: string }) => written === undefined || gate === written;
  const deployments = deploying.filter(({ gate }) => isMeant(gate));
  const own = gates.flat().filter(isMeant);
  if (environment !== undefined && written !== undefined) {
    const named = deployments.find((each) => each.environment === environment);
    if (named) return { is: "deployment", environment, gate: named.gate.gate };
    const open = [...gates.flat(), ...deploying.map(({ gate }) => gate)].map(({ gate }) => gate);
    return { is: "unclear", refusal: { reason: "unknown_gate", written: `${environment} ${written}`, open } };
  }
  const [only] = deployments;
  if (!only) return { is: "own" };
  if (deployments.length === 1 && own.length === 0)
    return { is: "deployment", environment: only.environment, gate: only.gate.gate };
  const ids = [...own, ...deployments.map(({ gate }) => gate)].map(({ gate }) => gate);
  if (written === undefined) return { is: "unclear", refusal: { reason: "which_gate", open: [...new Set(ids)] } };
  const environments = deployments.map(({ environment }) => environment);
  return { is: "unclear", refusal: { reason: "same_gate", gate: written, environments } };
}
