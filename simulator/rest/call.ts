// What every REST handler asks of a request.
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import type { Caller } from "../access/caller.ts";
import { hasRole, type Level, may, mayReach, type Permission } from "../access/permissions.ts";
import type { RequestFacts } from "../faults.ts";
import { forbidden, notFound, Problem } from "../problem.ts";
import type { Account, App, Issue, PullRequest, Repository, Role } from "../records.ts";
import { isPull, type World } from "../world.ts";

export interface Environment {
  Bindings: HttpBindings;
  Variables: { caller: Caller; body: unknown; facts: RequestFacts };
}

export type Call = Context<Environment>;

export function createRoutes(): Hono<Environment> {
  return new Hono<Environment>();
}

export function parameter(call: Call, name: string): string {
  const value = call.req.param(name);
  if (value === undefined) throw new Error(`the route has no parameter ${name}`);
  return value;
}

export function numberParameter(call: Call, name: string): number {
  return Number(parameter(call, name));
}

/** The body as its operation describes it: the referee has refused what does not fit before a handler sees it. */
export function bodyOf<T>(call: Call): T {
  return (call.get("body") ?? {}) as T;
}

/** The repository of the path. What the caller cannot see does not exist for them; what they cannot do is forbidden. */
export function repositoryOf(world: World, call: Call, permission: Permission, level: Level): Repository {
  const caller = call.get("caller");
  const repository = visibleRepository(world, call);
  if (may(caller, repository, permission, level)) return repository;
  if (caller.kind === "installation") throw forbidden("Resource not accessible by integration");
  if (caller.kind === "app") throw new Problem(401, "A JSON web token cannot be used for this resource");
  throw caller.kind === "anonymous"
    ? new Problem(401, "Requires authentication")
    : forbidden("Must have write access.");
}

export function visibleRepository(world: World, call: Call): Repository {
  const name = `${parameter(call, "owner")}/${parameter(call, "repo")}`.toLowerCase();
  const repository = world.repositories.get(name);
  if (!repository || !mayReach(call.get("caller"), repository)) throw notFound();
  return repository;
}

export function issueOf(repository: Repository, number: string): Issue {
  const issue = repository.issues.get(Number(number));
  if (!issue) throw notFound();
  return issue;
}

/** The pull request of the path, in a repository that the caller may use this way. */
export function pullOf(world: World, call: Call, level: Level): PullRequest {
  const issue = issueOf(repositoryOf(world, call, "pull_requests", level), parameter(call, "number"));
  if (!isPull(issue)) throw notFound();
  return issue;
}

/** The user or bot who acts. */
export function actorOf(call: Call): Account {
  const caller = call.get("caller");
  if (caller.kind === "installation" || caller.kind === "user") return caller.user;
  throw new Problem(401, "Requires authentication");
}

export function authorOf(call: Call): { user: Account; viaApp: App | null } {
  const caller = call.get("caller");
  return { user: actorOf(call), viaApp: caller.kind === "installation" ? caller.app : null };
}

/** For what a person needs a role for although the permission of an App would do. */
export function requireRole(call: Call, repository: Repository, least: Role): void {
  const caller = call.get("caller");
  if (caller.kind === "user" && !hasRole(repository, caller.user, least)) throw forbidden(`Must have ${least} access.`);
}

/** Checks belong to Apps: https://docs.github.com/en/rest/checks/runs#create-a-check-run */
export function requireApp(call: Call): App {
  const caller = call.get("caller");
  if (caller.kind !== "installation") throw forbidden("You must authenticate via a GitHub App.");
  return caller.app;
}
