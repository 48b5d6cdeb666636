import { defined } from "../domain/defined.ts";
import type { CommonInput, Input, IssueInput, PullInput, RuleObserved } from "../domain/inputs.ts";
import { decideDeployment } from "./deploy/decide.ts";
import type { Deployment } from "./deploy/deployment.ts";
import { evolveDeployment } from "./deploy/evolve.ts";
import { decideRule, loadRule, type RuleView } from "./deploy/rule/decide-rule.ts";
import { projectDeployment } from "./deploy/standing-of.ts";
import { type EnvironmentInput, type EnvironmentView, loadEnvironment } from "./deploy/view.ts";
import { decideIssue } from "./implement/decide.ts";
import { evolveImplementation, replayImplementation } from "./implement/evolve.ts";
import type { Implementation } from "./implement/implementation.ts";
import { projectImplementation } from "./implement/status-of.ts";
import type { IssueView } from "./implement/view.ts";
import { decide } from "./review/decide.ts";
import { evolve } from "./review/evolve.ts";
import { loadView } from "./review/load-view.ts";
import { projectLedger, projectRun } from "./review/project.ts";
import type { RunState } from "./review/run-state.ts";
import type { SubjectView } from "./review/view.ts";
import { PIPELINES } from "./runs/definition.ts";
import { readGates } from "./runs/gates/read-gates.ts";
import type { Kind } from "./runs/kind.ts";
import { loadSubject, projectMemories, projectRepository } from "./runs/subject.ts";

/** Reviews of pull requests and of groups in a merge queue. */
export const REVIEWS: Kind<PullInput, SubjectView, RunState> = {
  load: loadView,
  decide,
  evolve,
  project: ({ ledger }, { subject }, events, run) => {
    const about = run ? run.subject : subject;
    return {
      ...defined({ run: run && projectRun(run) }),
      ledger: projectLedger(about, run?.ends.headSha ?? "", events, ledger),
      repository: run ? [] : projectRepository(subject, events, ledger),
      memories: projectMemories(events),
    };
  },
};

/** Work on issues. */
export const IMPLEMENTATIONS: Kind<IssueInput | CommonInput, IssueView, Implementation> = {
  load: async (store, input) => {
    const [known, gates] = await Promise.all([
      loadSubject(store, input, "implement", replayImplementation, true),
      readGates(store, input.subject),
    ]);
    return { ...known, gates, pipeline: PIPELINES.implement };
  },
  decide: decideIssue,
  evolve: evolveImplementation,
  project: (_view, { subject }, events, run) => ({
    ...defined({ run: run && projectImplementation(run) }),
    ledger: [],
    repository: run ? [] : projectRepository(subject, events, []),
    memories: projectMemories(events),
  }),
};

/** Deployments to the environments of a repository. */
export const DEPLOYMENTS: Kind<EnvironmentInput, EnvironmentView, Deployment> = {
  load: loadEnvironment,
  decide: decideDeployment,
  evolve: evolveDeployment,
  project: (_view, _input, _events, run) => ({
    ...defined({ run: run && projectDeployment(run) }),
    ...{ ledger: [], repository: [], memories: [] },
  }),
};

/** What Forge answers as the rule of an environment; it begins no run. */
export const RULES: Kind<RuleObserved, RuleView, Deployment> = {
  load: loadRule,
  decide: decideRule,
  evolve: evolveDeployment,
  project: () => ({ ledger: [], repository: [], memories: [] }),
};

export function isAboutEnvironment(input: Input): input is EnvironmentInput {
  return input.subject.kind === "environment";
}

/** What is about an issue is decided by what is known of the issue; all else is about a pull request or a group of a merge queue. */
export function isAboutIssue(input: Input): input is IssueInput | CommonInput {
  return input.subject.kind === "issue";
}
