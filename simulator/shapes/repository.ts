import type { Label, Repository, Role } from "../records.ts";
import { fullName, type pullsOf, type World } from "../world.ts";
import { userShape } from "./account.ts";
import { nodeId, repositoryApi, repositoryPage } from "./addresses.ts";

const COLLECTIONS: Record<string, string> = {
  archive_url: "{archive_format}{/ref}",
  assignees_url: "assignees{/user}",
  blobs_url: "git/blobs{/sha}",
  branches_url: "branches{/branch}",
  collaborators_url: "collaborators{/collaborator}",
  comments_url: "comments{/number}",
  commits_url: "commits{/sha}",
  compare_url: "compare/{base}...{head}",
  contents_url: "contents/{+path}",
  contributors_url: "contributors",
  deployments_url: "deployments",
  downloads_url: "downloads",
  events_url: "events",
  forks_url: "forks",
  git_commits_url: "git/commits{/sha}",
  git_refs_url: "git/refs{/sha}",
  git_tags_url: "git/tags{/sha}",
  hooks_url: "hooks",
  issue_comment_url: "issues/comments{/number}",
  issue_events_url: "issues/events{/number}",
  issues_url: "issues{/number}",
  keys_url: "keys{/key_id}",
  labels_url: "labels{/name}",
  languages_url: "languages",
  merges_url: "merges",
  milestones_url: "milestones{/number}",
  notifications_url: "notifications{?since,all,participating}",
  pulls_url: "pulls{/number}",
  releases_url: "releases{/id}",
  stargazers_url: "stargazers",
  statuses_url: "statuses/{sha}",
  subscribers_url: "subscribers",
  subscription_url: "subscription",
  tags_url: "tags",
  teams_url: "teams",
  trees_url: "git/trees{/sha}",
};

export function repositoryMiniature(repository: Repository) {
  return {
    id: repository.id,
    node_id: nodeId("R", repository.id),
    name: repository.name,
    full_name: fullName(repository),
    private: repository.private,
  };
}

export function repositoryShape(world: World, repository: Repository) {
  const api = repositoryApi(world, repository);
  const page = repositoryPage(world, repository);
  const open = [...repository.issues.values()].filter((issue) => issue.state === "open").length;
  const forks = [...world.repositories.values()].filter((each) => each.source === repository).length;
  return {
    ...repositoryMiniature(repository),
    owner: userShape(world, repository.owner),
    html_url: page,
    description: null,
    fork: repository.source !== null,
    url: api,
    ...Object.fromEntries(Object.entries(COLLECTIONS).map(([key, path]) => [key, `${api}/${path}`])),
    created_at: repository.createdAt,
    updated_at: repository.createdAt,
    pushed_at: repository.pushedAt,
    git_url: `${page.replace(/^https?/, "git")}.git`,
    ssh_url: `git@simulator:${fullName(repository)}.git`,
    clone_url: `${page}.git`,
    svn_url: page,
    homepage: null,
    size: 1,
    stargazers_count: 0,
    watchers_count: 0,
    language: null,
    has_issues: true,
    has_projects: false,
    has_downloads: true,
    has_wiki: false,
    has_pages: false,
    has_discussions: false,
    forks_count: forks,
    mirror_url: null,
    archived: false,
    disabled: false,
    open_issues_count: open,
    license: null,
    allow_forking: true,
    is_template: false,
    web_commit_signoff_required: false,
    topics: [],
    visibility: repository.private ? "private" : "public",
    forks,
    open_issues: open,
    watchers: 0,
    default_branch: repository.defaultBranch,
    ...mergeSettings,
  };
}

const mergeSettings = {
  allow_squash_merge: true,
  allow_merge_commit: true,
  allow_rebase_merge: true,
  allow_auto_merge: false,
  delete_branch_on_merge: false,
  allow_update_branch: false,
  use_squash_pr_title_as_default: false,
  squash_merge_commit_title: "COMMIT_OR_PR_TITLE",
  squash_merge_commit_message: "COMMIT_MESSAGES",
  merge_commit_title: "MERGE_MESSAGE",
  merge_commit_message: "PR_TITLE",
};

export function fullRepositoryShape(world: World, repository: Repository, role: Role) {
  return {
    ...repositoryShape(world, repository),
    permissions: permissionFlags(role),
    subscribers_count: 0,
    network_count: 0,
    ...(repository.source ? { parent: repositoryShape(world, repository.source) } : {}),
    ...(repository.source ? { source: repositoryShape(world, repository.source) } : {}),
  };
}

export function permissionFlags(role: Role) {
  return {
    admin: role === "admin",
    maintain: role === "admin" || role === "maintain",
    push: role === "admin" || role === "maintain" || role === "write",
    triage: role !== "none" && role !== "read",
    pull: role !== "none",
  };
}

export function labelShape(world: World, repository: Repository, label: Label) {
  return {
    id: label.id,
    node_id: nodeId("LA", label.id),
    url: `${repositoryApi(world, repository)}/labels/${encodeURIComponent(label.name)}`,
    name: label.name,
    color: label.color,
    default: false,
    description: label.description,
  };
}

/** Open pull requests of one head, as check runs and suites carry them. */
export function pullMiniatures(world: World, repository: Repository, pulls: ReturnType<typeof pullsOf>) {
  const repo = { id: repository.id, url: repositoryApi(world, repository), name: repository.name };
  return pulls.map(({ number, pull }) => ({
    url: `${repo.url}/pulls/${number}`,
    id: pull.id,
    number,
    head: { ref: pull.headRef, sha: pull.headSha, repo },
    base: { ref: pull.baseRef, sha: pull.baseSha, repo },
  }));
}
