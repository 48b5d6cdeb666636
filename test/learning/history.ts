import { monotonicFactory } from "ulid";
import type { NewEvent } from "../../src/domain/events.ts";
import type { RunKind } from "../../src/domain/phases.ts";
import type { EnvironmentSubject, NumberedSubject } from "../../src/domain/subjects.ts";
import type { RunEnd } from "../../src/learning/observe-metrics.ts";
import { commitDecision } from "../../src/store/commit-decision.ts";
import type { Store } from "../../src/store/store.ts";
import { run } from "../store/fixtures.ts";

const DAY_MS = 86_400_000;
/** The pull request that everything is about: none that a test opens. */
const PULL = 1000;
const makeUlid = monotonicFactory();

/** What happened in a repository some days ago, written to the log as Forge writes it. */
export interface History {
  /** A run of one of its subjects with these events, each so many seconds after the one before. */
  ran(
    daysAgo: number,
    events: readonly NewEvent[],
    about?: { readonly kind?: RunKind; readonly seconds?: number },
  ): Promise<void>;
  /** In the log of the pull request that its reviews are of. */
  learned(daysAgo: number, events: readonly NewEvent[]): Promise<void>;
}

/** @param now the moment that days are counted back from */
export function historyOf(store: Store, repositoryId: number, now: () => Date): History {
  const repository = { id: repositoryId, owner: "acme", name: "shop", installationId: 7 };
  const pull: NumberedSubject = { kind: "pull_request", repository, number: PULL };
  const staging: EnvironmentSubject = { kind: "environment", repository, environment: "staging" };
  let runs = 0;
  let versions = 0;

  async function write(
    { traceId, expectedVersion, kind }: { traceId: string; expectedVersion: number; kind?: RunKind },
    events: readonly NewEvent[],
    at: Date,
  ): Promise<void> {
    const subject = (kind === "deploy" ? staging : pull) as NumberedSubject;
    const projected = kind && { run: [run(traceId, "completed", { kind, subject, startedAt: at.toISOString() })] };
    await commitDecision(store, {
      appends: [{ traceId, expectedVersion, events }],
      ...projected,
      ...{ at: at.toISOString(), makeId: () => makeUlid(at.getTime()), source: "test" },
    });
  }

  return {
    ran: async (daysAgo, events, { kind = "review", seconds = 60 } = {}) => {
      runs += 1;
      const traceId = `run-${repositoryId}-${runs}`;
      const began = now().getTime() - daysAgo * DAY_MS;
      for (const [expectedVersion, event] of events.entries())
        await write({ traceId, expectedVersion, kind }, [event], new Date(began + expectedVersion * seconds * 1000));
    },
    learned: async (daysAgo, events) => {
      const traceId = `pull_request:${repositoryId}:${PULL}`;
      await write({ traceId, expectedVersion: versions }, events, new Date(now().getTime() - daysAgo * DAY_MS));
      versions += events.length;
    },
  };
}

/** A pull request was merged whose first review asked for nothing, or for something. */
export function merged(firstPass: boolean): NewEvent {
  return { type: "metric.collected", payload: { cause: "merged", reviews: 2, findings: 1, comments: 1, firstPass } };
}

/** What became of a finding. */
export function became(
  outcome: "fixed" | "dismissed" | "ignored",
  rule: string,
  layer: "static" | "ai" = "static",
): NewEvent {
  const of = { findingId: "F-1", rule, layer, severity: "warning", category: "style" } as const;
  const model = layer === "ai" ? { model: "claude-sonnet-4-5" } : {};
  return { type: "feedback.outcome", payload: { cause: "merged", ...of, ...model, outcome, placement: "comment" } };
}

/** A review from its start to its check: with memory or without, its cost in USD, and how it ended. */
export function reviewed(
  repositoryId: number,
  {
    outcome = "approved",
    usd = 0.4,
    memory = "with",
  }: { outcome?: RunEnd; usd?: number; memory?: "with" | "without" } = {},
): NewEvent[] {
  const subject: NumberedSubject = {
    ...{
      kind: "pull_request",
      repository: { id: repositoryId, owner: "acme", name: "shop", installationId: 7 },
      number: PULL,
    },
  };
  const [headSha, baseSha] = ["a".repeat(40), "b".repeat(40)];
  const ends = { headSha, baseSha, headRef: "topic", baseRef: "main", headRepositoryId: repositoryId };
  const request = { id: "delivery-1", reason: "opened", automatic: true } as const;
  const findings = { critical: 0, error: 0, warning: 0, info: 0 };
  return [
    {
      type: "run.started",
      payload: {
        kind: "review",
        subject,
        ends,
        request,
        task: "review pull request #1000",
        estimatedCostUsd: 0,
        debounceMs: 0,
        memory,
      },
    },
    { type: "check.settled", payload: { check: "forge/review", headSha, conclusion: "success", checkRunId: 1 } },
    {
      type: "run.completed",
      payload: {
        ...{ outcome, conclusion: "success", phases: ["review"], durationMs: 1, artifacts: [] },
        totals: { findings, costUsd: usd, tokens: 0 },
      },
    },
  ];
}

/** A version that Forge rolled back because it was worse, or that was healthy. */
export function deployed(repositoryId: number, sha: string, is: "healthy" | "rolled_back"): NewEvent[] {
  const repository = { id: repositoryId, owner: "acme", name: "shop", installationId: 7 };
  const subject: EnvironmentSubject = { kind: "environment", repository, environment: "staging" };
  const by = { login: "ana", id: 1, kind: "user" } as const;
  const deploy = { environment: "staging", sha, by, cause: "command", id: "comment-1" } as const;
  return [
    { type: "run.started", payload: { kind: "deploy", subject, deploy, task: "deploy to staging" } },
    ...(is === "healthy"
      ? []
      : [{ type: "deployment.rolled_back", payload: { from: sha, why: "worse", reason: "Errors rose." } } as const]),
    { type: "deployment.completed", payload: { outcome: is, sha } },
  ];
}

/** Two months of a repository: enough for most numbers, and few deployments. Ends on the day of `now`. */
export async function fillHistory(here: History, repositoryId: number): Promise<void> {
  for (let ago = 59; ago >= 0; ago -= 1) {
    if (ago % 7 === 0) continue;
    const usd = 0.2 + (ago % 5) / 10;
    const memory = ago % 10 === 3 ? "without" : "with";
    const outcome = ago % 4 === 0 ? "changes_requested" : "approved";
    await here.ran(ago, reviewed(repositoryId, { outcome, usd, memory }), { seconds: 40 + ago * 7 });
    await here.learned(ago, [
      merged(ago % 3 !== 0),
      became(ago % 5 === 0 ? "dismissed" : "fixed", "biome/suspicious/noDoubleEquals"),
      became(ago % 3 === 0 ? "ignored" : "fixed", "injection/shell", "ai"),
      ...(ago % 9 === 0 ? [became("dismissed", "own-rules/<b>a-rule-with-a-long-name-that-somebody-wrote</b>")] : []),
    ]);
  }
  const versions = ["1", "2", "3"].map((digit) => digit.repeat(40));
  for (const sha of versions) await here.ran(12, deployed(repositoryId, sha, "rolled_back"), { kind: "deploy" });
  await here.ran(11, deployed(repositoryId, versions[0]!, "healthy"), { kind: "deploy" });
}
