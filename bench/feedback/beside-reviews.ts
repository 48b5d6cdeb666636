import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { closeStore, openStoreReadOnly } from "../../src/store/open-store.ts";
import { median, type Result } from "../report.ts";
import { openStage, type Stage } from "../review/forge-process.ts";
import type { Storm } from "./send-alerts.ts";

const secret = "a secret of thirty-two characters";
const RATE = 125;
const SECONDS = 24;
/** The storm is well under way by then. */
const UNDER_WAY_MS = 5_000;

/** The storm of A4: 3,000 different errors in 24 s, during which a clean pull request of another repository waits for its review, and before it one without a storm. */
export async function measureBesideReviews(pairs: number): Promise<Result[]> {
  let directory = "";
  const stage = await openStage({
    environment: { FORGE_DOOR: secret },
    prepare: (folder) => {
      directory = folder;
    },
    sources: (folder) => {
      const target = { repository: "acme/shop", environment: "production" };
      const door = {
        kind: "sentry",
        secret: { variable: "FORGE_DOOR" },
        projects: { "*": target },
        per_minute: 150_000,
      };
      const file = join(folder, "sources.json");
      writeFileSync(file, JSON.stringify({ doors: { sentry: door } }));
      return file;
    },
  });
  const store = await openStoreReadOnly(`file:${join(directory, "forge.db")}`);
  try {
    await stage.github.createRepository("acme", "other", { private: false, files: { "README.md": "# Other\n" } });
    await reviewed(stage, "acme/shop", "known");
    await reviewed(stage, "acme/other", "warm");
    const [quiet, beside, workedOff]: [number[], number[], number[]] = [[], [], []];
    for (let pair = 0; pair < pairs; pair += 1) {
      quiet.push(await reviewed(stage, "acme/other", `quiet-${pair}`));
      const began = performance.now();
      const workerData: Storm = {
        ...{ port: stage.port, seconds: SECONDS, rate: RATE, things: RATE * SECONDS, secret, from: pair * 1_000_000 },
      };
      const sent = new Promise((resolve) => {
        new Worker(new URL("./send-alerts.ts", import.meta.url), { workerData }).once("message", resolve);
      });
      await new Promise((resolve) => setTimeout(resolve, UNDER_WAY_MS));
      beside.push(await reviewed(stage, "acme/other", `beside-${pair}`));
      await sent;
      for (let left = 1; left > 0; ) {
        const [row] = await store.read.all<{ left: number }>(
          "select count(*) as left from jobs where kind = 'feedback'",
        );
        left = row?.left ?? 0;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      workedOff.push((performance.now() - began) / 1000);
    }
    const [alone, stormy, seconds] = [median(quiet), median(beside), median(workedOff)];
    return [
      {
        name: "3,000 different errors in 24 s: worked off, from the first",
        ...{ value: seconds, unit: "s", goal: "under 60 s", met: seconds < 60 },
      },
      {
        name: "a clean pull request of another repository meanwhile",
        ...{
          value: stormy,
          unit: "ms, median",
          baseline: alone,
          goal: "ratio at most 1.5",
          met: stormy <= 1.5 * alone,
        },
      },
    ];
  } finally {
    await closeStore(store);
    await stage.end();
  }
}

/** Milliseconds from the opening of a clean pull request to its completed check. */
async function reviewed({ github }: Stage, repository: string, branch: string): Promise<number> {
  const files = { [`src/${branch}.ts`]: "export const a = 1;\n" };
  await github.commit(repository, branch, { files, message: branch, author: "ana" });
  const began = performance.now();
  const { number } = await github.openPullRequest(repository, { title: branch, head: branch, by: "ana" });
  for (;;) {
    const { checkRuns } = github.pullRequest(repository, number);
    if (checkRuns.some(({ name, status }) => name === "forge/review" && status === "completed")) break;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return performance.now() - began;
}
