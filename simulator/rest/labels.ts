// https://docs.github.com/en/rest/issues/labels
import { ensureLabel, labelIssue, unlabelIssue } from "../actions/issues.ts";
import { notFound, validationFailed } from "../problem.ts";
import type { Issue } from "../records.ts";
import { labelShape } from "../shapes/repository.ts";
import { emit } from "../webhooks/emit.ts";
import type { World } from "../world.ts";
import { actorOf, bodyOf, type Call, createRoutes, issueOf, parameter, repositoryOf, requireRole } from "./call.ts";
import { conversationOf } from "./issues.ts";
import { pageOf } from "./pages.ts";

type LabelNames = { labels?: readonly (string | { name: string })[] } | readonly string[];

export function labelRoutes(world: World) {
  const routes = createRoutes();
  const base = "/repos/:owner/:repo";
  const shapesOf = (issue: Issue, labels = issue.labels) =>
    labels.map((label) => labelShape(world, issue.repository, label));

  routes.get(`${base}/labels`, (call) => {
    const repository = repositoryOf(world, call, "issues", "read");
    const page = pageOf(world, call, [...repository.labels.values()]);
    return call.json(page.map((label) => labelShape(world, repository, label)));
  });
  routes.post(`${base}/labels`, (call) => {
    const repository = repositoryOf(world, call, "issues", "write");
    requireRole(call, repository, "write");
    const { name, color, description } = bodyOf<{ name: string; color?: string; description?: string }>(call);
    if (repository.labels.has(name.toLowerCase()))
      throw validationFailed({ resource: "Label", code: "already_exists", field: "name" });
    const label = ensureLabel(world, repository, name, color, description ?? null);
    const shape = labelShape(world, repository, label);
    emit(world, repository, "label", { action: "created", label: shape }, actorOf(call));
    return call.json(shape, 201);
  });
  routes.get(`${base}/labels/:name`, (call) => {
    const repository = repositoryOf(world, call, "issues", "read");
    const label = repository.labels.get(parameter(call, "name").toLowerCase());
    if (!label) throw notFound();
    return call.json(labelShape(world, repository, label));
  });
  routes.get(`${base}/issues/:number/labels`, (call) => {
    const issue = issueOf(repositoryOf(world, call, "issues", "read"), parameter(call, "number"));
    return call.json(shapesOf(issue, pageOf(world, call, issue.labels)));
  });
  routes.post(`${base}/issues/:number/labels`, async (call) => {
    const issue = labelled(world, call);
    const body = bodyOf<LabelNames>(call);
    const names = "labels" in body ? (body.labels ?? []) : Array.isArray(body) ? body : [];
    for (const each of names)
      await labelIssue(world, issue, typeof each === "string" ? each : each.name, actorOf(call));
    return call.json(shapesOf(issue));
  });
  routes.delete(`${base}/issues/:number/labels/:name`, async (call) => {
    const issue = labelled(world, call);
    if (!(await unlabelIssue(world, issue, parameter(call, "name"), actorOf(call))))
      throw notFound("Label does not exist");
    return call.json(shapesOf(issue));
  });
  return routes;
}

/** People need triage to label: https://docs.github.com/en/issues/using-labels-and-milestones-to-track-work/managing-labels */
function labelled(world: World, call: Call): Issue {
  const issue = conversationOf(world, call, parameter(call, "number"));
  requireRole(call, issue.repository, "triage");
  return issue;
}
