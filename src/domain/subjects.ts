import { z } from "zod";
import { ForgeError } from "./errors.ts";

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

/** Where something is deployed to; `other` stands for those of a repository that Forge does not deploy to, whose rule it may be. */
export const ENVIRONMENT_NAMES = ["staging", "production", "other"] as const;

/** A group of a merge queue has the number of the pull request that its branch is named after. */
const Numbered = z.object({
  kind: z.enum(["pull_request", "issue", "merge_group"]),
  repository: RepositoryRef,
  number: z.number().int().positive(),
});
export type NumberedSubject = z.infer<typeof Numbered>;

const NamedEnvironment = z.object({
  kind: z.literal("environment"),
  repository: RepositoryRef,
  environment: z.enum(ENVIRONMENT_NAMES),
});

/** An environment of a repository. */
export const EnvironmentSubject = z.preprocess(named, NamedEnvironment);
export type EnvironmentSubject = z.infer<typeof EnvironmentSubject>;

/** What a run is about. */
export const Subject = z.preprocess(named, z.discriminatedUnion("kind", [Numbered, NamedEnvironment]));
export type Subject = z.infer<typeof Subject>;

/** Earlier versions stored an environment by its number, from 1. */
function named(value: unknown): unknown {
  const stored = value as { readonly kind?: unknown; readonly number?: unknown } | null | undefined;
  if (stored?.kind !== "environment" || typeof stored.number !== "number") return value;
  const { number, ...rest } = stored;
  return { ...rest, environment: ENVIRONMENT_NAMES[number - 1] };
}

/**
 * One line that names a subject for good: `pull_request:<repository id>:<number>`. Logs are stored under it, so environments keep the numbers
 * that they had there.
 */
export function subjectKey(subject: Subject): string {
  const { kind, repository } = subject;
  const number = kind === "environment" ? ENVIRONMENT_NAMES.indexOf(subject.environment) + 1 : subject.number;
  return `${kind}:${repository.id}:${number}`;
}

/** What people call a subject: "acme/shop#12", "acme/shop production". */
export function subjectName(subject: Subject): string {
  const { owner, name } = subject.repository;
  return subject.kind === "environment"
    ? `${owner}/${name} ${subject.environment}`
    : `${owner}/${name}#${subject.number}`;
}

/** The number of an issue or a pull request on GitHub. @throws ForgeError `subject_without_number` for an environment */
export function numberOf(subject: Subject): number {
  if (subject.kind !== "environment") return subject.number;
  const message = `${subjectName(subject)} is an environment, which has no number.`;
  throw new ForgeError("subject_without_number", message, {
    source: "logic",
    severity: "high",
    recoverability: "none",
  });
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
