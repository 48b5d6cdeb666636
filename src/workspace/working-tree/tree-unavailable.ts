import { ForgeError } from "../../domain/errors.ts";
import type { Refusal } from "../refusal.ts";

/** Refusals that may be gone the next time. */
const PASSING: readonly Refusal["reason"][] = ["busy", "unreachable", "unauthorised", "missing commit", "unreadable"];

/** Git, the mirror or the server does not give what a working tree needs; `recoverability` says whether trying again may help. */
export function treeUnavailable({ reason, detail }: Refusal): ForgeError {
  return new ForgeError("working_tree_unavailable", detail, {
    source: reason === "timeout" ? "timeout" : "resource",
    recoverability: PASSING.includes(reason) ? "auto" : "none",
    context: { reason },
  });
}

/** @throws ForgeError `working_tree_unavailable` */
export function available<T extends { ok: true }>(outcome: T | Refusal): T {
  if (outcome.ok) return outcome;
  throw treeUnavailable(outcome);
}
