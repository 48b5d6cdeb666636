import { sql } from "drizzle-orm";
import { applyCheckpoint, type Checkpoint } from "../../../src/agents/loop/checkpoint.ts";
import { LoopState } from "../../../src/agents/loop/loop-state.ts";
import { numberOf } from "../../../src/domain/subjects.ts";
import { listEffectsOfRun } from "../../../src/store/effects/read-effects.ts";
import { readEvents, verifyRun } from "../../../src/store/events/read-events.ts";
import { countJobsByKind } from "../../../src/store/jobs/read-jobs.ts";
import { listRuns } from "../../../src/store/runs/read-runs.ts";
import type { Store } from "../../../src/store/store.ts";
import { listDeadJobs } from "../../store/list-dead-jobs.ts";
import type { ChaosWorld } from "../chaos-world.ts";
import { isSetAside } from "../violations.ts";
import { type Asked, findPull, isSetAsideSentence, REPOSITORY } from "./people.ts";
import { branchesOf, commitsOf } from "./read-branch.ts";

/** What people see of an implementation, and what its log says, without what differs from one telling to the next. */
export interface Outcome {
  /** Comments of Forge on the issue and in the conversation of the pull request. */
  readonly comments: readonly string[];
  readonly branches: readonly string[];
  /** Title and text of all pull requests that came from the issue. */
  readonly pulls: readonly string[];
  /** Subject and tree of each commit, oldest first. */
  readonly commits: readonly string[];
  /** Of each head in turn. */
  readonly checks: readonly string[];
  readonly threads: readonly string[];
  /** What happened in the run on the issue, agents left out. */
  readonly events: readonly string[];
}

export async function outcomeOf(world: ChaosWorld, { issue, pull: number }: Asked): Promise<Outcome> {
  const { github } = world;
  const pull = findPull(github, number);
  const bodies = (comments: readonly { by: string; body: string }[]) =>
    comments
      .filter((one) => one.by === "forge[bot]" && !isSetAsideSentence(one.body))
      .map(({ body }) => plain(body, issue));
  const heads = [...new Set(pull?.heads ?? [])];
  const branches = await branchesOf(github, issue);
  return {
    comments: [...bodies(github.issue(REPOSITORY, issue).comments), ...bodies(pull?.comments ?? [])].sort(),
    branches: branches.map((branch) => plain(branch, issue)),
    pulls: pullsFrom(world, issue).map(({ title, body }) => plain(`${title}\n${body}`, issue)),
    commits: branches[0] ? await commitsOf(github, branches[0]) : [],
    checks: (pull?.allCheckRuns ?? [])
      .map(
        ({ name, conclusion, headSha, status }) =>
          `head ${heads.indexOf(headSha) + 1}: ${name} ${conclusion ?? status}`,
      )
      .sort(),
    threads: (pull?.reviewComments ?? []).map(({ by, body }) => `${by}: ${plain(body, issue)}`).sort(),
    events: await world.read((store) => eventsOf(store, issue)),
  };
}

/** One pull request follows the issue; another one would have the next number. */
function pullsFrom({ github }: ChaosWorld, issue: number) {
  return [issue + 1, issue + 2, issue + 3].flatMap((number) => {
    const pull = findPull(github, number);
    return pull?.headRef.startsWith("forge/") && pull.body?.includes(`#${issue}`) ? [pull] : [];
  });
}

function plain(text: string, issue: number): string {
  return (
    text
      .replace(/<!--.*?-->/gs, "")
      .replace(/\b[0-9A-HJKMNP-TV-Z]{26}\b/g, "RUN")
      .replace(/\bF-[0-9A-Z]{4,}\b/g, "F")
      .replace(/\b[0-9a-f]{7,40}\b/g, "SHA")
      .replace(new RegExp(`(#|pull/|issues/|forge/)(${issue}|${issue + 1})\\b`, "g"), "$1N")
      .replace(/\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, "TIME")
      .replace(/\b(?:less than )?(?:\d+|a|an) (?:second|minute|hour)s?\b/g, "DURATION")
      .replace(/\b\d+(?:\.\d+)? ?(?:s|ms|min|h)\b/g, "DURATION")
      .replace(/(?:under )?DURATION(?: DURATION)*/g, "DURATION")
      // What took no time worth telling is told without it.
      .replace(/\|\s+DURATION \|$/gm, "|  |")
      .replace(/(?:under )?\$\d+\.\d+/g, "MONEY")
      .trim()
  );
}

const OF_AGENTS = /^(?:agent|tool|memory|guardrail|error|webhook|command|comment)\./;

async function eventsOf(store: Store, issue: number): Promise<string[]> {
  const run = (await runsOf(store, [issue])).find(({ kind }) => kind === "implement");
  const events = run ? await readEvents(store, run.traceId) : [];
  return events.filter(({ type }) => !OF_AGENTS.test(type)).map(({ type, phase }) => `${phase ?? ""} ${type}`);
}

async function runsOf(store: Store, numbers: readonly number[]) {
  return (await listRuns(store, { limit: 10_000 })).filter(({ subject }) => numbers.includes(numberOf(subject)));
}

/** What in the database is not as it has to be when all is over. */
export async function storeFaults(store: Store, { issue, pull }: Asked): Promise<string[]> {
  const faults: string[] = [];
  const { counts } = await countJobsByKind(store, new Date().toISOString());
  for (const { kind, state, count } of counts) {
    // What became of a merged change is looked at again after a month.
    if (state === "dead" || (kind === "learn" && state === "queued")) continue;
    faults.push(`${count} jobs (${kind}) are ${state}`);
  }
  const dead = await listDeadJobs(store);
  faults.push(...dead.filter(({ error }) => !isSetAside(error)).map(({ kind, error }) => `dead ${kind}: ${error}`));
  const runs = await runsOf(store, [issue, pull]);
  // A review that was set aside has failed, and people had another one.
  const isReplaced = (kind: string) =>
    dead.some((job) => job.kind === kind) && runs.some((other) => other.kind === kind && other.status === "completed");
  for (const { traceId, kind, status } of runs) {
    const isFailure = status !== "completed" && !(status === "failed" && isReplaced(kind));
    if (isFailure) faults.push(`a run (${kind}) is ${status}`);
    const { brokenAt } = await verifyRun(store, traceId);
    if (brokenAt !== undefined) faults.push(`the log of ${traceId} is broken at ${brokenAt}`);
    for (const { key, state, error } of await listEffectsOfRun(store, traceId)) {
      if (state !== "done" && state !== "obsolete") faults.push(`${key} is ${state}: ${error ?? ""}`);
    }
    faults.push(...(await checkpointFaults(store, traceId)));
  }
  const held = await store.read.all<{ id: string }>(sql`select id from spend where state = 'reserved'`);
  if (held.length > 0) faults.push(`money of ${held.length} calls is still set aside`);
  return faults;
}

/** Every agent can be restored from its checkpoints, which count from 1 without gaps (PIPE-6). */
async function checkpointFaults(store: Store, traceId: string): Promise<string[]> {
  const rows = await store.read.all<{ agent: string; sequence: number; content: string }>(
    sql`select agent, sequence, content from checkpoints where trace_id = ${traceId} order by agent, sequence`,
  );
  const faults: string[] = [];
  for (const agent of new Set(rows.map((row) => row.agent))) {
    const own = rows.filter((row) => row.agent === agent);
    if (own.some(({ sequence }, index) => sequence !== index + 1)) faults.push(`checkpoints of ${agent} have gaps`);
    let state: LoopState | undefined;
    for (const { content } of own) state = applyCheckpoint(state, JSON.parse(content) as Checkpoint);
    const restored = LoopState.safeParse(state);
    if (!restored.success) faults.push(`${agent} cannot be restored`);
    else if (restored.data.standing.is !== "ended") faults.push(`${agent} is ${restored.data.standing.is}`);
  }
  return faults;
}
