// What stands for the runners of GitHub Actions: nothing here is kept, as it is functions of the demo or the test.
import type { App, DeployEnvironment, Deployment, DeploymentState, Job, WorkflowRun } from "./records.ts";

/** What a job of a workflow can look at and do. */
export interface RunningJob {
  readonly runId: number;
  readonly name: string;
  /** "deployment", "workflow_dispatch" or "repository_dispatch". */
  readonly event: string;
  /** The commit whose workflow file it is, and which is checked out. */
  readonly sha: string;
  /** GITHUB_REF: empty for a commit that was deployed as such. */
  readonly ref: string;
  /** Of the environment that the job names, or the deployment that set it off. */
  readonly environment: string | null;
  /** Of the deployment or the repository_dispatch; else null. A text is parsed where it is JSON. */
  readonly payload: unknown;
  /** Of a workflow_dispatch. */
  readonly inputs: Readonly<Record<string, string>>;
  /** The deployment that set the workflow off. */
  readonly deploymentId: number | null;
  /** Aborted when the run is cancelled, or the simulator stops. */
  readonly signal: AbortSignal;
  /** Where what was deployed can be seen: an address for the status of the end. */
  show(environmentUrl: string): void;
  /** Writes a status on the deployment that set it off. Throws when there is none. */
  say(state: DeploymentState, more?: { readonly description?: string; readonly environmentUrl?: string }): void;
}

/** Stands for the steps of a workflow. What it throws fails the job, and its message is said as the description of the status. */
export type Script = (job: RunningJob) => unknown;

/** How a run goes:
 * - react: it says in_progress, does its work, and says success or failure, as the script goes
 * - silent: it does its work and says nothing
 * - lie: it says success and does nothing
 * - twice: it says success two times
 * - fail: it says failure and does nothing
 * - hang: it says in_progress, and that was that
 * - late: it begins, and goes on when it is released
 * - unclaimed: it is queued, and no runner takes it
 * - cancel: it is cancelled before it does anything
 * - never: there is no run */
export type Conduct =
  | "react"
  | "silent"
  | "lie"
  | "twice"
  | "fail"
  | "hang"
  | "late"
  | "unclaimed"
  | "cancel"
  | "never";

export interface Runner {
  /** By the path of the workflow file. */
  readonly scripts: Map<string, Script>;
  /** The first that fits decides; `left` counts down. */
  conducts: { readonly path: string | null; readonly conduct: Conduct; left: number }[];
  /** What late ones still have to do. */
  readonly late: (() => void)[];
  /** By the id of the run. */
  readonly going: Map<number, Going>;
}

/** A run with what it needs while it is under way. */
export interface Going {
  readonly run: WorkflowRun;
  readonly conduct: Conduct;
  readonly deployment: Deployment | null;
  readonly payload: unknown;
  readonly inputs: Readonly<Record<string, string>>;
  readonly group: string | null;
  readonly cancel: AbortController;
  readonly plan: readonly PlannedJob[];
  /** Whether it has said in_progress. */
  begun: boolean;
  readonly started: Set<Job>;
}

/** A job as the workflow file has it, one for each combination of its matrix. */
export interface PlannedJob {
  readonly id: string;
  readonly name: string;
  readonly needs: readonly string[];
  readonly environment: string | null;
  /** False for `environment: { deployment: false }`. */
  readonly makesDeployment: boolean;
}

/** A job held back by the rules of its environment, until each of them has let it go or one has not. */
export interface Gate {
  readonly job: Job;
  readonly environment: DeployEnvironment;
  /** Milliseconds since 1970. */
  readonly since: number;
  needsReview: boolean;
  /** Its wait timer has not run out. */
  needsTime: boolean;
  readonly rules: Map<App, { approved: boolean; readonly reports: string[] }>;
  readonly settle: (passed: boolean, words?: string) => void;
}
