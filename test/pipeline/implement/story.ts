import { expect } from "vitest";
import type { Command } from "../../../src/domain/commands.ts";
import type { Effect } from "../../../src/domain/effects.ts";
import type { NewEvent, RunEvent } from "../../../src/domain/events.ts";
import type { Feedback, PullReviewed, WorkDone } from "../../../src/domain/implementation.ts";
import type { CommonInput, IssueCommandGiven, IssueInput } from "../../../src/domain/inputs.ts";
import type { NewJob } from "../../../src/domain/jobs.ts";
import type { Plan } from "../../../src/domain/plan.ts";
import type { Refusal } from "../../../src/domain/refusals.ts";
import { DEFAULT_REPO_CONFIG, type RepoConfig } from "../../../src/domain/repo-config.ts";
import { subjectKey } from "../../../src/domain/subjects.ts";
import type { TestOutcome } from "../../../src/domain/test-report.ts";
import type { Implementation } from "../../../src/pipeline/implement/implementation.ts";
import { outcomeOf } from "../../../src/pipeline/implement/work/review-pull.ts";
import { nextWork } from "../../../src/pipeline/implement/work/run-work.ts";
import { PIPELINES, type PipelineDefinition } from "../../../src/pipeline/runs/definition.ts";
import { ANA, actorOf, BASE, BEN, ISSUE, type Person, SNAPSHOT } from "../../simulation/cast.ts";
import { type Committed, Ledger } from "../../simulation/ledger.ts";
import { illegal } from "../../simulation/legal.ts";

type Input = IssueInput | CommonInput;
type Fields<T> = T extends Input ? Omit<T, "subject" | "at" | "newRunId"> : never;

const START = Date.parse("2026-11-01T10:00:00.000Z");
export const RUN = "run-1";
export const PULL = 7;
export const BRANCH = "forge/42-limit-logins";
export const sha = (letter: string) => letter.repeat(40);
/** The head of Forge's first round, its second, and one by a person. */
export const [A, B, THEIRS] = [sha("a"), sha("b"), sha("c")];

/** What happened on one issue, in memory; after every input the state has to be legal. */
export class IssueStory {
  minutes = 0;
  readonly ledger: Ledger;
  #last: Committed | undefined;
  #commands = 100;
  readonly #pipeline: PipelineDefinition;

  constructor(pipeline: PipelineDefinition = PIPELINES.implement) {
    this.#pipeline = pipeline;
    this.ledger = new Ledger(
      () => START,
      () => {},
      (committed) => {
        this.#last = committed;
      },
      pipeline,
    );
  }

  get run(): Implementation {
    return [...this.ledger.runs.values()].at(-1)!;
  }

  get next(): string {
    const next = nextWork(this.run);
    return next.is === "phase" ? next.phase : next.is;
  }

  at(): string {
    return new Date(START + this.minutes * 60_000).toISOString();
  }

  when(fields: Fields<Input>): Happened {
    this.#last = undefined;
    const input = { ...fields, subject: ISSUE, at: this.at(), newRunId: `run-${this.ledger.runs.size + 1}` } as Input;
    const { ignored } = this.ledger.submit(input);
    for (const run of this.ledger.runs.values()) expect(illegal(run, this.#pipeline)).toEqual([]);
    const committed = this.#last as Committed | undefined;
    const events = committed?.decision.appends.flatMap((append) => append.events) ?? [];
    const effects = committed?.decision.effects.flatMap((planned) => planned.effects) ?? [];
    const jobs = committed?.decision.jobs ?? [];
    return { ignored, events, effects, jobs, types: events.map(({ type }) => type) };
  }

  /** Somebody gives a command in a comment of its own; a number of `as` is that of an earlier comment. */
  command(command: Command, by: Person = BEN, more: Partial<IssueCommandGiven> & { readonly as?: number } = {}) {
    const { as, ...to } = more;
    this.#commands += 1;
    const starts = command.name === "implement" || command.name === "plan";
    return this.when({
      type: "command.given",
      source: { kind: "issue_comment", id: String(as ?? this.#commands) },
      index: 0,
      by: actorOf(by),
      role: by.role,
      parsed: { command },
      alone: true,
      plain: false,
      issue: { open: true, ...(starts ? { snapshot: SNAPSHOT } : {}) },
      ...to,
    });
  }

  /** Why the last command was refused, if it was. */
  get refusal(): Refusal | undefined {
    const last = (this.ledger.events.get(subjectKey(ISSUE)) ?? []).findLast(({ type }) => type.startsWith("command."));
    return last?.type === "command.refused" ? last.payload.refusal : undefined;
  }

  events(): readonly RunEvent[] {
    return this.ledger.events.get(this.run.runId) ?? [];
  }

  standings(): string[] {
    return this.run.gates.map(({ gate, question, standing }) => `${gate} ${question.type} ${standing.is}`);
  }
}

interface Happened {
  readonly ignored: string | undefined;
  readonly events: readonly NewEvent[];
  readonly types: readonly string[];
  readonly effects: readonly Effect[];
  readonly jobs: readonly NewJob[];
}

export const took = { runId: RUN, durationMs: 60_000 };

export function observed(configuration: RepoConfig = DEFAULT_REPO_CONFIG, open = true): Fields<Input> {
  return { type: "work.observed", runId: RUN, attempt: 1, open, configuration, base: { ref: "main", sha: BASE } };
}

export function aPlan(level: Plan["risk"]["level"] = "low", highUsd = 1, memories?: string[]): Fields<Input> {
  const tasks = ["1", "2"].map((id) => {
    return { id, title: `Task ${id}`, description: "Do it.", files: [`src/${id}.ts`], depends_on: [] };
  });
  const plan: Plan = {
    ...{ title: "Limit logins", kind: "feat", summary: "A limit.", constraints: [], decisions: [], tasks },
    ...{ acceptance_criteria: ["it is limited"], not_included: [], risk: { level, reasons: [] } },
    ...{ complexity: "small", effort_minutes: 10 },
    ...(memories ? { memories } : {}),
  };
  return { type: "plan.made", ...took, costUsd: 0.5, plan, estimate: { lowUsd: 0, highUsd, minutes: 5 } };
}

export function worked(headSha: string, to: Partial<WorkDone> = {}): Fields<Input> {
  const commits = [{ sha: headSha, subject: "feat: limit logins" }];
  const none = { answers: [], notDone: [] };
  const work = { headSha, treeSha: `tree-${headSha[0]}`, commits, filesChanged: 1, testsAdded: 1, validated: true };
  return { type: "work.finished", ...took, costUsd: 2, work: { ...work, ...none, ...to } };
}

export function pushed(headSha: string, movedTo?: string | null): Fields<Input> {
  const moved = movedTo === undefined ? {} : { movedTo };
  return { type: "branch.pushed", runId: RUN, branch: BRANCH, headSha, ...moved };
}

export const opened: Fields<Input> = { type: "pull.opened", runId: RUN, number: PULL, headSha: A };

export function reviewed(headSha: string, to: Partial<PullReviewed> & { readonly found?: number } = {}): Fields<Input> {
  const { found = 0, ...more } = to;
  const feedback = Array.from({ length: found }, (_, index): Feedback => {
    const id = `F-${index + 1}`;
    return {
      from: "review",
      id,
      findingId: id,
      severity: "error",
      file: "src/1.ts",
      line: 4,
      message: `${id} is wrong`,
    };
  });
  const facts = { headSha, runId: "review-1", conclusion: "success", blocking: found, advisory: 0, costUsd: 0.1 };
  const decision = found > 0 ? ("request_changes" as const) : ("approve" as const);
  const review = { ...facts, decision, criticalSecurity: 0, ...more };
  return { type: "phase.finished", ...took, costUsd: 0, phase: "review", outcome: outcomeOf(feedback), review };
}

export function tested(headSha: string, to: Partial<TestOutcome> = {}): Fields<Input> {
  const none = { failures: [], flaky: [], weakened: [], files: 1, passed: 3, failed: 0, skipped: 0, durationMs: 900 };
  const outcome: TestOutcome = { headSha, outcome: "passed", runner: "vitest", ...none, ...to };
  return { type: "tests.finished", ...took, costUsd: 2.5, outcome };
}

/** A run that ana asked for. */
export function begun(configuration?: RepoConfig): IssueStory {
  const story = new IssueStory();
  story.command({ name: "implement" }, ANA);
  story.when(observed(configuration));
  return story;
}

export function planned(configuration?: RepoConfig): IssueStory {
  const story = begun(configuration);
  story.when(aPlan());
  return story;
}

/** The pull request is open, and its review begins. */
export function inReview(configuration?: RepoConfig): IssueStory {
  const story = planned(configuration);
  story.when(worked(A));
  story.when(pushed(A));
  story.when(opened);
  return story;
}

export function inTesting(risk: PullReviewed["risk"] = "low", configuration?: RepoConfig): IssueStory {
  const story = inReview(configuration);
  story.when(reviewed(A, { risk }));
  return story;
}

/** The pull request is ready: people and CI have the word. */
export function ready(): IssueStory {
  const story = inTesting();
  story.when(tested(A));
  return story;
}
