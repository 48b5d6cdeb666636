import type { Command, DismissalScope, Refusal } from "../domain/commands.ts";
import { defined } from "../domain/defined.ts";
import type { Finding } from "../domain/findings.ts";
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

/** The least role that a command asks for. The author of a pull request is nobody special here (GH-14). */
export function neededRole(command: Command, target?: Target): Role {
  const guarded = target !== undefined && guardOf(target.finding) !== undefined;
  switch (command.name) {
    case "help":
    case "status":
    case "explain":
    // Push, or whoever was asked: only whoever knows the question can tell who that was.
    case "answer":
      return "read";
    case "review":
    case "config":
    case "cost":
    case "ask":
    case "test":
    case "history":
    case "trust":
    case "untrust":
      return "triage";
    case "pause":
    case "unpause":
      return command.repository ? "maintain" : "triage";
    case "dismiss":
      return command.scope.kind !== "here" || guarded ? "write" : "triage";
    case "undismiss":
      return (target?.scope && target.scope.kind !== "here") || guarded ? "write" : "triage";
    case "approve":
    case "reject":
    case "stop":
    case "resume":
    case "extend":
    case "implement":
    case "plan":
    case "fix":
    case "retry":
      return "write";
    case "override":
      return "maintain";
  }
}

export function atLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** Why somebody with this role may not give the command; undefined when they may. */
export function refusedByRole(command: Command, role: Role, target?: Target): Refusal | undefined {
  const needs = neededRole(command, target);
  if (atLeast(role, needs)) return undefined;
  const isDismissal = command.name === "dismiss" || command.name === "undismiss";
  const guard = target && isDismissal ? guardOf(target.finding) : undefined;
  return { reason: "role", name: command.name, needs, has: role, ...defined({ why: guard }) };
}
