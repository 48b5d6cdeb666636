import type { Effect } from "../../src/domain/effects.ts";
import type { NewEvent } from "../../src/domain/events.ts";
import type { Finding } from "../../src/domain/findings.ts";
import { createIdMaker } from "../../src/domain/ids.ts";
import type { RunStatus } from "../../src/domain/phases.ts";
import type { NumberedSubject } from "../../src/domain/subjects.ts";
import type { Decision } from "../../src/store/commit-decision.ts";
import type { RunProjection } from "../../src/store/runs/upsert-runs.ts";

export const HEAD = "a".repeat(40);

/** Moments in order, a second apart. */
export function at(second: number): string {
  return new Date(Date.UTC(2026, 10, 20, 10, 0, second)).toISOString();
}

export function pullRequest(number = 1, installationId = 7, repositoryId = 100): NumberedSubject {
  return {
    kind: "pull_request",
    repository: { id: repositoryId, owner: "acme", name: "shop", installationId },
    number,
  };
}

export function happened(deliveryId = "d-1"): NewEvent {
  return { type: "webhook.received", payload: { deliveryId, event: "push" } };
}

export function finding(id: string, change: Partial<Finding> = {}): Finding {
  return {
    id,
    fingerprint: `print-of-${id}`,
    source: "static",
    rule: "biome/suspicious/noDoubleEquals",
    severity: "warning",
    category: "correctness",
    file: "src/a.ts",
    line: 3,
    endLine: 3,
    message: "`==` compares after conversion.",
    confidence: 0.9,
    ...change,
  };
}

export function opening(key: string): Effect {
  return { kind: "check.open", key, payload: { check: "forge/review", headSha: HEAD } };
}

export function run(traceId: string, status: RunStatus, change: Partial<RunProjection> = {}): RunProjection {
  return {
    traceId,
    kind: "review",
    subject: pullRequest(),
    status,
    headSha: HEAD,
    baseSha: "b".repeat(40),
    requestId: "delivery-1",
    startedAt: at(0),
    version: 1,
    ...change,
  };
}

const makeId = createIdMaker();

/** A decision that appends one event to a new run, changed as the test wants it. */
export function decision(change: Partial<Decision> = {}): Decision {
  return {
    appends: [{ traceId: "run-1", expectedVersion: 0, events: [happened()] }],
    at: at(1),
    makeId,
    source: "test",
    ...change,
  };
}
