import type { Account, Issue, IssueComment, Reaction, Repository } from "../records.ts";
import type { World } from "../world.ts";
import { userShape } from "./account.ts";
import { nodeId, repositoryApi, repositoryPage } from "./addresses.ts";
import { appShape } from "./app.ts";
import { labelShape } from "./repository.ts";

const REACTIONS = ["+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"] as const;

export function authorAssociation(repository: Repository, account: Account): string {
  if (account === repository.owner) return "OWNER";
  if (repository.owner.members.has(account.login)) return "MEMBER";
  if (repository.collaborators.has(account.login.toLowerCase())) return "COLLABORATOR";
  const merged = [...repository.issues.values()].some((issue) => issue.user === account && issue.pull?.mergedAt);
  return merged ? "CONTRIBUTOR" : "NONE";
}

export function reactionTotals(url: string, reactions: readonly Reaction[]) {
  const count = (content: string) => reactions.filter((reaction) => reaction.content === content).length;
  return {
    url: `${url}/reactions`,
    total_count: reactions.length,
    ...Object.fromEntries(REACTIONS.map((content) => [content, count(content)])),
  };
}

export function reactionShape(world: World, reaction: Reaction) {
  return {
    id: reaction.id,
    node_id: nodeId("REA", reaction.id),
    user: userShape(world, reaction.user),
    content: reaction.content,
    created_at: reaction.createdAt,
  };
}

export function issuePage(world: World, issue: Issue): string {
  return `${repositoryPage(world, issue.repository)}/${issue.pull ? "pull" : "issues"}/${issue.number}`;
}

export function issueShape(world: World, issue: Issue) {
  const { repository } = issue;
  const api = `${repositoryApi(world, repository)}/issues/${issue.number}`;
  return {
    url: api,
    repository_url: repositoryApi(world, repository),
    labels_url: `${api}/labels{/name}`,
    comments_url: `${api}/comments`,
    events_url: `${api}/events`,
    html_url: issuePage(world, issue),
    id: issue.id,
    node_id: nodeId("I", issue.id),
    number: issue.number,
    title: issue.title,
    user: userShape(world, issue.user),
    labels: issue.labels.map((label) => labelShape(world, repository, label)),
    state: issue.state,
    locked: false,
    assignee: null,
    assignees: [],
    milestone: null,
    comments: issue.comments.length,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    closed_at: issue.closedAt,
    author_association: authorAssociation(repository, issue.user),
    active_lock_reason: null,
    body: issue.body,
    reactions: reactionTotals(api, issue.reactions),
    timeline_url: `${api}/timeline`,
    performed_via_github_app: issue.viaApp ? appShape(world, issue.viaApp) : null,
    state_reason: issue.stateReason,
    ...pullPart(world, issue),
  };
}

function pullPart(world: World, issue: Issue) {
  if (!issue.pull) return {};
  const page = issuePage(world, issue);
  return {
    draft: issue.pull.draft,
    pull_request: {
      url: `${repositoryApi(world, issue.repository)}/pulls/${issue.number}`,
      html_url: page,
      diff_url: `${page}.diff`,
      patch_url: `${page}.patch`,
      merged_at: issue.pull.mergedAt,
    },
  };
}

export function commentShape(world: World, comment: IssueComment) {
  const { issue } = comment;
  const repository = repositoryApi(world, issue.repository);
  const api = `${repository}/issues/comments/${comment.id}`;
  return {
    url: api,
    html_url: `${issuePage(world, issue)}#issuecomment-${comment.id}`,
    issue_url: `${repository}/issues/${issue.number}`,
    id: comment.id,
    node_id: nodeId("IC", comment.id),
    user: userShape(world, comment.user),
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    author_association: authorAssociation(issue.repository, comment.user),
    body: comment.body,
    reactions: reactionTotals(api, comment.reactions),
    performed_via_github_app: comment.viaApp ? appShape(world, comment.viaApp) : null,
  };
}
