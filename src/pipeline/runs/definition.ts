import type { RunLimit } from "../../domain/command-arguments.ts";
import type { GateQuestion } from "../../domain/gates.ts";
import type { BounceCause } from "../../domain/implementation.ts";
import type { Phase } from "../../domain/phases.ts";
import type { RepoConfig } from "../../domain/repo-config.ts";

/** Checked before a phase is entered (PIPE-4). */
export type Guard = "plan_accepted" | "changes_made" | "pull_open" | "work_pushed" | "head_reviewed" | "pull_merged";

/** How often work goes back to `to` for a cause before a person is asked. */
export interface Bounce {
  readonly cause: BounceCause;
  readonly to: Phase;
  /** A number of `max_bounces` in the configuration, by its name, or one that is the same everywhere. */
  readonly most: number | keyof RepoConfig["max_bounces"];
}

/** What the answers to a question lead to. Where it is left out, the phase goes on after a yes, and the run stands still after a no. */
export interface GateAnswers {
  /** The phase is over. */
  readonly yes?: "next_phase";
  /** `goes_on`: the asker is told, and goes on without it. `ends`: the run is cancelled. */
  readonly no?: "goes_on" | "ends";
}

export interface PhaseDefinition {
  /** Entered when this one is done; undefined ends the work of Forge. */
  readonly next?: Phase;
  readonly guards: readonly Guard[];
  /** Questions to people that may be put in it, with what the answers lead to. */
  readonly gates: Partial<Readonly<Record<GateQuestion["type"], GateAnswers>>>;
  readonly bounces: readonly Bounce[];
  /** Whose configured limits of money, time and calls its agents have (SAFE-1); absent where it is a run of its own, with its own limits. */
  readonly limits?: LimitedPhase;
}

/** The agent that works in each of the phases for which a repository configures limits. */
export const AGENT_OF = { planning: "planner", implementation: "implementer", testing: "tester" } as const;
export type LimitedPhase = keyof typeof AGENT_OF;

/** Limits of all runs on one subject (GH-8b), by whomever they were asked for: a loop of bots is cut here at the latest. */
export interface GlobalLimits {
  /** What its runs are called where one of them would be too much, in the plural. */
  readonly called: string;
  readonly runsPerHour: number;
  readonly runsPerDay: number;
  /** With all that people added a limit of a run may become so many times what is configured. */
  readonly extendedTo: number;
}

/** What every kind of run says of itself: its limits, and what may be asked in its phases. */
export interface RunDefinition {
  readonly limits: GlobalLimits;
  readonly phases: Partial<Readonly<Record<Phase, Pick<PhaseDefinition, "gates">>>>;
}

/** A pipeline as data (PIPE-1): which phases there are, in which order, and what leads where. */
export interface PipelineDefinition extends RunDefinition {
  readonly start: Phase;
  /** The phase that makes the heads; those after it look at one, and send the work back to it. */
  readonly work: Phase;
  /** Entered when the pull request is merged, where the repository deploys what is merged. */
  readonly merged: Phase;
  readonly phases: Partial<Readonly<Record<Phase, PhaseDefinition>>>;
}

const LIMITS = { runsPerHour: 6, runsPerDay: 20, extendedTo: 5 };

const DURING_WORK = { question: {}, tool_call: { no: "goes_on" }, cost_overrun: {} } as const;

const TO_IMPLEMENTATION = { to: "implementation" } as const;

/** The kinds of run with agents in them. What has none, and goes by steps of its own, has its definition in its own folder. */
export const PIPELINES: {
  readonly review: RunDefinition;
  readonly implement: PipelineDefinition;
} = {
  // Of one phase, which leads nowhere; after any answer it goes on, and the asker is told.
  review: {
    limits: { called: "reviews", ...LIMITS },
    phases: { review: { gates: { tool_call: {}, cost_overrun: {} } } },
  },
  implement: {
    limits: { called: "runs", ...LIMITS },
    start: "planning",
    work: "implementation",
    merged: "deployment",
    phases: {
      planning: {
        next: "implementation",
        guards: [],
        limits: "planning",
        gates: { architecture_approval: { yes: "next_phase", no: "ends" }, ...DURING_WORK },
        bounces: [],
      },
      implementation: {
        next: "review",
        guards: ["plan_accepted"],
        limits: "implementation",
        gates: { bounces_used: {}, ...DURING_WORK },
        bounces: [],
      },
      review: {
        next: "testing",
        guards: ["plan_accepted", "changes_made", "pull_open", "work_pushed"],
        gates: { security_finding: { yes: "next_phase" }, bounces_used: {} },
        bounces: [{ cause: "review", ...TO_IMPLEMENTATION, most: "review" }],
      },
      testing: {
        guards: ["plan_accepted", "changes_made", "pull_open", "work_pushed", "head_reviewed"],
        limits: "testing",
        gates: {
          test_failure: { yes: "next_phase" },
          high_risk_change: { yes: "next_phase" },
          bounces_used: {},
          ...DURING_WORK,
        },
        bounces: [
          { cause: "tests", ...TO_IMPLEMENTATION, most: "tests" },
          { cause: "coverage", ...TO_IMPLEMENTATION, most: 1 },
          { cause: "ci", ...TO_IMPLEMENTATION, most: 2 },
          { cause: "person", ...TO_IMPLEMENTATION, most: 10 },
          { cause: "instruction", ...TO_IMPLEMENTATION, most: 10 },
        ],
      },
      // Runs of their own deploy it: this one waits for them.
      deployment: { guards: ["pull_open", "pull_merged"], gates: {}, bounces: [] },
    },
  },
};

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

/** To which phase work goes back for a cause. */
export function bouncesTo(pipeline: PipelineDefinition, cause: BounceCause): Phase {
  return (findBounce(pipeline, cause) ?? TO_IMPLEMENTATION).to;
}

/** How often work may go back for a cause before a person is asked; never, where no phase sends it back. */
export function mostBounces(
  pipeline: PipelineDefinition,
  cause: BounceCause,
  { max_bounces: configured }: Pick<RepoConfig, "max_bounces">,
): number {
  const most = findBounce(pipeline, cause)?.most ?? 0;
  return typeof most === "number" ? most : configured[most];
}

function findBounce({ phases }: PipelineDefinition, cause: BounceCause): Bounce | undefined {
  return Object.values(phases)
    .flatMap(({ bounces }) => bounces)
    .find((bounce) => bounce.cause === cause);
}

/** The phase that sends the work back for a cause. */
export function phaseThatSends({ phases }: PipelineDefinition, cause: BounceCause): Phase | undefined {
  const isSender = (phase: Phase) => phases[phase]?.bounces.some((bounce) => bounce.cause === cause);
  return (Object.keys(phases) as Phase[]).find(isSender);
}

/** Whether a question of this kind may be put in a phase. */
export function mayAsk({ phases }: RunDefinition, phase: Phase | undefined, type: GateQuestion["type"]): boolean {
  return phase !== undefined && phases[phase]?.gates[type] !== undefined;
}

/** What the answers to a question that was put in a phase lead to. */
export function answersTo({ phases }: PipelineDefinition, phase: Phase, type: GateQuestion["type"]): GateAnswers {
  return phases[phase]?.gates[type] ?? {};
}

/** What comes after a phase; undefined where the work of Forge is done. */
export function nextPhase({ phases }: PipelineDefinition, phase: Phase): Phase | undefined {
  return phases[phase]?.next;
}

/** What has to hold before a phase is entered. */
export function guardsOf({ phases }: PipelineDefinition, phase: Phase): readonly Guard[] {
  return phases[phase]?.guards ?? [];
}

/** Whose configured limits of money, time and calls hold in a phase; undefined where it is a run of its own. */
export function limitsIn({ phases }: PipelineDefinition, phase: Phase): LimitedPhase | undefined {
  return phases[phase]?.limits;
}
