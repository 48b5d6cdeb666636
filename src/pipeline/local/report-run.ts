import type { LoopState } from "../../agents/library.ts";
import { applyCheckpoint, type Checkpoint, reportRun as reportAgent } from "../../agents/library.ts";
import { defined } from "../../domain/defined.ts";
import type { RunEvent } from "../../domain/events.ts";
import type { Finding, FindingState } from "../../domain/findings.ts";
import { numberOf } from "../../domain/subjects.ts";
import type { TestOutcome } from "../../domain/test-report.ts";
import { readEvents } from "../../store/events/read-events.ts";
import { listRecordedAgents, readCheckpoints } from "../../store/events/steps.ts";
import { readLedger } from "../../store/runs/ledger.ts";
import { listRunsOfSubject } from "../../store/runs/read-runs.ts";
import type { Store } from "../../store/store.ts";
import { type Checkout, type LocalCommit, listLocalCommits } from "../../workspace/local/checkout.ts";
import { headOf, type Implementation, openGates } from "../implement/implementation.ts";
import { pullSubject } from "../implement/step.ts";

/** Everything that a run on a checkout did, for people who look for wasted steps and for programs. Grows: members are added, never removed. */
export interface LocalReport {
  readonly version: 1;
  readonly runId: string;
  readonly task: string;
  readonly base?: Implementation["base"];
  readonly branch?: string;
  readonly startedAt: string;
  /** Of the last event. */
  readonly lastAt: string;
  readonly standing: Standing;
  readonly plans: readonly unknown[];
  readonly tasks: Implementation["tasksDone"];
  readonly commits: readonly LocalCommit[];
  readonly notDone: readonly string[];
  readonly phases: Implementation["took"];
  readonly bounces: readonly unknown[];
  readonly reviews: readonly unknown[];
  readonly findings: readonly (Shown & { readonly state: FindingState; readonly headSha: string })[];
  readonly tests: readonly TestOutcome[];
  readonly gates: Implementation["gates"];
  readonly agents: readonly AgentOfRun[];
  readonly errors: readonly unknown[];
  readonly totals: Totals;
}

/** How a run stands when no worker is on it. */
export type Standing =
  | { readonly is: "ready" | "at_work" }
  | { readonly is: "waits"; readonly gates: readonly string[] }
  | { readonly is: "stopped"; readonly reason: string; readonly by?: string; readonly limit?: string }
  | { readonly is: "planned" | "nothing_to_do" }
  | { readonly is: "failed" | "cancelled"; readonly reason: string };

interface AgentOfRun {
  readonly runId: string;
  /** `implementer/2`, `reviewer/1.1`. */
  readonly agent: string;
  readonly report: ReturnType<typeof reportAgent>;
}

interface Totals {
  readonly costUsd: number;
  readonly tokens: number;
  readonly modelCalls: number;
  readonly toolCalls: number;
  readonly toolErrors: number;
  readonly modelMs: number;
  readonly toolMs: number;
}

export function standingOf(run: Implementation): Standing {
  const { end, stopped, pull } = run;
  if (end?.is === "failed") return { is: "failed", reason: end.error.message };
  if (end?.is === "cancelled") return { is: "cancelled", reason: end.reason };
  if (end?.is === "completed") return { is: end.outcome === "planned" ? "planned" : "nothing_to_do" };
  if (stopped) {
    const { reason, by, limit } = stopped;
    return { is: "stopped", reason, ...defined({ by, limit }) };
  }
  const open = openGates(run).map(({ gate }) => gate);
  if (open.length > 0) return { is: "waits", gates: open };
  return { is: pull?.ready ? "ready" : "at_work" };
}

/** Reads all that is known of a run and of the reviews of its work. */
export async function reportLocally(
  { store, checkout }: { readonly store: Store; readonly checkout: Checkout },
  run: Implementation,
): Promise<LocalReport> {
  const events = await readEvents(store, run.runId);
  const pull = pullSubject(run.subject, numberOf(run.subject));
  const reviewRuns = (await listRunsOfSubject(store, pull)).toReversed();
  const reviews = await Promise.all(
    reviewRuns.map(async ({ traceId }) => ({ runId: traceId, events: await readEvents(store, traceId) })),
  );
  const agents = [
    ...(await agentsOf(store, run.runId)),
    ...(await Promise.all(reviews.map(({ runId }) => agentsOf(store, runId)))).flat(),
  ];
  const all = [...events, ...reviews.flatMap((review) => review.events)];
  const head = headOf(run);
  const { task, base, branch, startedAt, tasksDone, took, gates } = run;
  return {
    version: 1,
    runId: run.runId,
    task,
    ...defined({ base, branch }),
    startedAt,
    lastAt: all.map(({ at }) => at).reduce(laterOf, startedAt),
    standing: standingOf(run),
    plans: payloadsOf(events, "plan.proposed"),
    tasks: tasksDone,
    commits:
      base && head !== undefined && branch !== undefined && head !== base.sha
        ? await listLocalCommits(checkout, base.sha, head)
        : [],
    notDone: run.work?.notDone ?? [],
    phases: took,
    bounces: payloadsOf(events, "phase.bounced"),
    reviews: reviews.map(({ runId, events: its }) => reviewOf(runId, its)),
    findings: (await readLedger(store, pull)).map(({ finding, state, headSha }) => ({
      ...shown(finding),
      state,
      headSha,
    })),
    tests: events.flatMap((event) =>
      event.type === "test.passed" || event.type === "test.failed" || event.type === "test.skipped"
        ? [event.payload]
        : [],
    ),
    gates,
    agents,
    errors: all
      .filter(({ type }) => type.startsWith("error.") || type === "guardrail.triggered")
      .map(({ type, at, payload, cost }) => ({ type, at, ...payload, ...defined({ cost }) })),
    totals: totalsOf(all),
  };
}

async function agentsOf(store: Store, runId: string): Promise<AgentOfRun[]> {
  const names = await listRecordedAgents(store, runId);
  const agents = names.map(async (agent) => {
    let state: LoopState | undefined;
    for (const content of await readCheckpoints(store, runId, agent)) {
      state = applyCheckpoint(state, JSON.parse(content) as Checkpoint);
    }
    if (!state) return [];
    const last = state.steps.at(-1);
    return [{ runId, agent, report: reportAgent(state, last ? last.at + last.latencyMs : state.startedAt) }];
  });
  return (await Promise.all(agents)).flat();
}

type Shown = Omit<Finding, "fingerprint">;

/** Fingerprints of secrets are left out: reports are passed on. */
function shown({ fingerprint: _, ...finding }: Finding): Shown {
  return finding;
}

function reviewOf(runId: string, events: readonly RunEvent[]) {
  const [completed] = payloadsOf(events, "review.completed");
  const [risk] = payloadsOf(events, "risk.assessed");
  const [failed] = payloadsOf(events, "run.failed");
  return {
    runId,
    ...(completed ?? {}),
    ...defined({ risk, error: failed?.error }),
    detected: payloadsOf(events, "finding.detected").map(({ finding }) => shown(finding)),
    rejected: payloadsOf(events, "finding.rejected"),
    resolved: payloadsOf(events, "finding.resolved").map(({ findingId }) => findingId),
  };
}

function payloadsOf<T extends RunEvent["type"]>(events: readonly RunEvent[], type: T) {
  return events
    .filter((event): event is Extract<RunEvent, { type: T }> => event.type === type)
    .map(({ payload }) => payload as Extract<RunEvent, { type: T }>["payload"]);
}

function totalsOf(events: readonly RunEvent[]): Totals {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
  const calls = payloadsOf(events, "agent.reasoned");
  const tools = [...payloadsOf(events, "tool.completed"), ...payloadsOf(events, "tool.failed")];
  return {
    costUsd: sum(events.map(({ cost }) => cost?.usd ?? 0)),
    tokens: sum(events.map(({ cost }) => cost?.tokens ?? 0)),
    modelCalls: calls.length,
    toolCalls: tools.length,
    toolErrors: payloadsOf(events, "tool.failed").length,
    modelMs: sum(calls.map(({ latencyMs }) => latencyMs)),
    toolMs: sum(tools.map(({ durationMs }) => durationMs)),
  };
}

/** Of two moments in ISO 8601, UTC. */
function laterOf(one: string, other: string): string {
  return one.localeCompare(other) < 0 ? other : one;
}
