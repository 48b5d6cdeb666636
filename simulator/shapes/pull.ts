import { inspectPull } from "../facts/inspect-pull.ts";
import { allChecksPass, lacksApprovals, missingChecks } from "../facts/required-checks.ts";
import type { PullRequest } from "../records.ts";
import type { World } from "../world.ts";
import { userShape } from "./account.ts";
import { nodeId, repositoryApi } from "./addresses.ts";
import { authorAssociation, issuePage } from "./issue.ts";
import { labelShape, repositoryShape } from "./repository.ts";

/** A pull request as lists and most webhooks carry it. */
export function pullShape(world: World, request: PullRequest) {
  const { repository, pull } = request;
  const repositoryUrl = repositoryApi(world, repository);
  const api = `${repositoryUrl}/pulls/${request.number}`;
  const issueUrl = `${repositoryUrl}/issues/${request.number}`;
  const page = issuePage(world, request);
  const links = {
    comments: `${issueUrl}/comments`,
    review_comments: `${api}/comments`,
    review_comment: `${repositoryUrl}/pulls/comments{/number}`,
    commits: `${api}/commits`,
    statuses: `${repositoryUrl}/statuses/${pull.headSha}`,
  };
  const linked = { self: api, html: page, issue: issueUrl, ...links };
  return {
    url: api,
    id: pull.id,
    node_id: nodeId("PR", pull.id),
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    issue_url: issueUrl,
    number: request.number,
    state: request.state,
    locked: false,
    title: request.title,
    user: userShape(world, request.user),
    body: request.body,
    created_at: request.createdAt,
    updated_at: request.updatedAt,
    closed_at: request.closedAt,
    merged_at: pull.mergedAt,
    merge_commit_sha: pull.mergeCommitSha,
    assignee: null,
    assignees: [],
    requested_reviewers: [],
    requested_teams: [],
    labels: request.labels.map((label) => labelShape(world, repository, label)),
    milestone: null,
    draft: pull.draft,
    commits_url: links.commits,
    review_comments_url: links.review_comments,
    review_comment_url: links.review_comment,
    comments_url: links.comments,
    statuses_url: links.statuses,
    head: headShape(world, request),
    base: {
      label: `${repository.owner.login}:${pull.baseRef}`,
      ref: pull.baseRef,
      sha: pull.baseSha,
      user: userShape(world, repository.owner),
      repo: repositoryShape(world, repository),
    },
    _links: Object.fromEntries(Object.entries(linked).map(([name, href]) => [name, { href }])),
    author_association: authorAssociation(repository, request.user),
    auto_merge: null,
    active_lock_reason: null,
  };
}

/** `repo` is null once a fork was deleted: https://docs.github.com/en/rest/pulls/pulls#get-a-pull-request (schema). */
function headShape(world: World, { pull, user }: PullRequest) {
  const owner = pull.headRepository?.owner ?? user;
  return {
    label: `${owner.login}:${pull.headRef}`,
    ref: pull.headRef,
    sha: pull.headSha,
    user: userShape(world, owner),
    repo: pull.headRepository ? repositoryShape(world, pull.headRepository) : null,
  };
}

/** A pull request as `GET /pulls/{n}` and the pull_request webhook carry it: with counts and mergeability. */
export async function fullPullShape(world: World, request: PullRequest) {
  const { pull } = request;
  const facts = await inspectPull(world, request);
  const open = request.state === "open";
  return {
    ...pullShape(world, request),
    merged: pull.mergedAt !== null,
    mergeable: open ? facts.mergeable : null,
    rebaseable: open ? facts.mergeable : null,
    mergeable_state: mergeableState(request, facts.mergeable),
    merged_by: pull.mergedBy ? userShape(world, pull.mergedBy) : null,
    comments: request.comments.length,
    review_comments: pull.comments.filter((comment) => comment.review.state !== "PENDING").length,
    maintainer_can_modify: false,
    commits: facts.commits.length,
    additions: facts.files.reduce((sum, file) => sum + file.additions, 0),
    deletions: facts.files.reduce((sum, file) => sum + file.deletions, 0),
    changed_files: facts.files.length,
  };
}

export function mergeableState(request: PullRequest, mergeable: boolean): string {
  if (request.state !== "open") return "unknown";
  if (!mergeable) return "dirty";
  if (request.pull.draft) return "draft";
  if (missingChecks(request).length > 0 || lacksApprovals(request)) return "blocked";
  return allChecksPass(request.repository, request.pull.headSha) ? "clean" : "unstable";
}
