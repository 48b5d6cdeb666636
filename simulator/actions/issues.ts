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

/** An issue that is opened with labels carries them in `opened`, and one `labeled` for each follows. */
export function openIssue(
  world: World,
  repository: Repository,
  issue: { title: string; body: string | null; labels: readonly string[] },
  author: Author,
): Issue {
  const { labels, ...rest } = issue;
  const created = createIssue(world, repository, { ...rest, pull: null }, author);
  for (const name of labels) {
    const label = ensureLabel(world, repository, name);
    if (!created.labels.includes(label)) created.labels.push(label);
  }
  emit(world, repository, "issues", { action: "opened", issue: issueShape(world, created) }, author.user);
  for (const label of created.labels) emitIssueLabel(world, created, label, "labeled", author.user);
  return created;
}

export interface IssueEdit {
  readonly title?: string | undefined;
  readonly body?: string | null | undefined;
}

/** Emits one `edited` with all changes; nothing when nothing changed. */
export function editIssue(world: World, issue: Issue, edit: IssueEdit, by: Account): void {
  const changes: Record<string, { from: string }> = {};
  if (edit.title !== undefined && edit.title !== issue.title) {
    changes.title = { from: issue.title };
    issue.title = edit.title;
  }
  if (edit.body !== undefined && edit.body !== issue.body) {
    checkBody("Issue", edit.body);
    changes.body = { from: issue.body ?? "" };
    issue.body = edit.body;
  }
  if (Object.keys(changes).length === 0) return;
  issue.updatedAt = now();
  emit(world, issue.repository, "issues", { action: "edited", changes, issue: issueShape(world, issue) }, by);
}

export function setIssueState(
  world: World,
  issue: Issue,
  state: "open" | "closed",
  reason: string | null,
  by: Account,
): void {
  if (issue.state === state) return;
  issue.state = state;
  issue.closedAt = state === "closed" ? now() : null;
  issue.stateReason = state === "closed" ? (reason ?? "completed") : "reopened";
  issue.updatedAt = now();
  const action = state === "closed" ? "closed" : "reopened";
  emit(world, issue.repository, "issues", { action, issue: issueShape(world, issue) }, by);
}

/** Makes the labels exactly these, as a change of the issue does. */
export async function replaceLabels(world: World, issue: Issue, names: readonly string[], by: Account): Promise<void> {
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  for (const { name } of [...issue.labels])
    if (!wanted.has(name.toLowerCase())) await unlabelIssue(world, issue, name, by);
  for (const name of names) await labelIssue(world, issue, name, by);
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
  const { repository, number } = issue;
  issue.updatedAt = now();
  if (!isPull(issue)) return emitIssueLabel(world, issue, label, action, by);
  const payload = { action, label: labelShape(world, repository, label), number };
  emit(world, repository, "pull_request", { ...payload, pull_request: await fullPullShape(world, issue) }, by);
}

function emitIssueLabel(world: World, issue: Issue, label: Label, action: "labeled" | "unlabeled", by: Account): void {
  const shapes = { label: labelShape(world, issue.repository, label), issue: issueShape(world, issue) };
  emit(world, issue.repository, "issues", { action, ...shapes }, by);
}
