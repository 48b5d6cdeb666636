import type {
  DeployOutcome,
  DeployRefusal,
  DeployRequest,
  PlannedStep,
  StepHandle,
  StepOutcome,
} from "../../domain/deployments.ts";
import type { PlacedEvent } from "../../domain/events.ts";
import { type Gate, isOpenGate } from "../../domain/gates.ts";
import type { Phase, RunStatus } from "../../domain/phases.ts";
import type { RepoConfig } from "../../domain/repo-config.ts";
import type { Sample, Verdict } from "../../domain/samples.ts";
import type { EnvironmentSubject } from "../../domain/subjects.ts";

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
  /** It goes back; the last of the steps is that of going back, where there is something to go back to. */
  readonly back?: (Payload<"deployment.rolled_back"> & { readonly by?: string; readonly at: string }) | undefined;
  readonly watchedSince?: string | undefined;
  readonly end?:
    | {
        readonly outcome: DeployOutcome;
        readonly refusal?: DeployRefusal | undefined;
        readonly reason?: string | undefined;
      }
    | undefined;
  readonly endedAt?: string | undefined;
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

/** Where a deployment is, for whoever goes on with it: one reading of its state for worker, commands and words. */
export type Stage =
  /** Nobody has looked at what is to be deployed. */
  | { readonly is: "pending" }
  | { readonly is: "verifying" }
  | { readonly is: "asking"; readonly gate: Gate }
  /** Nothing is there, and there is time to object. */
  | { readonly is: "announced"; readonly due: string }
  /** The step was decided; the way is to begin it, or says what becomes of it. */
  | { readonly is: "deploying"; readonly step: StepState; readonly back: boolean }
  /** The version is there, and is looked at before the next step. */
  | { readonly is: "baking"; readonly step: StepState }
  | { readonly is: "watching"; readonly step: StepState }
  | { readonly is: "ended" };

export function stageOf(run: Deployment): Stage {
  if (run.endedAt !== undefined) return { is: "ended" };
  if (!run.observed) return { is: "pending" };
  const gate = openGate(run);
  if (gate) return { is: "asking", gate };
  const step = currentStep(run);
  if (!step && run.announced) return { is: "announced", due: run.announced.due };
  if (!step) return { is: "verifying" };
  if (step.doneAt === undefined) return { is: "deploying", step, back: run.back !== undefined };
  return { is: run.phase === "monitoring" ? "watching" : "baking", step };
}
