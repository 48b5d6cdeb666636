import { checkBody } from "../problem.ts";
import type { Account, App, Issue, Label, Pull, Repository } from "../records.ts";
import { issueShape } from "../shapes/issue.ts";
import { fullPullShape } from "../shapes/pull.ts";
import { labelShape } from "../shapes/repository.ts";
import { emit } from "../webhooks/emit.ts";
import { isPull, nextId, now, type World } from "../world.ts";

export interface Author {
  readonly user: Account;
  readonly viaApp: App | null;
}

/** Issues and pull requests share their numbers. Emits nothing. */
export function createIssue(
  world: World,
  repository: Repository,
  issue: { title: string; body: string | null; pull: Pull | null },
  author: Author,
): Issue {
  checkBody(issue.pull ? "PullRequest" : "Issue", issue.body);
  repository.lastNumber += 1;
  const created: Issue = {
    ...issue,
    ...author,
    id: nextId(world),
    repository,
    number: repository.lastNumber,
    state: "open",
    stateReason: null,
    labels: [],
    comments: [],
    reactions: [],
    createdAt: now(),
    updatedAt: now(),
    closedAt: null,
  };
  repository.issues.set(created.number, created);
  return created;
}

export function openIssue(
  world: World,
  repository: Repository,
  issue: { title: string; body: string | null },
  author: Author,
): Issue {
  const created = createIssue(world, repository, { ...issue, pull: null }, author);
  emit(world, repository, "issues", { action: "opened", issue: issueShape(world, created) }, author.user);
  return created;
}

export function setIssueState(
  world: World,
  issue: Issue,
  state: "open" | "closed",
  reason: string | null,
  by: Account,
): void {
  issue.state = state;
  issue.closedAt = state === "closed" ? now() : null;
  issue.stateReason = state === "closed" ? (reason ?? "completed") : "reopened";
  issue.updatedAt = now();
  const action = state === "closed" ? "closed" : "reopened";
  emit(world, issue.repository, "issues", { action, issue: issueShape(world, issue) }, by);
}

/** Labels that do not exist yet are created, as `POST /issues/{n}/labels` does. */
export function ensureLabel(
  world: World,
  repository: Repository,
  name: string,
  color = "ededed",
  description: string | null = null,
): Label {
  const found = repository.labels.get(name.toLowerCase());
  if (found) return found;
  const label: Label = { id: nextId(world), name, color, description };
  repository.labels.set(name.toLowerCase(), label);
  return label;
}

export async function labelIssue(world: World, issue: Issue, name: string, by: Account): Promise<void> {
  const label = ensureLabel(world, issue.repository, name);
  if (issue.labels.includes(label)) return;
  issue.labels.push(label);
  await emitLabel(world, issue, label, "labeled", by);
}

/** Returns false when the issue does not carry the label. */
export async function unlabelIssue(world: World, issue: Issue, name: string, by: Account): Promise<boolean> {
  const index = issue.labels.findIndex((label) => label.name.toLowerCase() === name.toLowerCase());
  const [label] = index < 0 ? [] : issue.labels.splice(index, 1);
  if (!label) return false;
  await emitLabel(world, issue, label, "unlabeled", by);
  return true;
}

async function emitLabel(
  world: World,
  issue: Issue,
  label: Label,
  action: "labeled" | "unlabeled",
  by: Account,
): Promise<void> {
  const { repository } = issue;
  const shared = { action, label: labelShape(world, repository, label) };
  if (isPull(issue)) {
    const payload = { ...shared, number: issue.number, pull_request: await fullPullShape(world, issue) };
    emit(world, repository, "pull_request", payload, by);
  } else emit(world, repository, "issues", { ...shared, issue: issueShape(world, issue) }, by);
}
