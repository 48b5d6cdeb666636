import type {
  DeployOutcome,
  DeployRefusal,
  DeployRequest,
  PlannedStep,
  StepHandle,
  StepOutcome,
} from "../../domain/deployments.ts";
import { ForgeError } from "../../domain/errors.ts";
import type { PlacedEvent } from "../../domain/events.ts";
import type { Explanation } from "../../domain/explanations.ts";
import { type Gate, isOpenGate } from "../../domain/gates.ts";
import type { Phase, RunStatus } from "../../domain/phases.ts";
import type { RepoConfig } from "../../domain/repo-config.ts";
import type { Sample, Verdict } from "../../domain/samples.ts";
import type { EnvironmentSubject } from "../../domain/subjects.ts";
import { DEPLOY_MARKS, DEPLOY_STAGES, DEPLOYMENT, type DeployMark, type DeployStage } from "./definition.ts";

type Payload<T extends PlacedEvent["type"]> = Extract<PlacedEvent, { type: T }>["payload"];

/** A step of a deployment, from when it was decided. Times are ISO 8601. */
export interface StepState {
  readonly planned: PlannedStep;
  readonly startedAt: string;
  readonly handle?: StepHandle | undefined;
  readonly outcome: StepOutcome;
  /** When GitHub stopped holding it back: its time limits count from then, not from its start. */
  readonly freeSince?: string | undefined;
  /** Since when the version is there: it bakes from then on. */
  readonly doneAt?: string | undefined;
  readonly samples: readonly Sample[];
  readonly verdict?: Verdict | undefined;
  /** People were asked, as nothing could be told. */
  readonly unclear?: boolean | undefined;
  /** Somebody lets it go on all the same. */
  readonly promoted?: boolean | undefined;
}

/** A deployment to an environment, as its events tell it. */
export interface Deployment {
  readonly kind: "deploy";
  readonly runId: string;
  readonly version: number;
  readonly subject: EnvironmentSubject;
  readonly deploy: DeployRequest;
  readonly startedAt: string;
  readonly status: RunStatus;
  readonly phase?: Phase | undefined;
  readonly phases: readonly Phase[];
  /** How long people have for answers; from when a worker has looked. */
  readonly configuration?: Pick<RepoConfig, "gates"> | undefined;
  readonly observed?: Payload<"deployment.observed"> | undefined;
  readonly verified?: Payload<"deployment.verified"> | undefined;
  readonly gates: readonly Gate[];
  /** Forge deploys it by itself at `due`, unless a person objects. */
  readonly announced?: Payload<"deployment.announced"> | undefined;
  readonly steps: readonly StepState[];
  /** No further step begins by itself until a person lets it; what is there is watched on. */
  readonly stopped?: { readonly by: string } | undefined;
  /** It goes back; the last of the steps is that of going back, where there is something to go back to. */
  readonly back?: (Payload<"deployment.rolled_back"> & { readonly by?: string; readonly at: string }) | undefined;
  /** The newest verdict that a model put into words. */
  readonly explained?: Explanation | undefined;
  readonly watchedSince?: string | undefined;
  readonly end?:
    | {
        readonly outcome: DeployOutcome;
        readonly refusal?: DeployRefusal | undefined;
        readonly reason?: string | undefined;
      }
    | undefined;
  readonly endedAt?: string | undefined;
  /** A person passed its check after a bad end. */
  readonly overridden?: { readonly by: string; readonly reason: string } | undefined;
}

/** A deployment that a worker has looked at. */
export type Observed = Deployment & { readonly observed: Payload<"deployment.observed"> };

export function isActive(run: Deployment | undefined): run is Deployment {
  return run !== undefined && run.endedAt === undefined;
}

export function isObserved(run: Deployment | undefined): run is Observed {
  return isActive(run) && run.observed !== undefined;
}

export function openGate({ gates }: Pick<Deployment, "gates">): Gate | undefined {
  return gates.find(isOpenGate);
}

/** The pull request that a version brought, where that was all that it brought. */
export function onlyPull({ observed }: Pick<Deployment, "observed">): number | undefined {
  const { changes = [], more = 0, direct = 0 } = observed?.facts ?? {};
  return changes.length === 1 && more === 0 && direct === 0 ? changes[0]?.number : undefined;
}

export function currentStep({ steps }: Pick<Deployment, "steps">): StepState | undefined {
  return steps.at(-1);
}

/** By what the stage of a deployment is known. */
const MARKS: Readonly<Record<DeployMark, (run: Deployment) => boolean>> = {
  ended: ({ endedAt }) => endedAt !== undefined,
  looked_at: ({ observed }) => observed !== undefined,
  asked: (run) => openGate(run) !== undefined,
  announced: ({ announced }) => announced !== undefined,
  begun: (run) => currentStep(run) !== undefined,
  there: (run) => currentStep(run)?.doneAt !== undefined,
  watched: ({ phase }) => isWatch(phase),
};

/** The stage with these marks. @param told whether a mark is there */
export function stageWith(told: (mark: DeployMark) => boolean): DeployStage | undefined {
  return DEPLOY_STAGES.find((stage) => {
    const { marks } = DEPLOYMENT.stages[stage];
    return DEPLOY_MARKS.every((mark) => marks[mark] === undefined || marks[mark] === told(mark));
  });
}

/** Where a deployment is: one reading of its state for worker, commands and words. */
export function stageOf(run: Deployment): DeployStage {
  const told = (mark: DeployMark) => MARKS[mark](run);
  const stage = stageWith(told);
  if (stage !== undefined) return stage;
  throw new ForgeError("no_stage", `The deployment ${run.runId} is in none of the stages of its definition.`, {
    ...{ source: "logic", severity: "high", recoverability: "manual" },
  });
}

/** Whether the time to object to what was announced is over. @param at now, ISO 8601 */
export function isDue(run: Deployment, at: string): boolean {
  return stageOf(run) === "announced" && Date.parse(at) >= Date.parse(run.announced?.due ?? at);
}

/** Whether all traffic has the version in this phase, which is looked at on. */
export function isWatch(phase: Phase | undefined): boolean {
  return phase === DEPLOYMENT.stages.watching.phase;
}

/** The stage in which a version that is there is looked at, also after the end of its deployment, and since when. */
export function lookedAtIn(run: Pick<Deployment, "phase" | "watchedSince" | "steps">): {
  readonly stage: "baking" | "watching";
  readonly since: string | undefined;
} {
  if (isWatch(run.phase)) return { stage: "watching", since: run.watchedSince };
  return { stage: "baking", since: currentStep(run)?.doneAt };
}
