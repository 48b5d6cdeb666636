import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startScriptedModel } from "../../simulator/models/scripted-model.ts";
import { openStage, type Stage } from "../review/forge-process.ts";
import { byHand } from "./by-hand.ts";
import { tenTurns } from "./mind.ts";
import type { Project } from "./project.ts";
import { type Share, shareOf, type Watched } from "./stretches.ts";

export interface MeasuredRun {
  readonly share: Share;
  readonly byHandMs: number;
  readonly turns: number;
}

export interface MeasuredRuns {
  /** The first is that of a Forge that has just started, on a repository that it has never seen. */
  readonly runs: readonly MeasuredRun[];
  readonly watched: Watched;
}

interface Span {
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly until: number;
}

/** Labels one issue after the other and waits until its pull request is ready; Forge is a process of its own. */
export async function measureRuns(project: Project, rounds: number): Promise<MeasuredRuns> {
  const folder = mkdtempSync(join(tmpdir(), "forge-bench-watch-"));
  const watchFile = join(folder, "watched.json");
  const model = await startScriptedModel(tenTurns(project));
  const address = { ANTHROPIC_BASE_URL: model.anthropicUrl, ANTHROPIC_API_KEY: "a-key-for-benches" };
  const stage = await openStage({
    files: project.files,
    environment: { ...address, FORGE_REGISTRIES: project.registryHost ?? "", BENCH_WATCH: watchFile },
    preload: join(import.meta.dirname, "watch-forge.ts"),
  });
  const measured: (Span & Omit<MeasuredRun, "share">)[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const before = model.asked.length;
      const span = await implemented(stage);
      const turns = model.asked.length - before;
      const byHandMs = await byHand(project, stage.github.gitDirectory("acme/shop"), model.anthropicUrl, turns);
      measured.push({ ...span, turns, byHandMs });
    }
  } finally {
    await stage.end();
    await model.stop();
  }
  const watched = JSON.parse(readFileSync(watchFile, "utf8")) as Watched;
  rmSync(folder, { recursive: true });
  const runs = measured.map(({ from, until, ...run }) => ({ ...run, share: shareOf(watched, from, until) }));
  return { watched, runs };
}

const PATIENCE_MS = 180_000;

/** From the label to the pull request that is ready. */
async function implemented({ github }: Stage): Promise<Span> {
  const now = () => performance.timeOrigin + performance.now();
  const issue = { title: "Prices have odd digits", body: "250 is shown as 2.5", by: "ana" };
  const { number } = await github.openIssue("acme/shop", issue);
  await github.idle();
  const from = now();
  await github.addLabel("acme/shop", number, "forge:implement", "ana");
  while (!isReady(github, number + 1)) {
    if (now() - from > PATIENCE_MS) {
      const said = github.issue("acme/shop", number).comments.map(({ body }) => body);
      throw new Error(`no pull request is ready: ${said.join("\n")}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return { from, until: now() };
}

function isReady(github: Stage["github"], number: number): boolean {
  try {
    return !github.pullRequest("acme/shop", number).draft;
  } catch {
    // Not opened yet.
    return false;
  }
}
