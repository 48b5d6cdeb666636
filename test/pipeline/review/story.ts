import { expect } from "vitest";
import type { Pause } from "../../../src/domain/answers.ts";
import type { Command } from "../../../src/domain/commands.ts";
import type { Effect } from "../../../src/domain/effects.ts";
import type { EventType } from "../../../src/domain/event-catalogue.ts";
import { GENESIS, type NewEvent, type PlacedEvent, type RunEvent, sealEvent } from "../../../src/domain/events.ts";
import type { Finding, LedgerEntry, StandingDismissal } from "../../../src/domain/findings.ts";
import type {
  CommandGiven,
  HeadChanged,
  MergeObserved,
  PullInput,
  ReviewFinished,
  ReviewObserved,
} from "../../../src/domain/inputs.ts";
import type { StandingLevel } from "../../../src/domain/ladder.ts";
import type { MergeLook, MergeState } from "../../../src/domain/merging.ts";
import type { Refusal } from "../../../src/domain/refusals.ts";
import { DEFAULT_REPO_CONFIG } from "../../../src/domain/repo-config.ts";
import type { ReviewCoverage } from "../../../src/domain/review-report.ts";
import { type Actor, type Subject, subjectKey } from "../../../src/domain/subjects.ts";
import { decide } from "../../../src/pipeline/review/decide.ts";
import { replay } from "../../../src/pipeline/review/evolve.ts";
import { projectRun } from "../../../src/pipeline/review/project.ts";
import { ownsSubject, type RunState } from "../../../src/pipeline/review/run-state.ts";
import type { Decision, RecentRun } from "../../../src/pipeline/runs/decision.ts";
import { projectLedger } from "../../../src/pipeline/runs/project-ledger.ts";
import { projectRepository } from "../../../src/pipeline/runs/subject.ts";
import { evolveSubject, NO_FACTS, type SubjectFacts } from "../../../src/pipeline/runs/subject-facts.ts";
import type { LedgerChange } from "../../../src/store/runs/ledger.ts";
import type { RepositoryChange } from "../../../src/store/runs/repository-facts.ts";

export const A = "a".repeat(40);
export const B = "b".repeat(40);
export const BASE = "0".repeat(40);
export const ana: Actor = { login: "ana", id: 7, kind: "user" };
export const subject: Subject = {
  kind: "pull_request",
  repository: { id: 11, owner: "acme", name: "shop", installationId: 5 },
  number: 3,
};

/** The subject's own log. */
export const OWN = subjectKey(subject);

export const ends = (headSha: string) => ({
  headSha,
  headRef: "topic",
  headRepositoryId: 11,
  baseSha: BASE,
  baseRef: "main",
});

const MINUTE = 60_000;
const START = Date.parse("2026-11-01T10:00:00.000Z");
export const minute = (n: number) => new Date(START + n * MINUTE).toISOString();

export function headChanged(headSha: string, to: Partial<HeadChanged> & { runId?: string; requestId?: string } = {}) {
  const { runId, requestId, ...rest } = to;
  return {
    type: "head.changed",
    subject,
    at: minute(0),
    newRunId: runId ?? `run-${headSha[0]}`,
    request: { id: requestId ?? `delivery-${runId ?? headSha[0]}`, reason: "pushed", automatic: true },
    by: ana,
    ends: ends(headSha),
    title: "Add a cart",
    debounceMs: 30_000,
    ...rest,
  } satisfies HeadChanged;
}

export function observed(runId: string, headSha: string, to: Partial<ReviewObserved> = {}): ReviewObserved {
  return {
    type: "review.observed",
    subject,
    at: minute(1),
    newRunId: "unused",
    runId,
    attempt: 1,
    open: true,
    ends: ends(headSha),
    draft: false,
    author: ana,
    labels: [],
    configuration: DEFAULT_REPO_CONFIG,
    ...to,
  };
}

export function coverage(to: Partial<ReviewCoverage> = {}): ReviewCoverage {
  return {
    headSha: A,
    baseSha: BASE,
    mergeBaseSha: BASE,
    files: 2,
    filesCovered: 2,
    addedLines: 10,
    addedLinesCovered: 10,
    uncovered: [],
    layers: [
      { layer: "static", state: "ran", tools: [] },
      { layer: "security", state: "ran", tools: [] },
      { layer: "ai", state: "not_configured", tools: [] },
    ],
    notes: [],
    ...to,
  };
}

export function finished(runId: string, findings: Finding[], to: Partial<ReviewFinished> = {}): ReviewFinished {
  return {
    type: "review.finished",
    subject,
    at: minute(2),
    newRunId: "unused",
    runId,
    findings,
    beyondLimit: 0,
    anchors: [],
    coverage: coverage(),
    durationMs: 4000,
    forPeople: [],
    ...to,
  };
}

export function finding(name: string, to: Partial<Finding> = {}): Finding {
  return {
    id: `F-${name}`,
    fingerprint: name.padEnd(64, "0"),
    source: "static",
    rule: `biome/${name}`,
    severity: "warning",
    category: "correctness",
    file: "src/a.ts",
    line: 4,
    endLine: 4,
    message: `${name} is wrong`,
    confidence: 0.9,
    ...to,
  };
}

/** What a worker sees of a pull request of Forge's own that may be merged, unless something else is said. */
export function mergeLook({ github, ...to }: Partial<MergeLook> = {}): Pick<MergeObserved, "type" | "look"> {
  const state: MergeState = {
    ...{ id: "PR_1", merged: false, open: true, draft: false, headSha: to.headSha ?? A, baseRef: to.baseRef ?? "main" },
    ...{ isProtected: true, queue: false, queued: false, mayBypass: false, status: "ready", method: "squash" },
    ...github,
  };
  const look: MergeLook = {
    ...{ open: true, draft: false, headSha: A, baseRef: "main", wants: "own", level: 3 },
    ...{ own: true, adopted: false, insider: true, calm: true, forPeople: [], github: state, ...to },
  };
  return { type: "merge.observed", look };
}

let commands = 100;

/** A command that somebody gave by a comment of its own. */
export function command(parsed: Command, to: Partial<CommandGiven> = {}): CommandGiven {
  commands += 1;
  return {
    type: "command.given",
    subject,
    at: minute(5),
    newRunId: `run-of-${commands}`,
    source: { kind: "issue_comment", id: String(commands) },
    index: 0,
    by: ana,
    role: "admin",
    parsed: { command: parsed },
    alone: true,
    plain: false,
    pull: { open: true, ends: ends(A), title: "Add a cart" },
    ...to,
  };
}

/** A subject's history in memory: what `handleInput` does with a store, without one. */
export class Story {
  readonly events = new Map<string, RunEvent[]>();
  readonly ledger = new Map<string, LedgerEntry>();
  readonly effects: Effect[] = [];
  readonly cancelledJobs: string[] = [];
  readonly dismissals = new Map<string, StandingDismissal>();
  pause: Pause | undefined;
  level: (StandingLevel & { changes: number }) | undefined;
  #ids = 0;

  runs(): RunState[] {
    return [...this.events].filter(([id]) => id !== OWN).map(([, events]) => replay(events)!);
  }

  when(input: PullInput): Decision {
    const runs = this.runs();
    const active = runs.find(ownsSubject);
    const addressed = "runId" in input ? runs.find((run) => run.runId === input.runId) : undefined;
    const recent = runs.map((run): RecentRun => {
      const { traceId: runId, headSha, requestId, startedAt, status, conclusion } = projectRun(run);
      return { runId, headSha, requestId, startedAt, status, ...(conclusion ? { conclusion } : {}) };
    });
    const latest = runs.at(-1);
    const view = {
      ...(active ? { active } : {}),
      ...(addressed ? { addressed } : {}),
      ...(latest ? { latest } : {}),
      gates: runs.flatMap(({ gates = [] }) => gates),
      recent: recent.reverse(),
      ledger: [...this.ledger.values()],
      facts: this.facts(),
      repository: {
        ...(this.pause ? { pause: this.pause } : {}),
        ...(this.level ? { level: this.level } : {}),
        dismissals: [...this.dismissals.values()],
      },
    };
    const decision = decide(view, input);
    for (const append of decision.appends) this.#append(append.runId, append.expectedVersion, append.events, input);
    for (const planned of decision.effects) this.effects.push(...planned.effects);
    this.cancelledJobs.push(...decision.cancelJobsOfRuns);
    return decision;
  }

  facts(): SubjectFacts {
    return (this.events.get(OWN) ?? []).reduce(evolveSubject, NO_FACTS);
  }

  /** What no input tells: the steps of a run's agents. */
  record(runId: string, events: readonly NewEvent[]): void {
    this.#append(runId, this.events.get(runId)?.length ?? 0, events, { at: minute(1), type: "review.observed" });
  }

  #append(
    runId: string,
    expectedVersion: number,
    added: readonly NewEvent[],
    input: Pick<PullInput, "at" | "type">,
  ): void {
    const events = this.events.get(runId) ?? [];
    expect(events.length).toBe(expectedVersion);
    const placed: PlacedEvent[] = [];
    for (const event of added) {
      const previousHash = events.at(-1)?.hash ?? GENESIS;
      this.#ids += 1;
      const id = String(this.#ids).padStart(26, "0");
      const version = events.length + 1;
      const sealed = sealEvent(event, { id, traceId: runId, version, at: input.at, source: input.type, previousHash });
      events.push(sealed);
      placed.push(sealed);
    }
    this.events.set(runId, events);
    const ledger = [...this.ledger.values()];
    const headSha = runId === OWN ? "" : replay(events)!.ends.headSha;
    for (const line of projectLedger(subject, headSha, placed, ledger)) this.#enter(line);
    if (runId === OWN) for (const change of projectRepository(subject, placed, ledger)) this.#change(change);
  }

  /** What the table of findings does with a change. */
  #enter({ subject: _subject, ...line }: LedgerChange): void {
    const known = this.ledger.get(line.finding.id);
    const commentId = line.commentId ?? known?.commentId;
    const dismissal = line.state === "dismissed" ? (line.dismissal ?? known?.dismissal) : undefined;
    this.ledger.set(line.finding.id, {
      finding: line.finding,
      state: line.state,
      headSha: line.headSha,
      placement: line.placement ?? known?.placement ?? "none",
      ...(commentId === undefined ? {} : { commentId }),
      ...(dismissal ? { dismissal } : {}),
    });
  }

  #change(change: RepositoryChange): void {
    if (change.kind === "dismissed") this.dismissals.set(change.standing.findingId, change.standing);
    else if (change.kind === "undismissed") this.dismissals.delete(change.findingId);
    else if (change.kind === "levelled") {
      expect(this.level?.changes ?? 0).toBe(change.after);
      this.level = { ...change.standing, changes: change.after + 1 };
    } else if (change.kind === "paused") this.pause = change.pause;
    else if (change.kind === "unpaused") this.pause = undefined;
  }

  /** Why the last command that was refused was. */
  refusal(): Refusal | undefined {
    const event = this.events.get(OWN)?.findLast(({ type }) => type === "command.refused");
    return event?.type === "command.refused" ? event.payload.refusal : undefined;
  }

  types(runId: string): EventType[] {
    return (this.events.get(runId) ?? []).map((event) => event.type);
  }

  effectsOf(decision: Decision): string[] {
    return decision.effects.flatMap(({ effects }) => effects.map((effect) => effect.kind));
  }
}

/** A story in which these inputs have happened. */
export function given(...inputs: PullInput[]): Story {
  const story = new Story();
  for (const input of inputs) story.when(input);
  return story;
}
