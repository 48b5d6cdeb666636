import type { DismissalScope } from "../domain/command-arguments.ts";
import { COMMANDS, type Command } from "../domain/commands.ts";
import type { Finding } from "../domain/findings.ts";
import type { Refusal } from "../domain/refusals.ts";
import { ROLES, type Role } from "../domain/roles.ts";

/** Why a finding is guarded: it may be dismissed one by one only, with push permission and a reason. */
export type Guard = "secret" | "critical";

/** Whether a finding is one that learning and wide dismissals must never hide. */
export function guardOf({ secret, severity, category }: Finding): Guard | undefined {
  if (secret) return "secret";
  return severity === "critical" && category === "security" ? "critical" : undefined;
}

/** The role that `user.permissions` of GitHub's collaborator API comes to; its plain `permission` field folds two of them away. */
export function roleFrom(permissions: {
  readonly admin?: boolean | undefined;
  readonly maintain?: boolean | undefined;
  readonly push?: boolean | undefined;
  readonly triage?: boolean | undefined;
  readonly pull?: boolean | undefined;
}): Role {
  if (permissions.admin) return "admin";
  if (permissions.maintain) return "maintain";
  if (permissions.push) return "write";
  if (permissions.triage) return "triage";
  return permissions.pull ? "read" : "none";
}

/** The finding that a command is about, and for `undismiss` how far its dismissal reaches. */
export interface Target {
  readonly finding: Finding;
  readonly scope?: DismissalScope;
}

/** The least role that a command asks for. */
function neededRole(command: Command, target?: Target): Role {
  const { who }: { readonly who: unknown } = COMMANDS[command.name];
  if (typeof who !== "function") return who as Role;
  return who(command, target && { guarded: guardOf(target.finding) !== undefined, scope: target.scope });
}

export function atLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** Why somebody with this role may not give the command; undefined when they may. */
export function refusedByRole(command: Command, role: Role, target?: Target): Refusal | undefined {
  const needs = neededRole(command, target);
  if (atLeast(role, needs)) return undefined;
  const guard = target && guardOf(target.finding);
  return { reason: "role", name: command.name, needs, has: role, ...(guard ? { why: guard } : {}) };
}
