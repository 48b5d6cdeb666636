// https://docs.github.com/en/rest/issues/issues

import { may } from "../access/permissions.ts";
import { closePull, editPull, reopenPull } from "../actions/change-pull.ts";
import { labelIssue, openIssue, setIssueState } from "../actions/issues.ts";
import type { Issue } from "../records.ts";
import { issueShape } from "../shapes/issue.ts";
import { isPull, now, type World } from "../world.ts";
import {
  actorOf,
  authorOf,
  bodyOf,
  type Call,
  createRoutes,
  issueOf,
  parameter,
  repositoryOf,
  requireRole,
  visibleRepository,
} from "./call.ts";
import { pageOf } from "./pages.ts";

interface IssueEdit {
  readonly title?: string;
  readonly body?: string | null;
  readonly state?: "open" | "closed";
  readonly state_reason?: string | null;
}

/** What the issue endpoints write to a pull request needs either permission of the two.
 * https://docs.github.com/en/rest/authentication/permissions-required-for-github-apps */
export function conversationOf(world: World, call: Call, number: string): Issue {
  const repository = visibleRepository(world, call);
  const issue = issueOf(repository, number);
  const asPull = isPull(issue) && may(call.get("caller"), repository, "pull_requests", "write");
  return issueOf(repositoryOf(world, call, asPull ? "pull_requests" : "issues", "write"), number);
}

export function issueRoutes(world: World) {
  const routes = createRoutes();
  const base = "/repos/:owner/:repo/issues";
  const fullShape = (issue: Issue) => ({ ...issueShape(world, issue), closed_by: null });

  routes.get(base, (call) => {
    const repository = repositoryOf(world, call, "issues", "read");
    const { state = "open", labels, creator } = call.req.query();
    const wanted = labels ? labels.toLowerCase().split(",") : [];
    const issues = [...repository.issues.values()]
      .filter((issue) => state === "all" || issue.state === state)
      .filter((issue) => wanted.every((name) => issue.labels.some((label) => label.name.toLowerCase() === name)))
      .filter((issue) => !creator || issue.user.login === creator)
      .reverse();
    return call.json(pageOf(world, call, issues).map((issue) => issueShape(world, issue)));
  });
  routes.post(base, async (call) => {
    const repository = repositoryOf(world, call, "issues", "write");
    const { title, body, labels = [] } = bodyOf<{ title: string; body?: string; labels?: string[] }>(call);
    const issue = openIssue(world, repository, { title, body: body ?? null }, authorOf(call));
    for (const name of labels) await labelIssue(world, issue, name, actorOf(call));
    return call.json(fullShape(issue), 201);
  });
  routes.get(`${base}/:number{[0-9]+}`, (call) =>
    call.json(fullShape(issueOf(repositoryOf(world, call, "issues", "read"), parameter(call, "number")))),
  );
  routes.patch(`${base}/:number{[0-9]+}`, async (call) => {
    const issue = conversationOf(world, call, parameter(call, "number"));
    const by = actorOf(call);
    if (issue.user !== by) requireRole(call, issue.repository, "triage");
    const { title, body, state, state_reason } = bodyOf<IssueEdit>(call);
    if (isPull(issue)) {
      await editPull(world, issue, { title, body }, by);
      if (state === "closed") await closePull(world, issue, by);
      if (state === "open") await reopenPull(world, issue, by);
    } else {
      issue.title = title ?? issue.title;
      issue.body = body === undefined ? issue.body : body;
      issue.updatedAt = now();
      if (state && state !== issue.state) setIssueState(world, issue, state, state_reason ?? null, by);
    }
    return call.json(fullShape(issue));
  });
  return routes;
}
