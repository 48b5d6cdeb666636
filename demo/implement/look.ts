import { git as runGit } from "../../simulator/git/run-git.ts";
import type { Stage } from "../stage.ts";
import type { IssueAt } from "./issue.ts";

/** The App's login on this GitHub. */
export const FORGE = "forge[bot]";

/** What is on the issue, as its page shows it. */
export function issueOf({ github }: Stage, { repository, number }: IssueAt) {
  const { comments, ...issue } = github.issue(repository, number);
  const own = comments.filter(({ by }) => by === FORGE).map(({ body }) => body);
  const plans = own.filter((body) => body.startsWith("**Plan"));
  // Edited in place from the beginning to the end.
  const statuses = own.filter((body) => /<!-- forge:status:/.test(body));
  return { ...issue, comments, plans, statuses, status: statuses[0] ?? "" };
}

/** The first pull request of Forge on that issue; it comes after the issue, and nobody else opens any. */
export function pullOf({ github }: Stage, { repository, number }: IssueAt) {
  try {
    return github.pullRequest(repository, number + 1);
  } catch {
    // There is none yet.
    return undefined;
  }
}

/** Branches other than the main one. */
export async function branches(stage: Stage, repository: string): Promise<string[]> {
  const names = await git(stage, repository, "for-each-ref", "--format=%(refname:short)", "refs/heads");
  return names.filter((name) => name !== "main" && name !== "");
}

/** The commit that the main branch is at. */
export async function mainOf(stage: Stage, repository: string): Promise<string> {
  const [sha = ""] = await git(stage, repository, "rev-parse", "main");
  return sha;
}

/** "3f2c1ab feat: read a sum as an amount", oldest first. */
export function commitsBetween(
  stage: Stage,
  repository: string,
  { base, head }: { readonly base: string; readonly head: string },
): Promise<string[]> {
  return git(stage, repository, "log", "--reverse", "--format=%h %s", `${base}..${head}`);
}

export function fileAt(stage: Stage, repository: string, sha: string, path: string): Promise<string[]> {
  return git(stage, repository, "show", `${sha}:${path}`);
}

/** Lines of the new side that a change adds in a folder. */
export async function addedLines(
  stage: Stage,
  repository: string,
  { base, head, folder }: { readonly base: string; readonly head: string; readonly folder: string },
): Promise<{ path: string; line: number; text: string }[]> {
  const added: { path: string; line: number; text: string }[] = [];
  let path = "";
  let line = 0;
  for (const text of await git(stage, repository, "diff", "--unified=0", base, head, "--", folder)) {
    const file = /^\+\+\+ b\/(.+)$/.exec(text);
    const hunk = /^@@ -\S+ \+(\d+)/.exec(text);
    if (file) path = file[1] ?? "";
    else if (hunk) line = Number(hunk[1]);
    else if (text.startsWith("+")) added.push({ path, line: line++, text: text.slice(1) });
  }
  return added;
}

async function git({ github }: Stage, repository: string, ...args: string[]): Promise<string[]> {
  const { output } = await runGit(github.gitDirectory(repository), args);
  return output.toString().trimEnd().split("\n");
}
