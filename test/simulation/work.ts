import type { Feedback, FeedbackAnswer, PullSignal, WorkCommit } from "../../src/domain/implementation.ts";
import type { IssueInput, SubjectGone } from "../../src/domain/inputs.ts";
import type { Phase } from "../../src/domain/phases.ts";
import { FORGE } from "../../src/domain/subjects.ts";
import { headOf, type Implementation } from "../../src/pipeline/implement/implementation.ts";
import { outcomeOf } from "../../src/pipeline/implement/work/review-pull.ts";
import { nextWork } from "../../src/pipeline/implement/work/run-work.ts";
import { Awaits, Failure, type Halt, Later, runAgent, Stopped } from "./agent.ts";
import { BASE, ISSUE } from "./cast.ts";
import type { Held, Work } from "./queue.ts";
import type { World } from "./world.ts";

type Input = IssueInput | SubjectGone;
type Fields<T> = T extends Input ? Omit<T, "subject" | "at" | "newRunId"> : never;

const LAG_MS = 3_000;

/** What `runWork` does for a run, step by step, with agents, git and GitHub that are made of chance. */
export function* workOnRun(world: World, held: Held, runId: string): Work {
  const site = new Site(world, held, runId);
  try {
    yield* site.observe();
    for (let before = -1; ; ) {
      const { run } = site;
      if (!run || run.version === before) return undefined;
      before = run.version;
      yield* site.doNext(run);
    }
  } catch (error) {
    if (error instanceof Stopped) return undefined;
    if (error instanceof Later) return { retryAt: world.now + site.park(error) };
    if (error instanceof Failure) {
      site.tell({ type: "work.failed", runId, error: factsOf(error), attempts: held.attempt, final: false });
    }
    throw error;
  }
}

export function factsOf({ message }: Error) {
  const kind = { code: "model_failed", source: "llm", severity: "high", recoverability: "auto" } as const;
  return { ...kind, message, context: {} };
}

class Site {
  readonly #world: World;
  readonly #held: Held;
  readonly #runId: string;
  #began: number;

  constructor(world: World, held: Held, runId: string) {
    this.#world = world;
    this.#held = held;
    this.#runId = runId;
    this.#began = world.now;
  }

  get run(): Implementation | undefined {
    return this.#world.ledger.runs.get(this.#runId);
  }

  tell(fields: Fields<Input>): void {
    const { ledger, ids } = this.#world;
    const common = { subject: ISSUE, at: this.#world.iso(), newRunId: `unused-${ids()}` };
    ledger.submit({ ...fields, ...common } as Input, this.#held.fence);
  }

  park(error: Later): number {
    const until = new Date(this.#world.now + 30_000).toISOString();
    if (error.message !== "lag") this.tell({ type: "work.parked", runId: this.#runId, until, message: error.message });
    return error.message === "lag" ? LAG_MS : 30_000;
  }

  *observe(): Generator<void> {
    const { run } = this;
    if (!run) return;
    const { github, mind } = this.#world;
    const { attempt } = this.#held;
    const observed = { type: "work.observed", runId: run.runId, attempt } as const;
    if (run.configuration && run.base) {
      const { configuration, base } = run;
      if (run.pull) this.#look(run);
      this.tell({ ...observed, open: true, configuration, base });
    } else {
      const configuration = mind.configuration();
      this.tell({ ...observed, open: github.issue.open, configuration, base: { ref: "main", sha: BASE } });
    }
    yield;
  }

  *#inPhase(run: Implementation, phase: Phase): Generator<void> {
    switch (phase) {
      case "planning":
        return yield* this.#plan(run);
      case "implementation":
        return yield* this.#implement(run);
      case "review":
        return yield* this.#review(run);
      case "testing":
        return yield* this.#test(run);
      default:
        throw new Error(`nobody works in ${phase}`);
    }
  }

  *doNext(run: Implementation): Generator<void> {
    const next = nextWork(run);
    this.#began = this.#world.now;
    this.#world.trace(`  works: ${next.is}`);
    try {
      switch (next.is) {
        case "phase":
          return yield* this.#inPhase(run, next.phase);
        case "join":
          return yield* this.#join(run);
        case "read":
          yield;
          return this.#read(run, next.signal);
        case "look":
          if (!this.#look(run) && this.#world.mind.bad(0.1)) this.#halted({ reason: "`main` has moved" });
          return;
        case "nothing":
          return;
      }
    } catch (error) {
      if (!(error instanceof Awaits)) throw error;
      const { question, needs } = error;
      this.tell({ type: "work.suspended", runId: run.runId, question, needs });
    }
  }

  #took() {
    const costUsd = this.#world.spentUsd.get(this.#runId) ?? 0;
    return { runId: this.#runId, durationMs: this.#world.now - this.#began, costUsd };
  }

  #halted(halt: Halt, work?: { headSha: string; treeSha: string; commits: WorkCommit[] }): void {
    this.tell({ type: "work.halted", ...this.#took(), ...halt, ...(work ? { work } : {}) });
  }

  *#plan(run: Implementation): Generator<void> {
    const { mind } = this.#world;
    const halt = yield* runAgent(this.#world, this.#held, run, `planner/${run.took.planning?.times ?? 1}`);
    if (halt) return this.#halted(halt);
    if (mind.bad(0.04)) return this.tell({ type: "work.unnecessary", ...this.#took(), reason: "it is there already" });
    this.tell({ type: "plan.made", ...this.#took(), ...mind.plan() });
  }

  /** The working tree as the last step left it; what a person pushed since is where it begins. */
  #tree(run: Implementation): { head: string } {
    const { trees } = this.#world;
    const kept = trees.get(run.runId);
    const isAdopted = run.work !== undefined && run.work.treeSha === undefined && run.work.headSha !== kept?.head;
    if (kept && !isAdopted) return kept;
    const tree = { head: headOf(run) ?? "" };
    trees.set(run.runId, tree);
    return tree;
  }

  #commit(tree: { head: string }, taskId?: string): WorkCommit {
    tree.head = this.#world.github.commit("forge", [tree.head]);
    return { sha: tree.head, subject: "feat: limit", ...(taskId === undefined ? {} : { taskId }) };
  }

  *#implement(run: Implementation): Generator<void> {
    const { mind, ledger } = this.#world;
    const tree = this.#tree(run);
    const commits: WorkCommit[] = [];
    const answers: FeedbackAnswer[] = [];
    const halted = run.cause === undefined ? yield* this.#tasks(run, tree, commits) : yield* this.#feedback(run);
    ledger.guard(this.#held.fence);
    if (halted) {
      if (mind.bad(0.5)) commits.push(this.#commit(tree));
      const isSame = tree.head === headOf(run) && commits.length === 0;
      return this.#halted(halted, isSame ? undefined : { headSha: tree.head, treeSha: `t${tree.head}`, commits });
    }
    if (run.cause !== undefined) {
      answers.push(...run.feedback.map(({ id }) => ({ id, done: !mind.bad(0.4), answer: `about ${id}` })));
      if (!mind.bad(0.25)) commits.push(this.#commit(tree));
    }
    const round = { filesChanged: 1, testsAdded: 1, validated: true, answers, notDone: [], commits };
    this.tell({
      type: "work.finished",
      ...this.#took(),
      work: { headSha: tree.head, treeSha: `t${tree.head}`, ...round },
    });
  }

  *#tasks(run: Implementation, tree: { head: string }, commits: WorkCommit[]): Generator<void, Halt | undefined> {
    const { mind, ledger } = this.#world;
    const { plan, revision } = run.plan!;
    for (const { id } of plan.tasks) {
      const known = run.tasksDone.find(({ taskId }) => taskId === id);
      if (known) {
        if (known.commit) commits.push(known.commit);
        continue;
      }
      const halt = yield* runAgent(this.#world, this.#held, run, `implementer/${revision}/${id}`);
      if (halt) return halt;
      ledger.guard(this.#held.fence);
      const commit = mind.bad(0.1) ? undefined : this.#commit(tree, id);
      if (commit) commits.push(commit);
      // The commit is made and kept, and nobody was told of it yet.
      yield;
      this.tell({ type: "task.done", runId: run.runId, taskId: id, summary: "done", ...(commit ? { commit } : {}) });
    }
    return undefined;
  }

  *#feedback(run: Implementation): Generator<void, Halt | undefined> {
    return yield* runAgent(this.#world, this.#held, run, `implementer/feedback-${run.took.implementation?.times ?? 1}`);
  }

  *#join(run: Implementation): Generator<void> {
    const { github, mind } = this.#world;
    const tree = this.#tree(run);
    const theirs = github.branches.get(run.branch!) ?? run.toJoin!;
    yield;
    this.#world.ledger.guard(this.#held.fence);
    if (mind.bad(0.2)) return this.#halted({ reason: "both changed src/1.ts" });
    if (!github.contains(tree.head, theirs)) tree.head = github.commit("forge", [tree.head, theirs]);
    const round = {
      filesChanged: 1,
      testsAdded: 0,
      validated: false,
      answers: [...run.answers],
      notDone: [],
      joined: theirs,
    };
    const commits = [{ sha: tree.head, subject: "Merge" }];
    this.tell({
      type: "work.finished",
      ...this.#took(),
      work: { headSha: tree.head, treeSha: `t${tree.head}`, commits, ...round },
    });
  }

  *#review(run: Implementation): Generator<void> {
    const { github, reviews, mind } = this.#world;
    const { work, pull, runId } = run;
    const { headSha } = work!;
    const first = `${runId}:review:${run.took.review?.times ?? 1}:${headSha}`;
    const request = run.resumes === 0 ? first : `${first}:resumed-${run.resumes}`;
    const [name, known] = [...reviews].findLast(([id]) => id.startsWith(first)) ?? [];
    const isOfBefore = known?.ended && "failed" in known.ended && name !== request;
    if (known?.ended && !isOfBefore) {
      if ("failed" in known.ended) return this.#halted({ reason: "the review failed" });
      const { review, feedback } = known.ended;
      const outcome = outcomeOf(feedback);
      return this.tell({ type: "phase.finished", ...this.#took(), phase: "review", outcome, review });
    }
    if (known && !isOfBefore) return;
    yield;
    const there = github.pulls.get(pull!.number)!;
    if (!there.open) return this.tell({ type: "pull.ended", by: FORGE, merged: there.merged });
    if (github.branches.get(there.branch) !== headSha || mind.bad(0.1)) throw new Later("lag");
    this.#world.ledger.guard(this.#held.fence);
    reviews.set(request, { runId, headSha });
  }

  *#test(run: Implementation): Generator<void> {
    const { mind } = this.#world;
    const outcome = mind.tests(run.work!.headSha);
    yield;
    if (mind.bad(0.05)) throw new Failure("the sandbox broke");
    this.tell({ type: "tests.finished", ...this.#took(), outcome });
  }

  #read(run: Implementation, signal: PullSignal): void {
    const { mind } = this.#world;
    this.tell({ type: "signal.read", runId: run.runId, signal, feedback: mind.bad(0.2) ? [] : feedbackOf(signal) });
  }

  /** What GitHub told may have been lost, or come in another order. @returns whether there was something to tell */
  #look(run: Implementation): boolean {
    const { github } = this.#world;
    if (!run.pull) return false;
    const there = github.pulls.get(run.pull.number)!;
    const headSha = github.branches.get(there.branch);
    if (!there.open) this.tell({ type: "pull.ended", by: FORGE, merged: there.merged });
    else if (!github.issue.open) {
      this.tell({ type: "issue.ended", by: FORGE, reason: "issue_closed", pullIsOpen: true });
    } else if (headSha !== undefined && headSha !== run.pushed) {
      this.tell({ type: "branch.moved", by: FORGE, headSha, looked: true });
    } else return false;
    return true;
  }
}

function feedbackOf(signal: PullSignal): Feedback[] {
  switch (signal.from) {
    case "ci":
      return [{ from: "ci", id: `CI-${signal.checkRunId}`, name: signal.name, message: "it failed" }];
    case "person": {
      const { reviewId, by } = signal;
      const own = { from: "person", by: by.login } as const;
      return [
        { ...own, id: `C${reviewId}`, message: "change it", file: "src/1.ts", thread: reviewId },
        { ...own, id: `R${reviewId}`, message: "and that" },
      ];
    }
    case "findings":
      return [{ from: "review", id: "F-1", findingId: "F-1", severity: "error", file: "a", line: 1, message: "wrong" }];
  }
}
