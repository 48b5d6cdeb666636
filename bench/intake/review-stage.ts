import { faultyModule, files } from "../review/changes.ts";
import { openStage } from "../review/forge-process.ts";

/**
 * Forge as in production with a GitHub beside it. Says the port of Forge to the parent; on `review` opens four pull requests of 200 files,
 * on `completed` says how many of their checks are.
 */
const PULL_REQUESTS = 4;

// A slot for each review, and one for every other kind of job.
const stage = await openStage({ secret: process.env.BENCH_SECRET ?? "", concurrency: PULL_REQUESTS + 4 });
const numbers: number[] = [];
for (let at = 0; at < PULL_REQUESTS; at += 1) {
  const change = files(200, 60, faultyModule, at * 1_000);
  await stage.github.commit("acme/shop", `change-${at}`, { files: change, message: `change ${at}`, author: "ana" });
}

process.on("message", async (message) => {
  if (message === "review") {
    for (let at = 0; at < PULL_REQUESTS; at += 1) {
      const head = `change-${at}`;
      const { number } = await stage.github.openPullRequest("acme/shop", { title: head, head, by: "ana" });
      numbers.push(number);
    }
    process.send?.({ opened: numbers.length });
  }
  if (message === "completed") {
    const checks = numbers.map((number) => stage.github.pullRequest("acme/shop", number).checkRuns[0]);
    process.send?.({ completed: checks.filter((check) => check?.status === "completed").length });
  }
});
process.on("disconnect", async () => {
  await stage.end();
  process.exit();
});
process.send?.({ port: stage.port });
