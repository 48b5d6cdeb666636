import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Simulator } from "../../../simulator/start-simulator.ts";
import { REPOSITORY } from "./people.ts";

async function git(github: Simulator, args: readonly string[]): Promise<string[]> {
  const run = promisify(execFile);
  const { stdout } = await run("git", ["--git-dir", github.gitDirectory(REPOSITORY), ...args]);
  return stdout.split("\n").filter((line) => line !== "");
}

/** Branches of Forge for the issue. */
export function branchesOf(github: Simulator, issue: number): Promise<string[]> {
  const patterns = [`refs/heads/forge/${issue}`, `refs/heads/forge/${issue}-*`];
  return git(github, ["for-each-ref", "--format=%(refname:short)", ...patterns]);
}

/** Subject and files of the commits of a branch that was merged with a merge commit, oldest first. */
export async function commitsOf(github: Simulator, branch: string): Promise<string[]> {
  const subjects = await git(github, ["log", "--reverse", "--format=%s", "-6", branch]);
  const files = await git(github, ["log", "--reverse", "--format=%H", "-6", branch]);
  const trees = await Promise.all(files.map((sha) => git(github, ["ls-tree", "-r", sha, "src", "test"])));
  return subjects.map((subject, index) => `${subject}\n${trees[index]!.join("\n")}`);
}
