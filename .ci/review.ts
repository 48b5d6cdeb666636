// Has Forge review the change that CI checks, without a model: `forge review . --base <commit>`. A blocking finding fails the run. What else it
// says is printed for the people who review: that a person has to decide, or what could not be looked at, as without a network.
import { execFileSync, spawnSync } from "node:child_process";

/** Exit codes of `forge review` with which nothing blocking is open: approved, a person decides, not fully reviewed. */
const NOT_BLOCKED: readonly (number | null)[] = [0, 2, 3];

/**
 * The commit that the change begins at: what CI names, else where the branch left main, else the commit before this one.
 * @returns nothing where there is no earlier commit: the first one, and a checkout of depth 1
 */
export function baseOfChange(named: string | undefined, folder: string): string | undefined {
  const git = (...args: readonly string[]) => {
    const { status, stdout } = spawnSync("git", [...args], { cwd: folder, encoding: "utf8" });
    return status === 0 ? stdout.trim() : undefined;
  };
  const commit = (name: string) => git("rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`);
  const head = commit("HEAD");
  const left = git("merge-base", "HEAD", "origin/main");
  // GitHub names a new branch's commit before by zeros.
  return (named ? commit(named) : undefined) ?? (left === head ? undefined : left) ?? commit("HEAD^");
}

if (import.meta.main) {
  const base = baseOfChange(process.env.FORGE_CI_BASE, ".");
  const compared = base === undefined ? ["--all"] : ["--base", base];
  console.log(`forge review . ${compared.join(" ")}`);
  try {
    execFileSync(process.execPath, ["bin/forge.mjs", "review", ".", ...compared], { stdio: "inherit" });
  } catch (error) {
    const { status } = error as { status: number | null };
    if (!NOT_BLOCKED.includes(status)) process.exit(status ?? 1);
  }
}
