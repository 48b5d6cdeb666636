import type { RunLimit } from "../../domain/commands.ts";
import type { GateQuestion } from "../../domain/gates.ts";
import type { BounceCause } from "../../domain/implementation.ts";
import type { Phase, RunKind } from "../../domain/phases.ts";

/** Checked before a phase is entered (PIPE-4). */
export type Guard = "plan_accepted" | "changes_made" | "pull_open" | "work_pushed" | "head_reviewed";

/** How often work goes back to `to` for a cause before a person is asked. */
export interface Bounce {
  readonly cause: BounceCause;
  readonly to: Phase;
  readonly most: number;
}

export interface PhaseDefinition {
  /** Entered when this one is done; undefined ends the work of Forge. */
  readonly next?: Phase;
  readonly guards: readonly Guard[];
  /** Questions to people that may be put in it. */
  readonly gates: readonly GateQuestion["type"][];
  readonly bounces: readonly Bounce[];
}

/** A pipeline as data (PIPE-1): which phases there are, in which order, and what leads where. */
export interface PipelineDefinition {
  readonly start: Phase;
  readonly phases: Partial<Readonly<Record<Phase, PhaseDefinition>>>;
}

const DURING_WORK = ["question", "tool_call", "cost_overrun"] as const;

const TO_IMPLEMENTATION = { to: "implementation" } as const;

export const PIPELINES = {
  review: {
    start: "review",
    phases: { review: { guards: [], gates: ["tool_call", "cost_overrun"], bounces: [] } },
  },
  implement: {
    start: "planning",
    phases: {
      planning: {
        next: "implementation",
        guards: [],
        gates: ["architecture_approval", ...DURING_WORK],
        bounces: [],
      },
      implementation: {
        next: "review",
        guards: ["plan_accepted"],
        gates: ["bounces_used", ...DURING_WORK],
        bounces: [],
      },
      review: {
        next: "testing",
        guards: ["plan_accepted", "changes_made", "pull_open", "work_pushed"],
        gates: ["security_finding", "bounces_used"],
        bounces: [{ cause: "review", ...TO_IMPLEMENTATION, most: 3 }],
      },
      testing: {
        guards: ["plan_accepted", "changes_made", "pull_open", "work_pushed", "head_reviewed"],
        gates: ["test_failure", "high_risk_change", "bounces_used", ...DURING_WORK],
        bounces: [
          { cause: "tests", ...TO_IMPLEMENTATION, most: 2 },
          { cause: "coverage", ...TO_IMPLEMENTATION, most: 1 },
          { cause: "ci", ...TO_IMPLEMENTATION, most: 2 },
          { cause: "conflict", ...TO_IMPLEMENTATION, most: 2 },
          { cause: "person", ...TO_IMPLEMENTATION, most: 10 },
          { cause: "instruction", ...TO_IMPLEMENTATION, most: 10 },
        ],
      },
    },
  },
} as const satisfies Partial<Record<RunKind, PipelineDefinition>>;

/** The breakers of an agent (SAFE-1) that people can raise the limit of, and which limit that is. */
const RAISED_BY: ReadonlyMap<string | undefined, RunLimit> = new Map([
  ["cost", "usd"],
  ["iterations", "iterations"],
  ["time", "minutes"],
] as const);

/** The limit that people can raise where this breaker ended an agent. */
export function limitOf(breaker: string | undefined): RunLimit | undefined {
  return RAISED_BY.get(breaker);
}

/** With all that people added a limit of a run may become so many times what is configured. */
export const EXTENDED_TO = 5;

/** How often work may go back for a cause in an implementation. */
export function mostBounces(cause: BounceCause): number {
  const phases: readonly PhaseDefinition[] = Object.values(PIPELINES.implement.phases);
  return phases.flatMap(({ bounces }) => bounces).find((bounce) => bounce.cause === cause)?.most ?? 0;
}

/** Whether a question of this kind may be put in a phase. */
export function mayAsk(kind: keyof typeof PIPELINES, phase: Phase | undefined, type: GateQuestion["type"]): boolean {
  return phase !== undefined && (phaseOf(kind, phase)?.gates.includes(type) ?? false);
}

/** What comes after a phase of an implementation. */
export function nextPhase(phase: Phase): Phase | undefined {
  return phaseOf("implement", phase)?.next;
}

/** What has to hold before a phase of an implementation is entered. */
export function guardsOf(phase: Phase): readonly Guard[] {
  return phaseOf("implement", phase)?.guards ?? [];
}

function phaseOf(kind: keyof typeof PIPELINES, phase: Phase): PhaseDefinition | undefined {
  const { phases }: PipelineDefinition = PIPELINES[kind];
  return phases[phase];
}
