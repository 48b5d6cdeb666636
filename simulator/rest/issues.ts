// https://docs.github.com/en/rest/issues/issues

import { hasRole, may } from "../access/permissions.ts";
import { closePull, editPull, reopenPull } from "../actions/change-pull.ts";
import { editIssue, openIssue, replaceLabels, setIssueState } from "../actions/issues.ts";
import type { Issue, Repository } from "../records.ts";
import { issueShape } from "../shapes/issue.ts";
import { isPull, type World } from "../world.ts";
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

type LabelName = string | { readonly name: string };

interface IssueChange {
  readonly title?: string;
  readonly body?: string | null;
  readonly labels?: readonly LabelName[];
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
  routes.post(base, (call) => {
    const repository = repositoryOf(world, call, "issues", "write");
    const { title, body = null, labels = [] } = bodyOf<IssueChange & { title: string }>(call);
    const wanted = mayLabelNew(call, repository) ? labels.map(nameOf) : [];
    const issue = openIssue(world, repository, { title, body, labels: wanted }, authorOf(call));
    return call.json(fullShape(issue), 201);
  });
  routes.get(`${base}/:number{[0-9]+}`, (call) =>
    call.json(fullShape(issueOf(repositoryOf(world, call, "issues", "read"), parameter(call, "number")))),
  );
  routes.patch(`${base}/:number{[0-9]+}`, async (call) => {
    const issue = conversationOf(world, call, parameter(call, "number"));
    const by = actorOf(call);
    if (issue.user !== by) requireRole(call, issue.repository, "triage");
    const { title, body, labels, state, state_reason } = bodyOf<IssueChange>(call);
    if (isPull(issue)) {
      await editPull(world, issue, { title, body }, by);
      if (state === "closed") await closePull(world, issue, by);
      if (state === "open") await reopenPull(world, issue, by);
    } else {
      editIssue(world, issue, { title, body }, by);
      if (state) setIssueState(world, issue, state, state_reason ?? null, by);
    }
    if (labels) {
      requireRole(call, issue.repository, "triage");
      await replaceLabels(world, issue, labels.map(nameOf), by);
    }
    return call.json(fullShape(issue));
  });
  return routes;
}

function nameOf(label: LabelName): string {
  return typeof label === "string" ? label : label.name;
}

/** Labels of a new issue are dropped silently for those who may not push:
 * https://docs.github.com/en/rest/issues/issues#create-an-issue */
function mayLabelNew(call: Call, repository: Repository): boolean {
  const caller = call.get("caller");
  return caller.kind !== "user" || hasRole(repository, caller.user, "write");
}
