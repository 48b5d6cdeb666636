import { z } from "zod";

/** A repository as GitHub numbers it; the id survives renames and transfers, owner and name do not. */
export const RepositoryRef = z.object({
  id: z.number().int().positive(),
  owner: z.string().min(1),
  name: z.string().min(1),
  installationId: z.number().int().positive(),
});
export type RepositoryRef = z.infer<typeof RepositoryRef>;

/** A checkout of this machine: it has numbers for its runs, and no issues. GitHub gives installation 1 to nobody's "local". */
export function isLocal({ owner, installationId }: Pick<RepositoryRef, "owner" | "installationId">): boolean {
  return owner === "local" && installationId === 1;
}

/**
 * What a run is about. A group of a merge queue has the number of the pull request that its branch is named after; environments are numbered
 * as `ENVIRONMENTS` has them.
 */
export const Subject = z.object({
  kind: z.enum(["pull_request", "issue", "merge_group", "environment"]),
  repository: RepositoryRef,
  number: z.number().int().positive(),
});
export type Subject = z.infer<typeof Subject>;

/** One line that names a subject for good: `pull_request:<repository id>:<number>`. */
export function subjectKey(subject: Subject): string {
  return `${subject.kind}:${subject.repository.id}:${subject.number}`;
}

/** Who caused something. `id` is 0 for Forge itself. */
export const Actor = z.object({
  login: z.string(),
  id: z.number().int().nonnegative(),
  kind: z.enum(["user", "bot", "forge"]),
});
export type Actor = z.infer<typeof Actor>;

/** Forge itself: no person asked for it, or it is unknown who did. */
export const FORGE: Actor = { login: "forge", id: 0, kind: "forge" };

export const Sha = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);

/** The two ends of a pull request. `headRepositoryId` is null when the fork was deleted. */
export const PullRequestEnds = z.object({
  headSha: Sha,
  headRef: z.string(),
  headRepositoryId: z.number().int().nullable(),
  baseSha: Sha,
  baseRef: z.string(),
});
export type PullRequestEnds = z.infer<typeof PullRequestEnds>;

/** What somebody may do in a repository, least first, as GitHub names the roles. `write` is what people call push. */
export const ROLES = ["none", "read", "triage", "write", "maintain", "admin"] as const;
export const Role = z.enum(ROLES);
export type Role = z.infer<typeof Role>;

export function atLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
