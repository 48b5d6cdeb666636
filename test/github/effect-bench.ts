import { ProbotOctokit } from "probot";
import type { EffectResult } from "../../src/domain/effects.ts";
import type { Anchors } from "../../src/domain/hunks.ts";
import type { Octokit } from "../../src/github/ask.ts";
import { applyEffect } from "../../src/github/effects/apply-effect.ts";
import type { EffectPorts, PendingEffect } from "../../src/github/effects/effect-ports.ts";
import type { GitHubRepository } from "../../src/github/github-repository.ts";
import { octokitRepository } from "../../src/github/octokit-port.ts";
import type { EffectOutcome } from "../../src/pipeline/runs/effects/write-port.ts";
import { type FakeGitHub, startFakeGitHub } from "./fake-github.ts";
import { headSha, wording } from "./samples.ts";

export const markerSecret = "a secret for tests only";
export const NOW = "2026-11-20T10:00:00.000Z";

const PlainOctokit = ProbotOctokit.defaults((options: object) => ({
  ...options,
  throttle: { enabled: false },
  retry: { enabled: false },
  log: { debug() {}, info() {}, warn() {}, error() {} },
}));

export function plainOctokit(baseUrl: string, token = "test"): Octokit {
  return new PlainOctokit({ baseUrl, auth: { token } }) as Octokit;
}

export interface Bench {
  readonly github: FakeGitHub;
  readonly ports: EffectPorts;
  /** Results of effects that were applied; `apply` adds to it. */
  readonly results: Map<string, EffectResult>;
  readonly recorded: () => number;
  /** What was written down of attempts, in order. */
  readonly counted: ("sending" | "sending on" | "unanswered")[];
  apply(effect: PendingOf<"check.open" | "check.start" | "check.complete" | "review.post">): Promise<EffectOutcome>;
}

/** An effect as it is stored. */
export type PendingOf<K extends PendingEffect["kind"]> = Extract<PendingEffect, { kind: K }>;

/** Nothing remembered, nothing counted; pushes go well. */
export function effectPorts(repository: GitHubRepository, change: Partial<EffectPorts> = {}): EffectPorts {
  return {
    repository,
    writes: { ...repository, pushBranch: async () => ({ is: "pushed" }) },
    results: async () => undefined,
    earlier: async () => undefined,
    markerSecret,
    now: () => NOW,
    budget: { take: async () => {}, pause: async () => {} },
    sending: async () => {},
    unanswered: async () => {},
    wording,
    ...change,
  };
}

/** Effects over the real Octokit implementation against a server that behaves like GitHub. */
export async function startBench(change: Partial<EffectPorts> = {}): Promise<Bench> {
  const github = await startFakeGitHub();
  const results = new Map<string, EffectResult>();
  const counted: Bench["counted"] = [];
  let writes = 0;
  const repository = octokitRepository(
    plainOctokit(github.url),
    { owner: "acme", name: "shop" },
    { timeoutMs: 60_000 },
  );
  const ports = effectPorts(repository, {
    results: async (key) => results.get(key),
    budget: {
      take: async () => {
        writes += 1;
      },
      pause: async () => {},
    },
    sending: async (first) => void counted.push(first ? "sending" : "sending on"),
    unanswered: async () => void counted.push("unanswered"),
    ...change,
  });
  return {
    github,
    ports,
    results,
    recorded: () => writes,
    counted,
    apply: async (effect) => {
      const outcome = await applyEffect(effect, ports);
      if (outcome.kind === "done") results.set(effect.key, outcome.result);
      return outcome;
    },
  };
}

/** `src/run.ts` with lines 1 to 100 in the diff. */
export function shownFile(hunks: Anchors["hunks"] = [{ newStart: 1, newEnd: 100 }]): Anchors {
  return { path: "src/run.ts", hunks };
}

const common = {
  runId: "01JD2C3V4B5N6M7Q8W9E0R1T2Y",
  subject: {
    kind: "pull_request" as const,
    number: 7,
    repository: { id: 1, owner: "acme", name: "shop", installationId: 2 },
  },
  state: "planned",
  attempts: 0,
};

export const OPEN: PendingOf<"check.open"> = {
  ...common,
  kind: "check.open",
  key: "pull_request:1:7/head/check.open/d1",
  payload: { check: "forge/review", headSha },
};

export const START: PendingOf<"check.start"> = {
  ...common,
  kind: "check.start",
  key: "pull_request:1:7/head/check.start/d1",
  payload: { check: "forge/review", headSha, openKey: OPEN.key },
};

export function review(
  findings: PendingOf<"review.post">["payload"]["findings"],
  to: Partial<PendingOf<"review.post">["payload"]> = {},
): PendingOf<"review.post"> {
  return {
    ...common,
    kind: "review.post",
    key: "pull_request:1:7/head/review.post/d1",
    payload: { headSha, findings, anchors: [shownFile()], maxComments: 20, ...to },
  };
}

export function complete(payload: Partial<PendingOf<"check.complete">["payload"]>): PendingOf<"check.complete"> {
  return {
    ...common,
    kind: "check.complete",
    key: "pull_request:1:7/head/check.complete/d1",
    payload: {
      check: "forge/review",
      headSha,
      conclusion: "success",
      report: { kind: "skipped", reason: "draft" },
      ...payload,
    },
  };
}

/** The same effect as it is found after an attempt that began a minute ago. */
export function again<E extends { readonly attempts: number }>(effect: E): E {
  return { ...effect, state: "sending", sendingSince: "2026-11-20T09:59:00.000Z", attempts: effect.attempts + 1 };
}
