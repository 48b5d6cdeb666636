// What a caller may do in a repository.
import { type Account, type Repository, ROLES, type Role } from "../records.ts";
import { covers } from "../world.ts";
import type { Caller } from "./caller.ts";

export type Permission =
  | "actions"
  | "administration"
  | "checks"
  | "contents"
  | "deployments"
  | "issues"
  | "metadata"
  | "pull_requests"
  | "statuses"
  | "workflows";
export type Level = "read" | "write";

/** The least role a person needs to write.
 * https://docs.github.com/en/organizations/managing-user-access-to-your-organizations-repositories/managing-repository-roles/repository-roles-for-an-organization */
const ROLE_TO_WRITE: Record<Permission, Role> = {
  actions: "write",
  administration: "admin",
  checks: "write",
  contents: "write",
  deployments: "write",
  issues: "read",
  metadata: "admin",
  pull_requests: "read",
  statuses: "write",
  workflows: "write",
};

export function roleOf(repository: Repository, account: Account): Role {
  if (account === repository.owner) return "admin";
  const given = repository.collaborators.get(account.login.toLowerCase());
  if (given) return given;
  const membership = repository.owner.members.get(account.login);
  if (membership) return membership === "admin" ? "admin" : "read";
  return repository.private ? "none" : "read";
}

/** A role that somebody was given: a public repository gives none. Lists of what a person may use go by it.
 * https://docs.github.com/en/rest/apps/installations#list-app-installations-accessible-to-the-user-access-token */
export function explicitRoleOf(repository: Repository, account: Account): Role {
  const isGiven =
    account === repository.owner ||
    repository.collaborators.has(account.login.toLowerCase()) ||
    repository.owner.members.has(account.login);
  return isGiven ? roleOf(repository, account) : "none";
}

export function hasRole(repository: Repository, account: Account, least: Role): boolean {
  return ROLES.indexOf(roleOf(repository, account)) >= ROLES.indexOf(least);
}

/** The older field knows four values only: maintain is folded into write and triage into read.
 * https://docs.github.com/en/rest/collaborators/collaborators#get-repository-permissions-for-a-user */
export function foldRole(role: Role): "admin" | "write" | "read" | "none" {
  if (role === "maintain") return "write";
  return role === "triage" ? "read" : role;
}

export function mayReach(caller: Caller, repository: Repository): boolean {
  return may(caller, repository, "metadata", "read");
}

export function may(caller: Caller, repository: Repository, permission: Permission, level: Level): boolean {
  if (level === "read" && !repository.private) return true;
  if (caller.kind === "installation") {
    const { installation, repositoryIds, permissions } = caller;
    if (!covers(installation, repository) || (repositoryIds && !repositoryIds.has(repository.id))) return false;
    const granted = permission === "metadata" ? "read" : permissions[permission];
    return granted === "write" || granted === "admin" || (granted === "read" && level === "read");
  }
  if (caller.kind !== "user") return false;
  return hasRole(repository, caller.user, level === "read" ? "read" : ROLE_TO_WRITE[permission]);
}
