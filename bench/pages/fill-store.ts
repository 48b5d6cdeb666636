import type { NewEvent } from "../../src/domain/events.ts";
import { createIdMaker } from "../../src/domain/ids.ts";
import { type Subject, subjectKey } from "../../src/domain/subjects.ts";
import { commitDecision } from "../../src/store/commit-decision.ts";
import type { RunProjection } from "../../src/store/runs/upsert-runs.ts";
import type { Store } from "../../src/store/store.ts";

const HEAD = "a".repeat(40);
const BASE = "b".repeat(40);
/** Events of a run between its first and its last, as a review without a model has them. */
const BETWEEN = 20;
/** How far runs are apart: 10,000 of them take 83 days. */
const APART_MS = 720_000;
/** Runs that are written in one transaction. */
const TOGETHER = 100;

/** Findings whose outcome is known, of a pull request that was merged, and rules that they are of. */
const OUTCOMES = 4;
const RULES = 60;

/**
 * Fills a database with runs over 20 repositories, the first `gates` of them waiting at a gate, every tenth of the others failed. The pull requests
 * of the others were merged. @returns the id of one
 */
export async function fillStore(store: Store, { runs, gates }: { readonly runs: number; readonly gates: number }) {
  const makeId = createIdMaker();
  const now = Date.now();
  let last = "";
  for (let first = 0; first < runs; first += TOGETHER) {
    const made = Array.from({ length: Math.min(TOGETHER, runs - first) }, (_, index) => {
      const number = first + index;
      last = makeId();
      const startedAt = new Date(now - number * APART_MS).toISOString();
      return runNumber(number, last, startedAt, number < gates);
    });
    await commitDecision(store, {
      appends: made.flatMap(({ events, run, learned }) => [
        { traceId: run.traceId, expectedVersion: 0, events },
        ...(learned.length > 0 ? [{ traceId: subjectKey(run.subject), expectedVersion: 0, events: learned }] : []),
      ]),
      run: made.map(({ run }) => run),
      ...{ at: new Date(now).toISOString(), makeId, source: "bench" },
    });
  }
  return last;
}

function runNumber(number: number, traceId: string, startedAt: string, waits: boolean) {
  const repository = { id: 100 + (number % 20), owner: "acme", name: `shop-${number % 20}`, installationId: 7 };
  const subject: Subject = { kind: "pull_request", repository, number: number + 1 };
  const ends = {
    headSha: HEAD,
    baseSha: BASE,
    baseRef: "main",
    headRef: `topic-${number}`,
    headRepositoryId: repository.id,
  };
  const request = { id: `delivery-${number}`, reason: "opened", automatic: true } as const;
  const about = { kind: "review", subject, ends, request, estimatedCostUsd: 0, debounceMs: 0 } as const;
  const task = `review pull request #${number + 1}: A change that has the number ${number}`;
  const actor = { login: `person-${number % 50}`, id: 1 + (number % 50), kind: "user" } as const;
  const question = { type: "cost_overrun", usedUsd: 1, limitUsd: 2, next: "read on" } as const;
  const deadline = new Date(Date.parse(startedAt) + 86_400_000).toISOString();
  const events: NewEvent[] = [
    { type: "run.started", payload: { ...about, task }, actor },
    ...Array.from({ length: BETWEEN }, (_, index): NewEvent => {
      const payload = { agentId: "agent:reviewer:1", about: "pace", message: `Step ${index} took longer than others.` };
      return { type: "agent.warning", payload };
    }),
    ...(waits
      ? [
          {
            type: "gate.requested",
            payload: { gate: "G-1", question, headSha: HEAD, deadline, needs: "write" },
          } as const,
        ]
      : []),
  ];
  const isFailed = !waits && number % 10 === 0;
  if (!waits && !isFailed) events.push(...endOfReview(number));
  const status = waits ? "waiting" : isFailed ? "failed" : "completed";
  const ended = waits ? {} : { endedAt: startedAt };
  const run: RunProjection = {
    ...{ traceId, kind: "review", subject, status, headSha: HEAD, baseSha: BASE, requestId: request.id, startedAt },
    ...{ version: events.length, ...ended },
  };
  return { events, run, learned: waits || isFailed ? [] : learnedOf(number) };
}

function endOfReview(number: number): NewEvent[] {
  const findings = { critical: 0, error: 0, warning: 0, info: 0 };
  return [
    {
      type: "check.settled",
      payload: { check: "forge/review", headSha: HEAD, conclusion: "success", checkRunId: number },
    },
    {
      type: "run.completed",
      payload: {
        ...{ outcome: "approved", conclusion: "success", phases: ["review"], durationMs: 1, artifacts: [] },
        totals: { findings, costUsd: (number % 10) / 10, tokens: 0 },
      },
    },
  ];
}

function learnedOf(number: number): NewEvent[] {
  const outcomes = ["fixed", "fixed", "dismissed", "ignored"] as const;
  return [
    ...Array.from({ length: OUTCOMES }, (_, index): NewEvent => {
      const of = { findingId: `F-${index}`, layer: "static", severity: "warning", category: "style" } as const;
      const rule = `rules/number-${(number * 7 + index) % RULES}`;
      const outcome = outcomes[(number + index) % outcomes.length]!;
      return { type: "feedback.outcome", payload: { cause: "merged", ...of, rule, outcome, placement: "comment" } };
    }),
    {
      type: "metric.collected",
      payload: { cause: "merged", reviews: 1, findings: OUTCOMES, comments: OUTCOMES, firstPass: number % 3 === 0 },
    },
  ];
}
