import { createIdMaker } from "../../src/domain/ids.ts";
import type { IssueSnapshot } from "../../src/domain/implementation.ts";
import type { Input, IssueCommandGiven } from "../../src/domain/inputs.ts";
import type { Plan } from "../../src/domain/plan.ts";
import { DEFAULT_REPO_CONFIG } from "../../src/domain/repo-config.ts";
import type { Actor, Subject } from "../../src/domain/subjects.ts";
import { type Handled, handleInput } from "../../src/pipeline/runs/handle-input.ts";
import { nextEffects } from "../../src/store/effects/read-effects.ts";
import { settleEffect } from "../../src/store/effects/settle-effect.ts";
import { claimJob } from "../../src/store/jobs/claim-job.ts";
import { completeJob } from "../../src/store/jobs/held-job.ts";
import type { Store } from "../../src/store/store.ts";
import { PLAN } from "./implementer.ts";

/** What runs are put to wait for. */
export const WAITS = ["architecture_approval", "question", "people"] as const;

const ana: Actor = { login: "ana", id: 1, kind: "user" };
const BASE = "b".repeat(40);
const HEAD = "c".repeat(40);

export interface WaitingSpec {
  readonly repository: Subject["repository"];
  /** Numbers of issues from here on; each pull request has the number of its issue with a million added. */
  readonly firstIssue: number;
  readonly count: number;
  /** ISO 8601: when all of it happened. */
  readonly at: string;
}

/**
 * Brings runs to where people have the word, in turn of `WAITS`: through the inputs that a worker gives, with their jobs done and their
 * effects on GitHub. @returns the ids of the runs
 */
export async function putToWait(store: Store, { repository, firstIssue, count, at }: WaitingSpec): Promise<string[]> {
  const makeId = createIdMaker();
  const runIds: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const number = firstIssue + index;
    const subject: Subject = { kind: "issue", repository, number };
    const runId = makeId();
    const tell = async (fields: object): Promise<void> => {
      const input = { runId, ...fields, subject, at, newRunId: runId } as unknown as Input;
      const handled: Handled = await handleInput({ store, makeId }, input);
      if (handled.ignored !== undefined) throw new Error(`${input.type} was ignored: ${handled.ignored}`);
    };
    await tell(labelled(number));
    await tell({
      type: "work.observed",
      ...{ attempt: 1, open: true, configuration: DEFAULT_REPO_CONFIG, base: { ref: "main", sha: BASE } },
    });
    await bringToWait(WAITS[index % WAITS.length]!, number + 1_000_000, tell);
    runIds.push(runId);
  }
  await carryOutJobs(store, at);
  return runIds;
}

type Tell = (fields: object) => Promise<void>;

async function bringToWait(what: (typeof WAITS)[number], pull: number, tell: Tell): Promise<void> {
  if (what === "question") {
    const question = { type: "question", agentId: "agent:planner:1", question: "Two digits?", phase: "planning" };
    return tell({ type: "work.suspended", question, needs: "triage" });
  }
  const risk: Plan["risk"] = { level: what === "people" ? "low" : "high", reasons: [] };
  const estimate = { lowUsd: 0.1, highUsd: 0.4, minutes: 5 };
  await tell({ type: "plan.made", durationMs: 900, costUsd: 0.1, plan: { ...PLAN, risk }, estimate });
  if (what !== "people") return;
  const work = {
    ...{ headSha: HEAD, treeSha: "d".repeat(40), filesChanged: 2, testsAdded: 1, validated: true },
    ...{ commits: [{ sha: HEAD, subject: "feat: show prices with two digits" }], answers: [], notDone: [] },
  };
  await tell({ type: "work.finished", durationMs: 900, costUsd: 0.2, work });
  await tell({ type: "branch.pushed", branch: `forge/issue-${pull}`, headSha: HEAD });
  await tell({ type: "pull.opened", number: pull, headSha: HEAD });
  const found = { blocking: 0, advisory: 0, criticalSecurity: 0, costUsd: 0, risk: "low" };
  const review = { headSha: HEAD, runId: "of the review", decision: "approve", conclusion: "success", ...found };
  const passed = { is: "passed", reason: "nothing blocks" };
  await tell({ type: "phase.finished", phase: "review", durationMs: 0, costUsd: 0, outcome: passed, review });
  const counts = { files: 1, passed: 1, failed: 0, skipped: 0, failures: [], flaky: [], weakened: [], durationMs: 300 };
  const outcome = { headSha: HEAD, outcome: "passed", runner: "node:test", selection: "affected", ...counts };
  await tell({ type: "tests.finished", durationMs: 300, costUsd: 0.2, outcome });
}

function labelled(number: number): Omit<IssueCommandGiven, "subject" | "at" | "newRunId"> {
  const body = {
    by: ana,
    role: "write" as const,
    at: "2026-11-01T00:00:00.000Z",
    text: "250 is shown as 2.5. ".repeat(50),
  };
  const leftOut = { comments: 0, characters: 0 };
  const snapshot: IssueSnapshot = { title: "Prices have odd digits", body, labels: [], comments: [], leftOut };
  return {
    type: "command.given",
    source: { kind: "label", id: String(number) },
    ...{ index: 0, by: ana, role: "write", alone: true, plain: false },
    parsed: { command: { name: "implement" } },
    issue: { open: true, snapshot },
  } as Omit<IssueCommandGiven, "subject" | "at" | "newRunId">;
}

/** What a worker would have done by then: GitHub has the comments, and nobody has anything to do until the deadlines. */
async function carryOutJobs(store: Store, at: string): Promise<void> {
  for (;;) {
    const job = await claimJob(store, { workerId: "filling", now: at, leaseMs: 60_000 });
    if (!job) return;
    const fence = { jobId: job.id, token: job.token };
    if (job.kind === "effects") {
      const { subject } = job.payload as { subject: Subject };
      for (const { key } of await nextEffects(store, subject)) {
        await settleEffect(store, { key, settlement: { state: "done" } }, at, fence);
      }
    }
    await completeJob(store, job);
  }
}
