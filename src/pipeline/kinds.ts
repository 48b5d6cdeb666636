import { defined } from "../domain/defined.ts";
import type { PlacedEvent } from "../domain/events.ts";
import type { CommonInput, IssueInput, PullInput, RuleObserved } from "../domain/inputs.ts";
import type { RunProjection } from "../store/runs/upsert-runs.ts";
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
import { readDeployGates } from "./runs/gates/deploy-gates.ts";
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
    const [known, gates, told] = await Promise.all([
      loadSubject(store, input, "implement", replayImplementation, true),
      readGates(store, input.subject),
      readDeployGates(store, [input.subject]),
    ]);
    return { ...known, gates, toldHere: told.map(({ gate }) => gate), pipeline: PIPELINES.implement };
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
  project: (_view, _input, events, run) => ({
    ...defined({ run: run && projectDeployment(run) }),
    ...{ ledger: [], repository: [], memories: projectMemories(events) },
  }),
};

/** What Forge answers as the rule of an environment; it begins no run. */
export const RULES: Kind<RuleObserved, RuleView, Deployment> = {
  load: loadRule,
  decide: decideRule,
  evolve: evolveDeployment,
  project: () => ({ ledger: [], repository: [], memories: [] }),
};

/** The kinds of run, as the first event of a run names them. */
type RunKind = Extract<PlacedEvent, { type: "run.started" }>["payload"]["kind"];

/** A run as its events tell it: its state, by its kind. */
export type Replayed =
  | { readonly kind: "review"; readonly state: RunState }
  | { readonly kind: "implement"; readonly state: Implementation }
  | { readonly kind: "deploy"; readonly state: Deployment };

/** The kind of the run to which this log belongs; undefined where it does not begin as the log of a run. */
export function kindOfRun([first]: readonly PlacedEvent[]): RunKind | undefined {
  return first?.type === "run.started" ? first.payload.kind : undefined;
}

/** A run after one more event. @throws ForgeError `run_without_start` */
export function evolveRun(
  run: Replayed | undefined,
  event: PlacedEvent,
  kind: RunKind | undefined = run?.kind,
): Replayed | undefined {
  switch (kind) {
    case undefined:
      return undefined;
    case "review":
      return { kind, state: evolve(run?.kind === kind ? run.state : undefined, event) };
    case "implement":
      return { kind, state: evolveImplementation(run?.kind === kind ? run.state : undefined, event) };
    case "deploy":
      return { kind, state: evolveDeployment(run?.kind === kind ? run.state : undefined, event) };
    default:
      return kind satisfies never;
  }
}

/** The run that these events come to; undefined where they are not the events of a run. */
export function replayRun(events: readonly PlacedEvent[]): Replayed | undefined {
  const kind = kindOfRun(events);
  return events.reduce<Replayed | undefined>((run, event) => evolveRun(run, event, kind), undefined);
}

/** The row that a run comes to. */
export function projectReplayed(run: Replayed): RunProjection {
  switch (run.kind) {
    case "review":
      return projectRun(run.state);
    case "implement":
      return projectImplementation(run.state);
    case "deploy":
      return projectDeployment(run.state);
    default:
      return run satisfies never;
  }
}
