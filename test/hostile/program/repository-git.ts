import { execFileSync } from "node:child_process";
import type { Ground } from "./payload.ts";

/** Asks git something of the repository where GitHub keeps it. */
export function repositoryGit({ world, repository }: Ground, ...args: readonly string[]): string {
  return execFileSync("git", ["--git-dir", world.github.gitDirectory(repository), ...args], {
    encoding: "utf8",
  }).trim();
}
