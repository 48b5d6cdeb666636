import { randomUUID } from "node:crypto";
import { createOutlineMemory } from "../../analysis/map/read-graph.ts";
import { defined } from "../../domain/defined.ts";
import { ForgeError } from "../../domain/errors.ts";
import type { Gate } from "../../domain/gates.ts";
import type { JobKind } from "../../domain/jobs.ts";
import { type JobTable, type QueueLog, systemClock } from "../../queue/ports.ts";
import { runJob } from "../../queue/run-job.ts";
import { claimJob, nextRunAt } from "../../store/jobs/claim-job.ts";
import { type Implementation, isAtWork, openGates } from "../implement/implementation.ts";
import { giveUpWork, runWork } from "../implement/work/run-work.ts";
import type { WorkDependencies } from "../implement/work/work-job.ts";
import { readReview } from "../review/load-view.ts";
import type { ReviewDependencies } from "../review/work/review-job.ts";
import { giveUpReview, runReview } from "../review/work/run-review.ts";
import { createEffectDrain, type EffectDrain, type EffectLog, giveUpEffect } from "../runs/effects/drain-effects.ts";
import { createLocalHost } from "./local-host.ts";
import { give, keysOf, type LocalDependencies, type LocalRun, readLocalRun } from "./local-run.ts";
import { createLocalSender } from "./send-locally.ts";

/** A person's answer at a gate; `later` leaves it open. */
export type Word =
  | { readonly is: "yes" | "no"; readonly note?: string }
  /** To a question. */
  | { readonly is: "answer"; readonly text: string }
  | { readonly is: "later" };

export interface People {
  readonly ask: (gate: Gate, run: Implementation) => Promise<Word>;
  /** An answer was not taken; the gate is asked again. */
  readonly refused: (gate: Gate, reason: string) => void;
  /** Somebody is waited for: the provider of a model, until then (ISO 8601). */
  readonly waiting: (until: string) => void;
  /** The step in flight is cut off. What was recorded stays, and the work goes on from there. */
  readonly signal: AbortSignal;
}

type LocalJobDependencies = LocalDependencies & WorkDependencies & ReviewDependencies;

/** Of the jobs that there are, those of a run without GitHub. */
const LOCAL_JOBS = {
  implement: { takes: "minutes", run: runWork, giveUp: giveUpWork },
  review: { takes: "minutes", run: runReview, giveUp: giveUpReview },
  effects: {
    takes: "moments",
    run: (dependencies, { subject }, context) => drainOf(dependencies)(subject, context),
    giveUp: (dependencies, payload, dead) => giveUpEffect({ ...dependencies, log: UNHEARD }, payload, dead),
  },
} satisfies JobTable<LocalJobDependencies>;

/** Failures are in the events of the run, and the end tells them. */
const UNHEARD: EffectLog & QueueLog = { info: () => {}, warn: () => {}, error: () => {} };

function drainOf(dependencies: LocalDependencies): EffectDrain {
  return createEffectDrain({ ...dependencies, log: UNHEARD, send: createLocalSender(dependencies) });
}

const KINDS = Object.keys(LOCAL_JOBS) as readonly JobKind[];
const LAST_KINDS: readonly JobKind[] = ["effects"];
const LEASE_MS = 15_000;
const MOST_ATTEMPTS = 3;

/**
 * Works on a run until it is done, stands still, or a person does not answer now; every job in turn, so that the same replies of the models
 * give the same work.
 * @returns the run as it stands then
 */
export async function workLocally(
  dependencies: LocalDependencies,
  local: LocalRun,
  people: People,
): Promise<Implementation> {
  const { store, now } = dependencies;
  const keys = keysOf(local.subject);
  const outlines = createOutlineMemory();
  const reads = { readReview: (runId: string) => readReview(store, runId), readStandings: async () => [] };
  const beside = { outlines, author, ...reads };
  const options = {
    store,
    jobs: LOCAL_JOBS,
    clock: systemClock,
    leaseMs: LEASE_MS,
    maxAttempts: MOST_ATTEMPTS,
    log: UNHEARD,
  };
  const workerId = randomUUID();
  for (;;) {
    const run = await readLocalRun(dependencies, local);
    if (!run) throw gone(local.runId);
    if (people.signal.aborted) return run;
    // What was decided last is still carried out: the branch of a run that stopped half-way, say.
    const kinds = isOver(run) ? LAST_KINDS : KINDS;
    const job = await claimJob(store, { workerId, now: now(), leaseMs: LEASE_MS, kinds, keys });
    if (job) {
      const host = hostOf(dependencies, local, run);
      const running = runJob(job, { ...options, dependencies: { ...dependencies, ...beside, host } });
      const cut = () => running.abort("shutdown");
      people.signal.addEventListener("abort", cut, { once: true });
      await running.done;
      people.signal.removeEventListener("abort", cut);
      continue;
    }
    if (isOver(run)) return run;
    const [gate] = openGates(run);
    if (gate) {
      const word = await people.ask(gate, run);
      if (word.is === "later") return run;
      const refusal = await give(dependencies, local.subject, commandFor(gate, word));
      if (refusal) people.refused(gate, refusal.reason);
      continue;
    }
    if (!isAtWork(run)) return run;
    await untilDue(dependencies, keys, people);
  }
}

/** Whether nothing is left to do without a person: ended, stopped, or handed over. */
function isOver(run: Implementation): boolean {
  return run.end !== undefined || run.stopped !== undefined;
}

function commandFor({ gate }: Gate, word: Exclude<Word, { is: "later" }>) {
  if (word.is === "answer") return { name: "answer", text: word.text } as const;
  return { name: word.is === "yes" ? "approve" : "reject", gate, ...defined({ note: word.note }) } as const;
}

async function untilDue({ store, now }: LocalDependencies, keys: readonly string[], people: People): Promise<void> {
  const next = await nextRunAt(store, KINDS, keys);
  if (next === undefined) throw gone("nothing is left to do for it");
  const waitMs = Math.max(10, Date.parse(next) - Date.parse(now()));
  if (waitMs > 1_000) people.waiting(next);
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      people.signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, waitMs);
    people.signal.addEventListener("abort", done, { once: true });
  });
}

function hostOf(dependencies: LocalDependencies, local: LocalRun, { issue }: Implementation) {
  const { checkout, mirrorRoot } = dependencies;
  const { repository } = local.subject;
  const readRun = () => readLocalRun(dependencies, local);
  return createLocalHost({ checkout, repository, base: local.base, issue, mirrorRoot, readRun });
}

/** Commits can be taken over when the branch is merged: git rebase --reset-author. */
const author = async () => ({ name: "forge", email: "forge@localhost" });

function gone(what: string): ForgeError {
  return new ForgeError("run_lost", `The run cannot go on: ${what}.`, { source: "logic", recoverability: "none" });
}

/**
 * What may be answered without a person (`--yes`): a plan of low or medium risk, and money, both up to what the repository spends without being
 * asked. A high risk, a question, a failing test, a finding or a refused call is a person's to judge, always.
 */
export function answerByRules({ question }: Gate, { configuration }: Pick<Implementation, "configuration">): Word {
  const most = configuration?.safety.confirm_over_usd ?? 0;
  switch (question.type) {
    case "architecture_approval": {
      const isMild = question.risk === "low" || question.risk === "medium";
      return { is: isMild && question.highUsd <= most ? "yes" : "later" };
    }
    case "cost_overrun":
      return { is: question.limitUsd <= most ? "yes" : "later" };
    case "question":
    case "tool_call":
    case "security_finding":
    case "high_risk_change":
    case "test_failure":
    case "bounces_used":
    case "production_deploy":
      return { is: "later" };
  }
}
