// What a page was asked for, and by whom.
import type { Context } from "hono";
import { hasRole } from "../access/permissions.ts";
import { notFound, Problem } from "../problem.ts";
import type { Issue, PullRequest, Repository } from "../records.ts";
import { isPull, requireAccount, type World } from "../world.ts";

export function repositoryOf(world: World, call: Context): Repository {
  const found = world.repositories.get(`${call.req.param("owner")}/${call.req.param("repo")}`.toLowerCase());
  if (!found) throw notFound("There is no such repository.");
  return found;
}

/** An issue or a pull request. */
export function talkOf(world: World, call: Context): Issue {
  const found = repositoryOf(world, call).issues.get(Number(call.req.param("number")));
  if (!found) throw notFound("There is no such issue or pull request.");
  return found;
}

export function pullOf(world: World, call: Context): PullRequest {
  const found = talkOf(world, call);
  if (!isPull(found)) throw notFound("There is no such pull request.");
  return found;
}

/** Throws when nobody of that name may see the repository. */
export async function formOf(call: Context, world: World, { repository }: Issue) {
  const form = await call.req.formData();
  const field = (name: string) => String(form.get(name) ?? "");
  const account = requireAccount(world, field("by"));
  if (!hasRole(repository, account, "read")) throw new Problem(403, `${account.login} cannot see this repository.`);
  return {
    account,
    by: account.login,
    body: field("body").replaceAll("\r\n", "\n"),
    label: field("label").trim(),
    chosen: field("do"),
    comment: Number(field("comment")),
  };
}

export function said(body: string): string {
  if (body.trim() === "") throw new Problem(422, "A comment needs words.");
  return body;
}
