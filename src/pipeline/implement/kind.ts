import { defined } from "../../domain/defined.ts";
import type { CommonInput, Input, IssueInput } from "../../domain/inputs.ts";
import { workOn } from "../runs/decision.ts";
import { PIPELINES } from "../runs/definition.ts";
import { readDeployGates } from "../runs/gates/deploy-gates.ts";
import { readGates } from "../runs/gates/read-gates.ts";
import type { Kind } from "../runs/kind.ts";
import { loadSubject, projectMemories, projectRepository } from "../runs/subject.ts";
import { decideIssue } from "./decide.ts";
import { evolveImplementation, replayImplementation } from "./evolve.ts";
import type { Implementation } from "./implementation.ts";
import { restorePointOf, whyNotRestorable } from "./restore-point.ts";
import { projectImplementation } from "./status-of.ts";
import type { IssueView } from "./view.ts";

type WorkInput = IssueInput | CommonInput;

/** Work on issues. */
export const IMPLEMENT: Kind<WorkInput, IssueView, Implementation> = {
  name: "implement",
  called: "work on an issue",
  // It writes on its pull request too.
  ...{ hears: "own_subject", urgent: false, request: true, resumable: true },
  ceilingUsd: ({ safety }) => safety.cost.run,
  wake: workOn,
  restore: restorePointOf,
  owns: (input: Input): input is WorkInput => input.subject.kind === "issue",
  load: async (store, input) => {
    const [known, gates, told] = await Promise.all([
      loadSubject(store, input, "implement", replayImplementation, true),
      readGates(store, input.subject),
      readDeployGates(store, [input.subject]),
    ]);
    return { ...known, gates, toldHere: told.map(({ gate }) => gate), pipeline: PIPELINES.implement };
  },
  ...{ decide: decideIssue, evolve: evolveImplementation, show: projectImplementation },
  project: (_view, { subject }, events, run) => ({
    ledger: [],
    repository: run ? [] : projectRepository(subject, events, []),
    memories: projectMemories(events),
  }),
  checkpoint: { outputs: outputsOf, whyNotBack: whyNotRestorable },
};

function outputsOf(run: Implementation): Readonly<Record<string, unknown>> {
  const { configuration, base, plan, tasksDone, work, branch, pushed, pull, reviewed, tests, answers, feedback } = run;
  const { instructions, gates } = run;
  return defined({
    ...{ configuration, base, plan, work, branch, pushed, pull, reviewed, tests },
    ...{ tasksDone: some(tasksDone), answers: some(answers), feedback: some(feedback) },
    ...{ instructions: some(instructions), gates: some(gates) },
  });
}

function some<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined;
}
