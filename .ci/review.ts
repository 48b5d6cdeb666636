// Has Forge review the change that CI checks, without a model: `forge review . --base <commit>`. The run fails on a blocking finding and on a
// missing report. Everything else is printed for the people who review, for example that a person has to decide, or that packages could not be
// looked up without a network.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseReview, reasonToStop, reviewLines } from "./review-report.ts";

const FORGE = join(import.meta.dirname, "..", "bin", "forge.mjs");

/** Bytes of a report. */
const MOST = 256 * 1024 * 1024;

/** Where a change begins. */
export interface Base {
  readonly commit: string;
  /** Nothing says where the branch began, or this is the main branch: only the last commit is compared. */
  readonly isLastCommit: boolean;
}

/**
 * Where the change begins: at what CI names, else where the branch left main, else where it left its own branch on the server, else at the
 * commit before this one.
 * @returns nothing where there is no earlier commit: the first one, and a checkout of depth 1
 */
export function baseOfChange(named: string | undefined, folder: string): Base | undefined {
  const git = (...args: readonly string[]) => {
    const { status, stdout } = spawnSync("git", [...args], { cwd: folder, encoding: "utf8" });
    return status === 0 ? stdout.trim() : undefined;
  };
  const commit = (name: string) => git("rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`);
  const head = commit("HEAD");
  // A local main may be far behind the server's, so it counts only where there is no other.
  const branches = commit("origin/main") === undefined ? ["main", "@{upstream}"] : ["origin/main"];
  const left = branches.map((branch) => git("merge-base", "HEAD", branch));
  // GitHub names a new branch's commit before by zeros.
  const began = (named ? commit(named) : undefined) ?? left.find((base) => base !== undefined && base !== head);
  if (began !== undefined) return { commit: began, isLastCommit: false };
  const before = commit("HEAD^");
  return before === undefined ? undefined : { commit: before, isLastCommit: true };
}

function main(): number {
  const base = baseOfChange(process.env.FORGE_CI_BASE, ".");
  if (base === undefined) {
    console.log("There is no earlier commit here, so there is nothing to compare with: Forge reviewed nothing.");
    return 0;
  }
  const args = ["review", ".", "--base", base.commit];
  console.log(`forge ${args.join(" ")}`);
  if (base.isLastCommit) console.log("Only the last commit is compared. FORGE_CI_BASE names another base.");
  const { status, stdout } = spawnSync(process.execPath, [FORGE, ...args, "--format", "json"], {
    ...{ encoding: "utf8", maxBuffer: MOST, stdio: ["ignore", "pipe", "inherit"] },
  });
  const report = parseReview(status, stdout);
  if (report !== undefined) console.log(reviewLines(report).join("\n"));
  const reason = reasonToStop(report);
  if (reason !== undefined) console.error(reason);
  return reason === undefined ? 0 : 1;
}

if (import.meta.main) process.exitCode = main();
