import type { Effect, EffectResult } from "../../src/domain/effects.ts";
import { GENESIS, type NewEvent, type RunEvent, sealEvent } from "../../src/domain/events.ts";
import type { CommonInput, IssueInput } from "../../src/domain/inputs.ts";
import type { NewJob } from "../../src/domain/jobs.ts";
import { ACTIVE_STATUSES, type RunStatus } from "../../src/domain/phases.ts";
import { type Subject, subjectKey } from "../../src/domain/subjects.ts";
import { decideIssue } from "../../src/pipeline/implement/decide.ts";
import { evolveImplementation } from "../../src/pipeline/implement/evolve.ts";
import type { Implementation } from "../../src/pipeline/implement/implementation.ts";
import { projectImplementation } from "../../src/pipeline/implement/status-of.ts";
import type { IssueView } from "../../src/pipeline/implement/view.ts";
import type { Decision } from "../../src/pipeline/runs/decision.ts";
import { PIPELINES, type PipelineDefinition } from "../../src/pipeline/runs/definition.ts";
import { evolveSubject, NO_FACTS, type SubjectFacts } from "../../src/pipeline/runs/subject-facts.ts";
import type { RunProjection } from "../../src/store/runs/upsert-runs.ts";
import { ISSUE } from "./cast.ts";

export interface Job {
  readonly id: number;
  readonly made: NewJob;
  state: "queued" | "running" | "dead";
  runAt: number;
  leaseUntil: number;
  token: number;
  failures: number;
  lostLeases: number;
  cancelled: boolean;
}

export interface Fence {
  readonly job: number;
  readonly token: number;
}

export interface EffectRow {
  readonly effect: Effect;
  readonly runId: string;
  readonly subject: Subject;
  state: "planned" | "sending" | "done" | "failed" | "obsolete";
  sendingSince?: number;
  result?: EffectResult;
}

export interface Settles {
  readonly key: string;
  readonly state: "done" | "failed" | "obsolete";
  readonly result?: EffectResult;
}

/** The job was taken over by another worker. */
export class LeaseLost extends Error {}
class LostRace extends Error {}

export interface Committed {
  readonly input: IssueInput | CommonInput;
  readonly view: IssueView;
  readonly decision: Decision;
}

const DAY_MS = 24 * 3_600_000;
const OWN = subjectKey(ISSUE);

/** The database, in memory: events with versions, projections, effects and jobs, written all or nothing as `handleInput` has them written. */
export class Ledger {
  readonly events = new Map<string, RunEvent[]>();
  readonly runs = new Map<string, Implementation>();
  readonly rows = new Map<string, RunProjection>();
  readonly effects = new Map<string, EffectRow>();
  readonly jobs = new Map<number, Job>();
  facts: SubjectFacts = NO_FACTS;
  races = 0;
  readonly #now: () => number;
  readonly #interfere: () => void;
  readonly #seen: (committed: Committed) => void;
  readonly #pipeline: PipelineDefinition;
  #ids = 0;
  #interfering = false;

  /** @param interfere what others may do between a decision and its writing */
  constructor(
    now: () => number,
    interfere: () => void,
    seen: (committed: Committed) => void,
    pipeline: PipelineDefinition = PIPELINES.implement,
  ) {
    this.#pipeline = pipeline;
    this.#now = now;
    this.#interfere = interfere;
    this.#seen = seen;
  }

  submit(input: IssueInput | CommonInput, fence?: Fence, settles?: Settles): { readonly ignored?: string } {
    for (let attempt = 1; ; attempt += 1) {
      const view = this.view(input);
      const decision = decideIssue(view, input);
      if (decision.ignored !== undefined) return { ignored: decision.ignored };
      if (!this.#interfering) {
        this.#interfering = true;
        this.#interfere();
        this.#interfering = false;
      }
      try {
        this.#commit(decision, input, fence, settles);
        this.#seen({ input, view, decision });
        return {};
      } catch (error) {
        if (!(error instanceof LostRace) || attempt >= 8) throw error;
        this.races += 1;
      }
    }
  }

  view(input: IssueInput | CommonInput): IssueView {
    const all = [...this.runs.values()];
    const isActive = ({ runId }: Implementation) =>
      (ACTIVE_STATUSES as readonly RunStatus[]).includes(this.rows.get(runId)!.status);
    const active = all.find(isActive);
    const addressed = "runId" in input && input.runId !== OWN ? this.runs.get(input.runId) : undefined;
    const latest = all.at(-1);
    const since = Date.parse(input.at) - DAY_MS;
    const recent = all
      .filter(({ startedAt }) => Date.parse(startedAt) >= since)
      .map(({ runId }) => {
        const { headSha, requestId, startedAt, status, conclusion } = this.rows.get(runId)!;
        return { runId, headSha, requestId, startedAt, status, ...(conclusion ? { conclusion } : {}) };
      });
    return {
      ...(active ? { active } : {}),
      ...(addressed ? { addressed } : {}),
      ...(latest ? { latest } : {}),
      recent: recent.reverse(),
      facts: this.facts,
      repository: { dismissals: [] },
      gates: all.flatMap(({ gates }) => gates),
      pipeline: this.#pipeline,
    };
  }

  guard({ job, token }: Fence): void {
    const held = this.jobs.get(job);
    if (held?.state !== "running" || held.token !== token) throw new LeaseLost("the job is held by another worker");
  }

  enqueue(made: NewJob): void {
    this.#ids += 1;
    const rest = { leaseUntil: 0, token: 0, failures: 0, lostLeases: 0, cancelled: false };
    this.jobs.set(this.#ids, { id: this.#ids, made, state: "queued", runAt: Date.parse(made.runAt), ...rest });
  }

  /** The job whose turn it is and whose key is not at work; what a dead worker had is free once its lease is over. */
  claim(leaseMs: number): Job | undefined {
    const now = this.#now();
    for (const job of this.jobs.values()) {
      if (job.state !== "running" || job.leaseUntil > now) continue;
      if (job.cancelled) this.jobs.delete(job.id);
      else {
        job.state = "queued";
        job.lostLeases += 1;
      }
    }
    const held = new Set(
      [...this.jobs.values()].filter(({ state }) => state === "running").map(({ made }) => made.key),
    );
    const free = [...this.jobs.values()]
      .filter(({ state, runAt, made }) => state === "queued" && runAt <= now && !held.has(made.key))
      .sort((a, b) => a.runAt - b.runAt || a.id - b.id);
    const [job] = free;
    if (!job) return undefined;
    job.state = "running";
    job.token += 1;
    job.leaseUntil = now + leaseMs;
    return job;
  }

  settle({ key, state, result }: Settles): void {
    const row = this.effects.get(key);
    if (row?.state !== "planned" && row?.state !== "sending") return;
    row.state = state;
    if (result) row.result = result;
  }

  /** Not settled yet, in the order in which they were decided. */
  waiting(subject: Subject): EffectRow[] {
    const of = subjectKey(subject);
    return [...this.effects.values()].filter(
      (row) => subjectKey(row.subject) === of && (row.state === "planned" || row.state === "sending"),
    );
  }

  #commit(decision: Decision, input: IssueInput | CommonInput, fence?: Fence, settles?: Settles): void {
    for (const { runId, expectedVersion } of decision.appends) {
      if ((this.events.get(runId)?.length ?? 0) !== expectedVersion) throw new LostRace(runId);
    }
    const sealed = decision.appends.map(({ runId, events }) => this.#seal(runId, events, input));
    const runs = new Map(this.runs);
    const rows = new Map(this.rows);
    for (const events of sealed) {
      const runId = events[0]!.traceId;
      if (runId === OWN) continue;
      const run = events.reduce<Implementation | undefined>(evolveImplementation, runs.get(runId))!;
      runs.set(runId, run);
      rows.set(runId, projectImplementation(run));
    }
    const active = [...rows.values()].filter(({ status }) =>
      (ACTIVE_STATUSES as readonly RunStatus[]).includes(status),
    );
    if (active.length > 1) throw new LostRace("another run is active");
    if (fence) this.guard(fence);
    for (const events of sealed) {
      const runId = events[0]!.traceId;
      this.events.set(runId, [...(this.events.get(runId) ?? []), ...events]);
      if (runId === OWN) this.facts = events.reduce(evolveSubject, this.facts);
    }
    for (const [id, run] of runs) this.runs.set(id, run);
    for (const [id, row] of rows) this.rows.set(id, row);
    for (const { runId, subject = input.subject, effects } of decision.effects) {
      for (const effect of effects) {
        // One whose key is there already was decided before and stays as it is (GH-13).
        if (!this.effects.has(effect.key)) this.effects.set(effect.key, { effect, runId, subject, state: "planned" });
      }
    }
    if (settles) this.settle(settles);
    for (const job of this.jobs.values()) {
      if (job.made.runId === undefined || !decision.cancelJobsOfRuns.includes(job.made.runId)) continue;
      if (job.state === "queued") this.jobs.delete(job.id);
      else job.cancelled = true;
    }
    for (const job of decision.jobs) this.enqueue(job);
  }

  #seal(runId: string, events: readonly NewEvent[], { at, type }: IssueInput | CommonInput): RunEvent[] {
    const before = this.events.get(runId) ?? [];
    let previousHash = before.at(-1)?.hash ?? GENESIS;
    return events.map((event, index) => {
      this.#ids += 1;
      const seal = { id: String(this.#ids).padStart(26, "0"), traceId: runId, version: before.length + index + 1 };
      const sealed = sealEvent(event, { ...seal, at, source: type, previousHash });
      previousHash = sealed.hash;
      return sealed;
    });
  }
}
