import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median, type Result } from "../report.ts";
import { faultyModule, files } from "./changes.ts";
import { openStage, type Stage } from "./forge-process.ts";

const ROUNDS = 7;

export const REVIEWS_TITLE =
  "Reviews. Baseline: a shallow clone and `biome lint` by hand, without reading secrets, posting or ledger";

/** How long a pull request waits for its review, from the webhook to the completed check-run. Takes about a minute. */
export async function measureReviews(): Promise<Result[]> {
  const stage = await openStage();
  try {
    const small: number[] = [];
    const byHand: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const change = files(20, 60, faultyModule, round * 100);
      small.push(await reviewed(stage, `small-${round}`, change));
      byHand.push(cloneAndLint(stage, `small-${round}`));
    }
    const p50 = median(small) / 1000;
    const largest = stage.watchMemory();
    const large = (await reviewed(stage, "large", files(1000, 50, faultyModule, 10_000))) / 1000;
    const megabytes = largest();
    const results: Result[] = [
      {
        name: "20 files, 1,260 lines: webhook to completed check, p50",
        value: p50,
        unit: "s",
        baseline: median(byHand) / 1000,
        goal: "under 5 s",
        met: p50 < 5,
      },
      {
        name: "1,000 files, 53,000 lines: webhook to completed check",
        value: large,
        unit: "s",
        baseline: cloneAndLint(stage, "large") / 1000,
        goal: "under 60 s",
        met: large < 60,
      },
    ];
    if (megabytes !== undefined) {
      const name = "largest resident memory of Forge and its children meanwhile";
      results.push({ name, value: megabytes, unit: "MB", goal: "under 1,000 MB", met: megabytes < 1000 });
    }
    return results;
  } finally {
    await stage.end();
  }
}

/** Milliseconds from the opening of the pull request to its completed check. */
async function reviewed({ github }: Stage, branch: string, change: Record<string, string>): Promise<number> {
  await github.commit("acme/shop", branch, { files: change, message: branch, author: "ana" });
  const began = performance.now();
  const { number } = await github.openPullRequest("acme/shop", { title: branch, head: branch, by: "ana" });
  for (;;) {
    const [check] = github.pullRequest("acme/shop", number).checkRuns;
    if (check?.status === "completed") {
      if (check.conclusion !== "failure") throw new Error(`expected findings, got ${check.conclusion}: ${check.title}`);
      return performance.now() - began;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function cloneAndLint({ github }: Stage, branch: string): number {
  const folder = mkdtempSync(join(tmpdir(), "forge-by-hand-"));
  const biome = createRequire(import.meta.url).resolve("@biomejs/biome/bin/biome");
  const began = performance.now();
  const url = github.gitDirectory("acme/shop");
  execFileSync("git", ["clone", "--quiet", "--depth", "1", "--branch", branch, `file://${url}`, folder]);
  const lint = [biome, "lint", "--max-diagnostics=none", "--reporter=json", "src"];
  try {
    execFileSync(process.execPath, lint, { cwd: folder, stdio: "ignore" });
  } catch {
    // It found something, as it should.
  }
  const took = performance.now() - began;
  rmSync(folder, { recursive: true, force: true });
  return took;
}
