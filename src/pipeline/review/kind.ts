import { defined } from "../../domain/defined.ts";
import type { Input, PullInput } from "../../domain/inputs.ts";
import type { Kind } from "../runs/kind.ts";
import { projectLedger } from "../runs/project-ledger.ts";
import { projectMemories, projectRepository } from "../runs/subject.ts";
import { decide } from "./decide.ts";
import { evolve } from "./evolve.ts";
import { loadView } from "./load-view.ts";
import { projectRun } from "./project.ts";
import { reviewOn } from "./review-on.ts";
import type { RunState } from "./run-state.ts";
import type { SubjectView } from "./view.ts";

/** Reviews of pull requests and of groups in a merge queue. */
export const REVIEW: Kind<PullInput, SubjectView, RunState> = {
  name: "review",
  called: "a review",
  // Its check may be shared with another pull request: that one hears of it.
  ...{ hears: "where_written", urgent: false, request: false, judges: true },
  ceilingUsd: ({ safety }) => safety.cost.review,
  wake: reviewOn,
  owns: (input: Input): input is PullInput =>
    input.subject.kind === "pull_request" || input.subject.kind === "merge_group",
  ...{ load: loadView, decide, evolve, show: projectRun },
  project: ({ ledger }, { subject }, events, run) => ({
    ledger: projectLedger(run ? run.subject : subject, run?.ends.headSha ?? "", events, ledger),
    repository: run ? [] : projectRepository(subject, events, ledger),
    memories: projectMemories(events),
  }),
  checkpoint: {
    outputs: (run) =>
      defined({
        ends: run.ends,
        review: "review" in run ? run.review : undefined,
        risk: "risk" in run ? run.risk : undefined,
        gates: run.gates?.length ? run.gates : undefined,
      }),
    whyNotBack: () => "it is a review: /forge review begins a new one",
  },
};
