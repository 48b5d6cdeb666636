import type { CommitInfo, Person } from "../git/commits.ts";
import type { DiffFile } from "../git/diff-files.ts";
import type { CommitSummary, Repository } from "../records.ts";
import { accountByEmail, type World } from "../world.ts";
import { userShape } from "./account.ts";
import { nodeId, repositoryApi, repositoryPage } from "./addresses.ts";

const UNSIGNED = { verified: false, reason: "unsigned", signature: null, payload: null, verified_at: null };

export function commitShape(world: World, repository: Repository, commit: CommitInfo) {
  const api = repositoryApi(world, repository);
  const account = (email: string) => {
    const found = accountByEmail(world, email);
    return found ? userShape(world, found) : null;
  };
  return {
    url: `${api}/commits/${commit.sha}`,
    sha: commit.sha,
    node_id: nodeId("C", commit.sha),
    html_url: `${repositoryPage(world, repository)}/commit/${commit.sha}`,
    comments_url: `${api}/commits/${commit.sha}/comments`,
    commit: {
      url: `${api}/git/commits/${commit.sha}`,
      author: commit.author,
      committer: commit.committer,
      message: commit.message,
      comment_count: 0,
      tree: { sha: commit.tree, url: `${api}/git/trees/${commit.tree}` },
      verification: UNSIGNED,
    },
    author: account(commit.author.email),
    committer: account(commit.committer.email),
    parents: parentShapes(world, repository, commit, "commits"),
  };
}

function parentShapes(world: World, repository: Repository, commit: CommitInfo, kind: string) {
  return commit.parents.map((sha) => ({
    sha,
    url: `${repositoryApi(world, repository)}/${kind}/${sha}`,
    html_url: `${repositoryPage(world, repository)}/commit/${sha}`,
  }));
}

export function gitCommitShape(world: World, repository: Repository, commit: CommitInfo) {
  const api = `${repositoryApi(world, repository)}/git`;
  return {
    sha: commit.sha,
    node_id: nodeId("C", commit.sha),
    url: `${api}/commits/${commit.sha}`,
    html_url: `${repositoryPage(world, repository)}/commit/${commit.sha}`,
    author: commit.author,
    committer: commit.committer,
    tree: { sha: commit.tree, url: `${api}/trees/${commit.tree}` },
    message: commit.message,
    parents: parentShapes(world, repository, commit, "git/commits"),
    verification: UNSIGNED,
  };
}

export function commitSummary(commit: CommitInfo): CommitSummary {
  const person = ({ name, email }: Person) => ({ name, email });
  return {
    id: commit.sha,
    tree_id: commit.tree,
    message: commit.message,
    timestamp: commit.committer.date,
    author: person(commit.author),
    committer: person(commit.committer),
  };
}

/** A commit in a push webhook, with the names of the files it touched. */
export function pushedCommitShape(
  world: World,
  repository: Repository,
  commit: CommitInfo,
  files: { added: string[]; removed: string[]; modified: string[] },
) {
  const person = ({ name, email, date }: Required<Person>) => ({
    name,
    email,
    date,
    username: accountByEmail(world, email)?.login ?? name,
  });
  return {
    id: commit.sha,
    tree_id: commit.tree,
    distinct: true,
    message: commit.message,
    timestamp: commit.committer.date,
    url: `${repositoryPage(world, repository)}/commit/${commit.sha}`,
    author: person(commit.author),
    committer: person(commit.committer),
    ...files,
  };
}

export function fileShape(world: World, repository: Repository, file: DiffFile, sha: string) {
  const path = encodeURI(file.filename);
  const page = repositoryPage(world, repository);
  return {
    sha: file.sha,
    filename: file.filename,
    status: file.status,
    additions: file.additions,
    deletions: file.deletions,
    changes: file.additions + file.deletions,
    blob_url: `${page}/blob/${sha}/${path}`,
    raw_url: `${page}/raw/${sha}/${path}`,
    contents_url: `${repositoryApi(world, repository)}/contents/${path}?ref=${sha}`,
    ...(file.patch !== null ? { patch: file.patch } : {}),
    ...(file.previousFilename !== null ? { previous_filename: file.previousFilename } : {}),
  };
}
