import { latestRuns } from "../facts/latest-runs.ts";
import { Problem } from "../problem.ts";
import type { Account, Annotation, CheckAction, CheckRun, CheckStatus, CheckSuite } from "../records.ts";
import { hookCheckRunShape, hookSuiteShape } from "../shapes/check.ts";
import { emit } from "../webhooks/emit.ts";
import { nextId, now, type World } from "../world.ts";

export interface CheckRunChange {
  readonly name?: string;
  readonly status?: CheckStatus;
  readonly conclusion?: string;
  readonly details_url?: string;
  readonly external_id?: string;
  readonly started_at?: string;
  readonly completed_at?: string;
  readonly output?: {
    readonly title?: string;
    readonly summary?: string;
    readonly text?: string;
    readonly annotations?: readonly Annotation[];
  };
  readonly actions?: readonly CheckAction[];
}

// The limits of https://docs.github.com/en/rest/checks/runs#create-a-check-run
const MOST_ANNOTATIONS = 50;
const LONGEST_OUTPUT = 65_535;
const MOST_ACTIONS = 3;
const LONGEST_ACTION: Record<keyof CheckAction, number> = { label: 20, description: 40, identifier: 20 };

export function createCheckRun(
  world: World,
  suite: CheckSuite,
  change: CheckRunChange & { name: string },
  by: Account,
  /** The page that it leads to, where its id is in the address. */
  detailsOf: (id: number) => string | null = () => null,
): CheckRun {
  const id = nextId(world);
  const run: CheckRun = {
    id,
    suite,
    name: change.name,
    externalId: "",
    detailsUrl: detailsOf(id),
    status: "queued",
    conclusion: null,
    startedAt: now(),
    completedAt: null,
    output: { title: null, summary: null, text: null },
    annotations: [],
    actions: [],
  };
  applyChange(run, change);
  suite.runs.push(run);
  world.checkRuns.set(run.id, run);
  emitRun(world, run, { action: "created" }, by);
  if (run.status === "completed") runCompleted(world, run, by);
  return run;
}

export function updateCheckRun(world: World, run: CheckRun, change: CheckRunChange, by: Account): void {
  const before = run.status;
  applyChange(run, change);
  if (before !== "completed" && run.status === "completed") runCompleted(world, run, by);
}

function runCompleted(world: World, run: CheckRun, by: Account): void {
  emitRun(world, run, { action: "completed" }, by);
  const { suite } = run;
  if (latestRuns(suite.runs).every((each) => each.status === "completed"))
    emit(
      world,
      suite.repository,
      "check_suite",
      { action: "completed", check_suite: hookSuiteShape(world, suite) },
      by,
    );
}

function emitRun(world: World, run: CheckRun, payload: { action: string }, by: Account): void {
  emit(world, run.suite.repository, "check_run", { ...payload, check_run: hookCheckRunShape(world, run) }, by);
}

/** Only the app that made the run hears of these two:
 * https://docs.github.com/en/webhooks/webhook-events-and-payloads#check_run */
export function rerequestRun(world: World, run: CheckRun, by: Account): void {
  const payload = { action: "rerequested", check_run: hookCheckRunShape(world, run) };
  emit(world, run.suite.repository, "check_run", payload, by, run.suite.app);
}

/** Throws when the run has no such button. */
export function pressButton(world: World, run: CheckRun, identifier: string, by: Account): void {
  if (!run.actions.some((action) => action.identifier === identifier))
    throw new Error(`check run ${run.id} has no button ${identifier}`);
  const payload = { action: "requested_action", requested_action: { identifier } };
  emit(
    world,
    run.suite.repository,
    "check_run",
    { ...payload, check_run: hookCheckRunShape(world, run) },
    by,
    run.suite.app,
  );
}

function applyChange(run: CheckRun, change: CheckRunChange): void {
  checkLimits(change);
  const status = change.conclusion !== undefined ? "completed" : (change.status ?? run.status);
  if (status === "completed" && change.conclusion === undefined && run.conclusion === null)
    throw invalid("conclusion is required when status is completed");
  run.name = change.name ?? run.name;
  run.externalId = change.external_id ?? run.externalId;
  run.detailsUrl = change.details_url ?? run.detailsUrl;
  run.startedAt = change.started_at ?? run.startedAt;
  run.actions = change.actions ?? run.actions;
  run.status = status;
  run.conclusion = status === "completed" ? (change.conclusion ?? run.conclusion) : null;
  run.completedAt = status === "completed" ? (change.completed_at ?? run.completedAt ?? now()) : null;
  const { title, summary, text, annotations = [] } = change.output ?? {};
  run.output = {
    title: title ?? run.output.title,
    summary: summary ?? run.output.summary,
    text: text ?? run.output.text,
  };
  // annotations are added to those that are there, never replaced
  run.annotations.push(...annotations);
}

function checkLimits({ output, actions = [] }: CheckRunChange): void {
  const annotations = output?.annotations ?? [];
  if (annotations.length > MOST_ANNOTATIONS)
    throw invalid(`No more than ${MOST_ANNOTATIONS} items are allowed; ${annotations.length} were supplied.`);
  for (const { start_line, end_line, start_column, end_column } of annotations) {
    if (end_line < start_line) throw invalid("end_line must not be before start_line");
    if (start_line !== end_line && (start_column !== undefined || end_column !== undefined))
      throw invalid("start_column and end_column are only allowed when start_line equals end_line");
  }
  for (const text of [output?.summary, output?.text])
    if (text !== undefined && text.length > LONGEST_OUTPUT)
      throw invalid(`Only ${LONGEST_OUTPUT} characters are allowed; ${text.length} were supplied.`);
  if (actions.length > MOST_ACTIONS) throw invalid(`No more than ${MOST_ACTIONS} actions are allowed.`);
  for (const action of actions)
    for (const key of ["label", "description", "identifier"] as const)
      if (action[key].length > LONGEST_ACTION[key])
        throw invalid(
          `Only ${LONGEST_ACTION[key]} characters are allowed; ${action[key].length} were supplied (${key}).`,
        );
}

function invalid(message: string): Problem {
  return new Problem(422, `Invalid request.\n\n${message}`);
}
