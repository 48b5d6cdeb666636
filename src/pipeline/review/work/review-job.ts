import type { Subject } from "../../../domain/subjects.ts";
import type { Fence } from "../../../store/jobs/fence.ts";
import type { InputDependencies } from "../../runs/handle-input.ts";
import type { IssueHost, PullRequestHost } from "../../runs/ports.ts";
import type { ReviewWork } from "./review-change.ts";

export interface ReviewDependencies extends InputDependencies, ReviewWork {
  readonly host: PullRequestHost & Pick<IssueHost, "readIssue">;
}

export interface ReviewJob {
  readonly runId: string;
  readonly subject: Subject;
  readonly attempt: number;
  readonly fence: Fence;
  readonly signal: AbortSignal;
}
