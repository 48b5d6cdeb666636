import type { Environment } from "../../../domain/deployments.ts";
import type { JobPayload } from "../../../domain/jobs.ts";
import type { RepositoryRef } from "../../../domain/subjects.ts";
import type { Memory } from "../../../memory/open-memory.ts";
import type { TakeSample } from "../../../monitoring/take-sample.ts";
import type { JobContext } from "../../../queue/ports.ts";
import type { ConfigurationDependencies } from "../../runs/configuration/load-configuration.ts";
import type { InputDependencies } from "../../runs/handle-input.ts";
import type { IssueHost, PullRequestHost, ReadHeadReviews } from "../../runs/ports.ts";
import type { TestHeadDependencies } from "../../testing/test-head.ts";
import type { DeployHost, RunDeployProgram } from "./ports.ts";

export interface DeployDependencies
  extends InputDependencies,
    ConfigurationDependencies,
    Pick<TestHeadDependencies, "scratchRoot" | "outlines" | "redact" | "packages" | "mirrorRoot"> {
  readonly host: ConfigurationDependencies["host"] &
    Pick<PullRequestHost, "remote"> &
    Pick<IssueHost, "readBranchHead">;
  readonly deployHost: DeployHost;
  readonly readHeadReviews: ReadHeadReviews;
  readonly memory: Pick<Memory, "prepare">;
  readonly takeSample: TakeSample;
  /** What the operator's sources can tell of an environment. */
  readonly watchedBy: (
    repository: RepositoryRef,
    environment: Environment,
  ) => { readonly metrics: boolean; readonly saturation: boolean; readonly health: boolean };
  /** Absent where the operator set none up. */
  readonly runDeployProgram?: RunDeployProgram;
}

export interface DeployJob extends JobPayload<"deploy"> {
  readonly signal: AbortSignal;
  readonly fence: JobContext["fence"];
}
