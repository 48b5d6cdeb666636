import type { PullSignal } from "../../src/domain/implementation.ts";
import type { IssueEnded } from "../../src/domain/inputs.ts";
import { subjectKey } from "../../src/domain/subjects.ts";
import type { Implementation } from "../../src/pipeline/implement/implementation.ts";
import { workOn } from "../../src/pipeline/runs/decision.ts";
import type { Checkpoint } from "./agent.ts";
import { actorOf, ISSUE, type Person } from "./cast.ts";
import { applyEffects } from "./drain.ts";
import { GitHub } from "./github.ts";
import { checkCommitted, checkWorld } from "./invariants.ts";
import { type Job, LeaseLost, Ledger } from "./ledger.ts";
import { Mind } from "./mind.ts";
import { carryOut, type Said, somebodyActs } from "./people.ts";
import type { Held, Work } from "./queue.ts";
import { createRandom, type Random } from "./random.ts";
import { factsOf, workOnRun } from "./work.ts";

/** What GitHub tells Forge. */
export type Heard =
  | { readonly is: "comment"; readonly said: Said }
  | { readonly is: "moved"; readonly by: Person; readonly headSha: string }
  | { readonly is: "signal"; readonly signal: PullSignal }
  | { readonly is: "pull_ended"; readonly by: Person; readonly merged: boolean }
  | { readonly is: "issue_ended"; readonly by: Person; readonly reason: IssueEnded["reason"] };

interface Hands {
  readonly held: Held;
  readonly work: Work;
}

type Review = {
  readonly runId: string;
  readonly headSha: string;
  ended?: ReturnType<Mind["review"]> | { failed: true };
};

const START = Date.parse("2026-11-01T10:00:00.000Z");
const LEASE_MS = 15_000;
const BACKOFF_MS = 10_000;
const MOST_FAILURES = 3;
const MOST_LOST_LEASES = 5;
const HOUR_MS = 3_600_000;

/** A violated invariant ends the world. */
export class Broken extends Error {}

/** Forge, its database, GitHub, models and people in one process: whatever happens next is drawn from the seed. */
export class World {
  readonly random: Random;
  readonly mind: Mind;
  readonly github = new GitHub();
  readonly ledger: Ledger;
  readonly checkpoints = new Map<string, Checkpoint>();
  readonly trees = new Map<string, { head: string }>();
  readonly reviews = new Map<string, Review>();
  readonly spentUsd = new Map<string, number>();
  /** The last steps, for whoever reads why a seed failed. */
  readonly steps: string[] = [];
  now = START;
  crashes = 0;
  checks = 0;
  taken = 0;
  calm = false;
  /** How long to wait for the next thing to happen, before it counts as nothing. */
  patienceMs = Number.POSITIVE_INFINITY;
  readonly #said = new Map<string, Said>();
  readonly #heard: Heard[] = [];
  readonly #hands: (Hands | undefined)[] = [undefined, undefined];
  /** Workers that hang: they go on some time, perhaps when somebody else has their job. */
  #stalled: Hands[] = [];
  readonly #ci: { readonly branch: string; readonly headSha: string }[] = [];
  /** How often people do something, compared with a worker's step of 10. */
  readonly #restless: number;
  #ids = 0;
  readonly ids = () => {
    this.#ids += 1;
    return this.#ids;
  };

  constructor(seed: number) {
    this.random = createRandom(seed);
    this.mind = new Mind(this.random);
    this.#restless = 0.1 + 0.9 * this.random.next() ** 2;
    this.ledger = new Ledger(
      () => this.now,
      () => this.#interfere(),
      (committed) => {
        this.trace(
          `  ${committed.input.type} -> ${committed.decision.appends.flatMap(({ events }) => events.map(({ type }) => type)).join(", ") || "nothing"}`,
        );
        this.checks += checkCommitted(this, committed);
      },
    );
  }

  get latest(): Implementation | undefined {
    return [...this.ledger.runs.values()].at(-1);
  }

  iso(): string {
    return new Date(this.now).toISOString();
  }

  trace(line: string): void {
    this.steps.push(`${this.iso().slice(5, 19)} ${line}`);
  }

  broken(what: string): never {
    throw new Broken(what);
  }

  /** One thing happens. @returns false where nothing can but the passing of time, and nothing is waited for */
  step(): boolean {
    this.taken += 1;
    this.now += this.random.between(0, 800);
    const what = this.#choose();
    if (what === undefined) return this.#wait();
    what();
    this.checks += checkWorld(this);
    return true;
  }

  hear(heard: Heard): void {
    this.trace(`GitHub: ${JSON.stringify(heard)}`);
    // People write another comment when nothing happens; all else may be lost for good.
    if (heard.is !== "comment" && this.mind.bad(0.1)) return;
    this.#heard.push(heard);
    if (this.mind.bad(0.15)) this.#heard.push(heard);
  }

  ciSoon(branch: string, headSha: string): void {
    if (this.mind.bad(0.5)) this.#ci.push({ branch, headSha });
  }

  /** Forge pushed over a branch: what people had put there has to be in it. */
  pushed(branch: string, before: string, after: string): void {
    const { commits } = this.github;
    for (const [sha, { by }] of commits) {
      if (by === "forge" || !this.github.contains(before, sha) || this.github.contains(after, sha)) continue;
      this.broken(`${branch} lost ${sha}, a commit of ${by}`);
    }
  }

  #choose(): (() => void) | undefined {
    const { random } = this;
    const hands = this.#hands.flatMap((busy, index): [number, () => void][] => {
      if (busy) return [[10, () => this.#advance(index, busy)]];
      const isFree = !this.calm || index === 0;
      return isFree && this.#canClaim() ? [[6, () => this.#claim(index)]] : [];
    });
    const pending = [...this.reviews.values()].filter(({ ended }) => !ended);
    return random.weigh<() => void>([
      ...hands,
      [this.#stalled.length > 0 ? 2 : 0, () => this.#wake()],
      [this.#heard.length > 0 ? 4 : 0, () => this.#listen()],
      [pending.length > 0 ? 3 : 0, () => this.#endReview(pending[random.between(0, pending.length - 1)]!)],
      [this.#ci.length > 0 ? 1 : 0, () => this.#endCi()],
      [this.calm ? 0 : this.#restless, () => somebodyActs(this)],
      [this.calm ? 0 : this.#restless / 6, () => this.#pass(random.between(1, 30) * HOUR_MS)],
    ]);
  }

  #pass(milliseconds: number): void {
    this.now += milliseconds;
  }

  /** Nothing to do at this moment: the clock goes to when there is. */
  #wait(): boolean {
    const moments = [...this.ledger.jobs.values()].flatMap(({ state, runAt, leaseUntil }) =>
      state === "queued" ? [runAt] : state === "running" ? [leaseUntil] : [],
    );
    const next = Math.min(...moments);
    if (moments.length === 0 || next - this.now > this.patienceMs) return false;
    this.now = Math.max(this.now, next);
    return true;
  }

  #canClaim(): boolean {
    const held = new Set<string>();
    const jobs = [...this.ledger.jobs.values()];
    for (const { state, leaseUntil, made } of jobs)
      if (state === "running" && leaseUntil > this.now) held.add(made.key);
    return jobs.some(
      ({ state, runAt, leaseUntil, made }) =>
        !held.has(made.key) &&
        ((state === "queued" && runAt <= this.now) || (state === "running" && leaseUntil <= this.now)),
    );
  }

  #claim(index: number): void {
    const job = this.ledger.claim(LEASE_MS);
    if (!job) return;
    const { lostLeases, failures } = job;
    const held = { job, fence: { job: job.id, token: job.token }, attempt: failures + lostLeases + 1 };
    if (job.made.kind !== "effects") this.trace(`worker ${index} takes ${job.made.kind}, attempt ${held.attempt}`);
    if (lostLeases > MOST_LOST_LEASES) this.#bury(job);
    else this.#hands[index] = { held, work: this.#workFor(held) };
  }

  #workFor(held: Held): Work {
    const { made } = held.job;
    switch (made.kind) {
      case "implement":
        return workOnRun(this, held, made.payload.runId);
      case "effects":
        return applyEffects(this, held, made.payload.subject);
      case "command":
        return carryOut(this, held, this.#said.get(made.payload.source.id)!);
      default:
        throw new Error(`nobody does ${made.kind} here`);
    }
  }

  #advance(index: number, hands: Hands): void {
    const { job, fence } = hands.held;
    if (this.mind.bad(0.02)) {
      this.crashes += 1;
      this.trace(`worker ${index} dies`);
      this.#hands[index] = undefined;
      return;
    }
    if (this.mind.bad(0.01)) {
      this.trace(`worker ${index} hangs`);
      this.#hands[index] = undefined;
      this.#stalled.push(hands);
      return;
    }
    const isOurs = job.state === "running" && job.token === fence.token;
    if (isOurs && job.cancelled && this.random.chance(0.5)) {
      this.trace(`worker ${index} lets go of ${job.id}`);
      this.ledger.jobs.delete(job.id);
      this.#hands[index] = undefined;
      return;
    }
    // A sign of life.
    if (isOurs) job.leaseUntil = this.now + LEASE_MS;
    if (this.#goOn(hands)) this.#hands[index] = undefined;
  }

  #wake(): void {
    const [first, ...rest] = this.#stalled;
    this.#stalled = rest;
    this.trace("a worker that hung goes on");
    if (!this.#goOn(first!) && this.random.chance(0.7)) this.#stalled.push(first!);
  }

  /** @returns whether the work is over */
  #goOn({ held, work }: Hands): boolean {
    const { job, fence } = held;
    const isOurs = () => this.ledger.jobs.get(job.id)?.token === fence.token && job.state === "running";
    try {
      const { done, value } = work.next();
      if (!done) return false;
      if (!isOurs()) return true;
      if (value && !job.cancelled) {
        job.state = "queued";
        job.runAt = value.retryAt;
      } else this.ledger.jobs.delete(job.id);
      return true;
    } catch (error) {
      if (error instanceof Broken || !(error instanceof Error)) throw error;
      if (error instanceof LeaseLost) return true;
      if (error.constructor.name !== "Failure") throw error;
      if (!isOurs()) return true;
      if (job.cancelled) this.ledger.jobs.delete(job.id);
      else if (job.failures + 1 >= MOST_FAILURES) this.#bury(job);
      else {
        job.failures += 1;
        job.state = "queued";
        job.runAt = this.now + BACKOFF_MS;
      }
      return true;
    }
  }

  #bury(job: Job): void {
    this.trace(`job ${job.id} is dead`);
    if (job.made.kind === "implement") {
      const { runId } = job.made.payload;
      const error = factsOf(new Error("it failed for good"));
      const failed = { type: "work.failed", runId, error, attempts: job.failures + 1, final: true } as const;
      this.ledger.submit({ ...failed, subject: ISSUE, at: this.iso(), newRunId: "unused" });
    }
    job.state = "dead";
    this.ledger.jobs.delete(job.id);
  }

  /** Webhooks come in any order. */
  #listen(): void {
    const at = this.mind.bad(0.3) ? this.random.between(0, this.#heard.length - 1) : 0;
    const [heard] = this.#heard.splice(at, 1);
    this.#take(heard!);
  }

  #take(heard: Heard): void {
    const common = { subject: ISSUE, at: this.iso(), newRunId: `unused-${this.ids()}` };
    switch (heard.is) {
      case "comment": {
        const { said } = heard;
        const source = { kind: said.label ? ("label" as const) : ("issue_comment" as const), id: String(said.id) };
        this.#said.set(source.id, said);
        this.ledger.submit({
          ...common,
          type: "request.made",
          source,
          by: actorOf(said.by),
          deliveryId: "d",
          plain: false,
        });
        return;
      }
      case "moved":
        // What is on record is not told again.
        if ([...this.ledger.rows.values()].some(({ headSha }) => headSha === heard.headSha)) return;
        this.ledger.submit({ ...common, type: "branch.moved", by: actorOf(heard.by), headSha: heard.headSha });
        return;
      case "signal":
        this.ledger.submit({ ...common, type: "pull.signalled", signal: heard.signal });
        return;
      case "pull_ended":
        this.ledger.submit({ ...common, type: "pull.ended", by: actorOf(heard.by), merged: heard.merged });
        return;
      case "issue_ended":
        this.ledger.submit({ ...common, type: "issue.ended", by: actorOf(heard.by), reason: heard.reason });
    }
  }

  #endReview(review: Review): void {
    const { runId, headSha } = review;
    review.ended = this.mind.bad(0.05) ? { failed: true } : this.mind.review(headSha, `review-${this.ids()}`);
    this.trace(`the review of ${headSha.slice(-4)} ends`);
    this.ledger.enqueue(workOn({ runId, subject: ISSUE }, this.iso()));
  }

  #endCi(): void {
    const [{ headSha, branch }] = this.#ci.splice(0, 1) as [{ headSha: string; branch: string }];
    if (!this.github.openPullOf(branch)) return;
    const checkRunId = this.github.id();
    const facts = { headSha, name: "build", app: "actions", checkRunId, conclusion: "failure" };
    // Only heads that Forge wrote are looked for.
    if (![...this.ledger.rows.values()].some((row) => row.headSha === headSha)) return;
    this.hear({ is: "signal", signal: { from: "ci", ...facts } });
  }

  /** Somebody is faster than a decision that is about to be written. */
  #interfere(): void {
    if (this.#heard.length > 0 && this.mind.bad(0.05)) this.#listen();
  }

  /** Where the log of the run's subject stands. */
  get own(): string {
    return subjectKey(ISSUE);
  }
}
