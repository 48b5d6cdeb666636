import type { JobPayload } from "../../../domain/jobs.ts";
import type { ProcessAi } from "../../ai/ai-dependencies.ts";
import type { DeployDependencies } from "../work/deploy-job.ts";

export interface ExplainDependencies extends DeployDependencies {
  readonly ai: ProcessAi;
}

export type ExplainJob = JobPayload<"explain">;
