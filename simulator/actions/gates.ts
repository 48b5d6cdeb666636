// Environments: what a job that names one makes, waits for, and leaves behind.
// https://docs.github.com/en/actions/reference/workflows-and-actions/deployments-and-environments
import { forbidden, Problem } from "../problem.ts";
import type { Account, App, DeployEnvironment, Job, Repository, Team, WorkflowRun } from "../records.ts";
import type { Gate, PlannedJob } from "../running.ts";
import { userShape } from "../shapes/account.ts";
import { deploymentShape } from "../shapes/deployment.ts";
import { jobRunShape, reviewersShape } from "../shapes/environment.ts";
import { hookRunShape, runApi } from "../shapes/workflow.ts";
import { emit } from "../webhooks/emit.ts";
import { nextId, timeOf, type World } from "../world.ts";
import { ciApp } from "./ci-apps.ts";
import { createDeployment, createDeploymentStatus } from "./deployments.ts";
import { holdJob } from "./workflow-runs.ts";

/** Names are compared without regard to case. */
export function environmentOf(world: World, repository: Repository, name: string): DeployEnvironment | undefined {
  const wanted = name.toLowerCase();
  return world.environments.find((each) => each.repository === repository && each.name.toLowerCase() === wanted);
}

export type EnvironmentRules = Partial<
  Pick<DeployEnvironment, "reviewers" | "waitMinutes" | "preventSelfReview" | "branches" | "mayBypass">
>;

export function createEnvironment(
  world: World,
  repository: Repository,
  name: string,
  rules: EnvironmentRules = {},
): DeployEnvironment {
  const environment: DeployEnvironment = {
    id: nextId(world),
    repository,
    name,
    reviewers: [],
    preventSelfReview: false,
    branches: null,
    mayBypass: true,
    rules: [],
    createdAt: timeOf(world),
    ...rules,
  };
  world.environments.push(environment);
  return environment;
}

/** Calls back when the job may go on, at once or when every rule has let it, or with the reason why it may not. One that is not there
 * is made, without protection. */
export function enterEnvironment(
  world: World,
  job: Job,
  planned: PlannedJob,
  settle: (passed: boolean, words?: string) => void,
): void {
  const { environment: name, makesDeployment } = planned;
  const { suite, ref = "" } = job.workflowRun;
  const { repository } = suite;
  const environment =
    name === null ? null : (environmentOf(world, repository, name) ?? createEnvironment(world, repository, name));
  const refusal = environment ? refusalOf(environment, ref, makesDeployment) : null;
  if (!environment || refusal !== null) {
    settle(refusal === null, refusal ?? undefined);
    return;
  }
  if (makesDeployment) makeDeployment(world, job, environment);
  const { waitMinutes = 0 } = environment;
  if (environment.reviewers.length === 0 && environment.rules.length === 0 && waitMinutes === 0) {
    settle(true);
    return;
  }
  say(world, job, "waiting");
  holdJob(world, job);
  const rules: Gate["rules"] = new Map(environment.rules.map(({ app }) => [app, { approved: false, reports: [] }]));
  const needsReview = environment.reviewers.length > 0;
  const gate: Gate = { job, environment, since: world.clock(), needsReview, needsTime: waitMinutes > 0, rules, settle };
  world.gates.push(gate);
  if (needsReview) emitReviewRequested(world, gate);
  for (const { app } of environment.rules) emitRuleRequested(world, gate, app);
}

function refusalOf(environment: DeployEnvironment, ref: string, makesDeployment: boolean): string | null {
  const { name, rules } = environment;
  if (!makesDeployment && rules.length > 0) return `${name} has custom protection rules, which need a deployment`;
  if (isBranchAllowed(environment, ref)) return null;
  return `Branch "${shortRef(ref)}" is not allowed to deploy to ${name} due to environment protection rules.`;
}

function shortRef(ref: string): string {
  return ref.replace(/^refs\/(heads|tags)\//, "");
}

/** A commit that was deployed under no name matches no pattern. */
function isBranchAllowed({ branches, repository }: DeployEnvironment, ref: string): boolean {
  if (branches === null) return true;
  const name = shortRef(ref);
  if (branches === "protected") return ref.startsWith("refs/heads/") && repository.protections.has(name);
  return name !== "" && branches.some((pattern) => globOf(pattern).test(name));
}

/** As fnmatch of Ruby: a star does not match a slash. */
function globOf(pattern: string): RegExp {
  const literal = pattern.replace(/[.+^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${literal.replaceAll("*", "[^/]*").replaceAll("?", "[^/]")}$`);
}

/** Beside the one that may have set the workflow off. */
function makeDeployment(world: World, job: Job, { name }: DeployEnvironment): void {
  const { suite, ref = "" } = job.workflowRun;
  const { headSha: sha, repository } = suite;
  const app = ciApp(world);
  const wanted = { sha, ref: shortRef(ref) || sha, environment: name, payload: {} };
  job.deployment = createDeployment(world, repository, wanted, { user: app.bot, viaApp: app }, job);
}

function say(world: World, job: Job, state: "waiting" | "in_progress" | "success" | "failure" | "error"): void {
  if (!job.deployment) return;
  const app = ciApp(world);
  const status = { state, log_url: job.check.detailsUrl ?? "" };
  createDeploymentStatus(world, job.deployment, status, { user: app.bot, viaApp: app }, job);
}

export function beginInEnvironment(world: World, job: Job): void {
  say(world, job, "in_progress");
}

/** What is said of a job that was cancelled could not be compared with the real service. */
export function leaveEnvironment(world: World, job: Job, conclusion: string): void {
  say(world, job, conclusion === "success" ? "success" : conclusion === "cancelled" ? "error" : "failure");
}

export function forgetGates(world: World, run: WorkflowRun): void {
  for (const gate of gatesOf(world, run)) world.gates.splice(world.gates.indexOf(gate), 1);
}

export function gatesOf(world: World, run: WorkflowRun): Gate[] {
  return world.gates.filter(({ job }) => job.workflowRun === run);
}

function settle(world: World, gate: Gate, passed: boolean, words?: string): void {
  world.gates.splice(world.gates.indexOf(gate), 1);
  gate.job.waiting = false;
  gate.settle(passed, words);
}

function letGo(world: World, gate: Gate): void {
  if (gate.needsReview || gate.needsTime || [...gate.rules.values()].some(({ approved }) => !approved)) return;
  settle(world, gate, true);
}

export interface RuleAnswer {
  readonly environment_name: string;
  readonly state?: "approved" | "rejected";
  readonly comment?: string;
  /** A fault: only the first job hears of it. */
  readonly partly?: boolean;
}

const LONGEST_COMMENT = 1_024;
const MOST_REPORTS = 10;

/** The answer of an App to all jobs of a run that wait for its rule in an environment. Throws what
 * https://github.com/open-security-tools/ost-environment-gate (src/github/deployments.rs) has seen. */
export function answerRule(world: World, run: WorkflowRun, app: App, answer: RuleAnswer): void {
  const { environment_name: name, state, comment = "", partly = false } = answer;
  const environment = environmentOf(world, run.suite.repository, name);
  if (environment && !environment.rules.some((rule) => rule.app === app))
    throw forbidden("Resource not accessible by integration");
  if (comment.length > LONGEST_COMMENT)
    throw new Problem(422, `Comment is too long (maximum is ${LONGEST_COMMENT} characters)`);
  const gates = gatesOf(world, run).filter((gate) => gate.environment === environment);
  const asked = gates.flatMap((gate) => {
    const rule = gate.rules.get(app);
    return rule ? [{ gate, rule }] : [];
  });
  if (asked.length === 0) throw new Problem(422, "No pending deployment requests to approve or reject");
  const open = asked.filter(({ rule }) => !rule.approved);
  if (open.length === 0) throw new Problem(422, "Deployment protection rule has already been reviewed");
  for (const { gate, rule } of partly ? open.slice(0, 1) : open) {
    if (state === undefined && rule.reports.length >= MOST_REPORTS)
      throw new Problem(422, `No more than ${MOST_REPORTS} status reports are allowed`);
    if (state === undefined) rule.reports.push(comment);
    else if (state === "rejected") settle(world, gate, false, comment);
    else {
      rule.approved = true;
      letGo(world, gate);
    }
  }
  if (partly) throw new Problem(422, "There was a problem approving one of the gates");
}

export interface Review {
  readonly environments: readonly DeployEnvironment[];
  readonly state: "approved" | "rejected";
  readonly comment: string;
}

/** By one of the required reviewers, of whom one is enough. */
export function reviewGates(
  world: World,
  run: WorkflowRun,
  { environments, state, comment }: Review,
  by: Account,
): Gate[] {
  const gates = gatesOf(world, run).filter((gate) => gate.needsReview && environments.includes(gate.environment));
  if (gates.length === 0) throw new Problem(422, "No pending deployment requests to approve or reject");
  if (!gates.every((gate) => mayReview(gate, by)))
    throw new Problem(422, "User is not a required reviewer of this environment");
  run.answers = [
    ...(run.answers ?? []),
    { environments: [...new Set(gates.map((gate) => gate.environment))], state, comment, by },
  ];
  for (const gate of gates) {
    gate.needsReview = false;
    emitReview(world, gate, { action: state, approver: userShape(world, by), comment }, by);
    if (state === "approved") letGo(world, gate);
    else settle(world, gate, false, comment);
  }
  return gates;
}

export function mayReview({ environment, job }: Gate, by: Account): boolean {
  const isAsked = environment.reviewers.some((each) => each === by || (isTeam(each) && each.members.includes(by)));
  return isAsked && !(environment.preventSelfReview && job.workflowRun.actor === by);
}

export function isTeam(reviewer: Account | Team): reviewer is Team {
  return "slug" in reviewer;
}

/** "Start all waiting jobs". Throws where the environment forbids it. */
export function bypassGates(world: World, run: WorkflowRun): void {
  for (const gate of gatesOf(world, run)) {
    if (!gate.environment.mayBypass) throw new Error(`${gate.environment.name} lets nobody bypass its rules`);
    settle(world, gate, true);
  }
}

/** Lets go the jobs whose wait timer has run out, as the clock of the simulator says. */
export function passTime(world: World): void {
  for (const gate of [...world.gates]) {
    if (!gate.needsTime || world.clock() - gate.since < (gate.environment.waitMinutes ?? 0) * 60_000) continue;
    gate.needsTime = false;
    letGo(world, gate);
  }
}

const LONGEST_WAIT_MS = 30 * 24 * 60 * 60_000;

/** Jobs that were not let go within 30 days fail. */
export function expireGates(world: World): void {
  for (const gate of [...world.gates])
    if (world.clock() - gate.since >= LONGEST_WAIT_MS) settle(world, gate, false, "Not approved within 30 days");
}

/** As it was recorded: https://github.com/open-security-tools/ost-environment-gate (testdata/deployment-protection-requested.json) has
 * sha, ref and workflow_run, of which the description says nothing. */
function emitRuleRequested(world: World, { job, environment }: Gate, app: App): void {
  const { workflowRun: run, deployment } = job;
  const { repository, headSha: sha } = run.suite;
  const payload = {
    action: "requested",
    environment: environment.name,
    event: run.event,
    sha,
    ref: shortRef(run.ref ?? ""),
    deployment_callback_url: `${runApi(world, run)}/deployment_protection_rule`,
    deployment: deployment ? deploymentShape(world, deployment) : null,
    pull_requests: [],
    workflow_run: { id: run.id },
  };
  emit(world, repository, "deployment_protection_rule", payload, run.actor, app);
}

function emitReviewRequested(world: World, gate: Gate): void {
  const { environment, job } = gate;
  const requested = { environment: environment.name, requestor: userShape(world, job.workflowRun.actor) };
  emitReview(world, gate, { action: "requested", ...requested }, job.workflowRun.actor);
}

function emitReview(world: World, gate: Gate, facts: object, by: Account): void {
  const { job, environment } = gate;
  const { workflowRun } = job;
  const shapes = {
    workflow_run: hookRunShape(world, workflowRun),
    workflow_job_run: jobRunShape(job, environment),
    // GitHub's description of this webhook knows no teams.
    reviewers: reviewersShape(world, environment).filter(({ type }) => type === "User"),
    since: timeOf(world),
  };
  emit(world, workflowRun.suite.repository, "deployment_review", { ...facts, ...shapes }, by);
}
