import { git as runGit } from "../../simulator/git/run-git.ts";
import { TALLY } from "../github.ts";
import type { Stage } from "../stage.ts";

/** The App's login on this GitHub. */
export const FORGE = "forge[bot]";

/** What is on the issue, as its page shows it. */
export function issueOf({ github }: Stage, number: number) {
  const { comments, ...issue } = github.issue(TALLY, number);
  const own = comments.filter(({ by }) => by === FORGE).map(({ body }) => body);
  const plans = own.filter((body) => body.startsWith("**Plan"));
  // Edited in place from the beginning to the end.
  const statuses = own.filter((body) => /<!-- forge:status:/.test(body));
  return { ...issue, comments, plans, statuses, status: statuses[0] ?? "" };
}

/** The first pull request of Forge on that issue; it comes after the issue, and nobody else opens any. */
export function pullOf({ github }: Stage, issue: number) {
  try {
    return github.pullRequest(TALLY, issue + 1);
  } catch {
    // There is none yet.
    return undefined;
  }
}

/** Branches other than the main one. */
export async function branches(stage: Stage): Promise<string[]> {
  const names = await git(stage, "for-each-ref", "--format=%(refname:short)", "refs/heads");
  return names.filter((name) => name !== "main" && name !== "");
}

/** "3f2c1ab feat: read a sum as an amount", oldest first. */
export function commitsBetween(stage: Stage, base: string, head: string): Promise<string[]> {
  return git(stage, "log", "--reverse", "--format=%h %s", `${base}..${head}`);
}

export function fileAt(stage: Stage, sha: string, path: string): Promise<string[]> {
  return git(stage, "show", `${sha}:${path}`);
}

/** Lines of the new side that a change adds in a folder. */
export async function addedLines(
  stage: Stage,
  { base, head, folder }: { readonly base: string; readonly head: string; readonly folder: string },
): Promise<{ path: string; line: number; text: string }[]> {
  const added: { path: string; line: number; text: string }[] = [];
  let path = "";
  let line = 0;
  for (const text of await git(stage, "diff", "--unified=0", base, head, "--", folder)) {
    const file = /^\+\+\+ b\/(.+)$/.exec(text);
    const hunk = /^@@ -\S+ \+(\d+)/.exec(text);
    if (file) path = file[1] ?? "";
    else if (hunk) line = Number(hunk[1]);
    else if (text.startsWith("+")) added.push({ path, line: line++, text: text.slice(1) });
  }
  return added;
}

async function git({ github }: Stage, ...args: string[]): Promise<string[]> {
  const { output } = await runGit(github.gitDirectory(TALLY), args);
  return output.toString().trimEnd().split("\n");
}
