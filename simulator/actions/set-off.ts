// Which workflows an event sets off: those whose file, at the commit of the event, says so.
// https://docs.github.com/en/actions/reference/workflows-and-actions/events-that-trigger-workflows
import { concurrencyOf, evaluate, plannedJobs, type WorkflowFile, workflowFiles } from "../facts/workflow-files.ts";
import { commitOf } from "../git/bare-repository.ts";
import { notFound, Problem } from "../problem.ts";
import type { Account, Deployment, Job, Repository, WorkflowRun } from "../records.ts";
import type { Conduct } from "../running.ts";
import { deploymentShape } from "../shapes/deployment.ts";
import { emit } from "../webhooks/emit.ts";
import { inBackground } from "../webhooks/queue.ts";
import type { World } from "../world.ts";
import { ciApp } from "./ci-apps.ts";
import { beginRun, runnerOf } from "./run-workflow.ts";
import { createRun, workflowIdOf } from "./workflow-runs.ts";

interface Event {
  readonly name: string;
  readonly sha: string;
  /** GITHUB_REF. */
  readonly ref: string;
  /** github.event */
  readonly body: object;
  readonly payload: unknown;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly deployment?: Deployment;
  readonly actor: Account;
}

/** A deployment that a job of a workflow made sets off none: its token never does. */
export async function deploymentStarts(world: World, deployment: Deployment): Promise<void> {
  const { repository, sha, creator, payload } = deployment;
  if (creator === ciApp(world).bot) return;
  const body = { deployment: deploymentShape(world, deployment) };
  const ref = await fullRef(repository, deployment.ref);
  const event = { name: "deployment", sha, ref, body, payload: parsed(payload), deployment, actor: creator };
  for (const file of await workflowFiles(repository, sha))
    if ("deployment" in file.on) await setOff(world, repository, file, event);
}

/** "refs/heads/…", "refs/tags/…", or empty for a commit. */
async function fullRef({ directory }: Repository, ref: string): Promise<string> {
  const short = ref.replace(/^refs\//, "").replace(/^(heads|tags)\//, "");
  for (const kind of ["heads", "tags"])
    if (await commitOf(directory, `${kind}/${short}`)) return `refs/${kind}/${short}`;
  return "";
}

function parsed(payload: object | string): unknown {
  if (typeof payload !== "string") return payload;
  try {
    return JSON.parse(payload) as unknown;
  } catch {
    return payload;
  }
}

/** Null when no run is to be seen. */
async function setOff(
  world: World,
  repository: Repository,
  file: WorkflowFile,
  event: Event,
): Promise<WorkflowRun | null> {
  const conduct = takeConduct(world, repository, file.path);
  if (conduct === "never") return null;
  const { sha, ref, actor, inputs = {} } = event;
  const context = { github: { event: event.body, event_name: event.name, sha, ref, workflow: file.name }, inputs };
  const branch = ref.replace(/^refs\/(heads|tags)\//, "") || null;
  const title = file.runName === null ? {} : { title: evaluate(file.runName, context) };
  const wanted = { name: file.name, path: file.path, event: event.name, sha, branch, ref, ...title };
  const run = await createRun(world, repository, wanted, actor);
  const concurrency = concurrencyOf(file, context);
  const going = {
    run,
    conduct,
    deployment: event.deployment ?? null,
    payload: event.payload,
    inputs,
    group: concurrency?.group ?? null,
    cancel: new AbortController(),
    plan: plannedJobs(file, context),
    begun: false,
    started: new Set<Job>(),
  };
  beginRun(world, going, concurrency?.cancels ?? false);
  return run;
}

function takeConduct(world: World, repository: Repository, path: string): Conduct {
  const runner = runnerOf(world, repository);
  const found = runner.conducts.find((each) => each.left > 0 && (each.path ?? path) === path);
  if (found) found.left -= 1;
  return found?.conduct ?? "react";
}

export interface Dispatch {
  readonly ref: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
}

/** Throws the problems of https://docs.github.com/en/rest/actions/workflows#create-a-workflow-dispatch-event. Null when the run
 * never came to be, which nobody is told. */
export async function dispatchWorkflow(
  world: World,
  repository: Repository,
  workflow: string,
  { ref: name, inputs: given = {} }: Dispatch,
  actor: Account,
): Promise<WorkflowRun | null> {
  const path = await workflowPath(world, repository, workflow);
  const ref = await fullRef(repository, name);
  const sha = ref ? await commitOf(repository.directory, ref.replace("refs/", "")) : null;
  if (!sha) throw new Problem(422, `No ref found for: ${name}`);
  const file = (await workflowFiles(repository, sha)).find((each) => each.path === path);
  if (!file || !("workflow_dispatch" in file.on))
    throw new Problem(422, "Workflow does not have 'workflow_dispatch' trigger");
  const inputs = inputsOf(file, given);
  const body = { inputs, ref, workflow: path };
  return setOff(world, repository, file, { name: "workflow_dispatch", sha, ref, body, payload: null, inputs, actor });
}

/** By number or file name; it has to be on the default branch. */
export async function workflowPath(world: World, repository: Repository, workflow: string): Promise<string> {
  const sha = await commitOf(repository.directory, repository.defaultBranch);
  const files = sha ? await workflowFiles(repository, sha) : [];
  const found = files.find(
    ({ path }) => path.endsWith(`/${workflow}`) || String(workflowIdOf(world, repository, path)) === workflow,
  );
  if (!found) throw notFound();
  return found.path;
}

function inputsOf(file: WorkflowFile, given: Readonly<Record<string, unknown>>): Record<string, string> {
  const trigger = file.on.workflow_dispatch as { inputs?: Record<string, Input | null> | null } | null;
  const known = Object.entries(trigger?.inputs ?? {});
  const unexpected = Object.keys(given).filter((key) => !known.some(([name]) => name === key));
  if (unexpected.length > 0) throw new Problem(422, `Unexpected inputs provided: ${JSON.stringify(unexpected)}`);
  return Object.fromEntries(
    known.map(([name, input]) => {
      const value = given[name] ?? input?.default;
      if (value === undefined && input?.required) throw new Problem(422, `Required input '${name}' not provided`);
      return [name, String(value ?? "")];
    }),
  );
}

interface Input {
  readonly required?: boolean;
  readonly default?: unknown;
}

const LARGEST_PAYLOAD = 64 * 1024;

/** Told to Apps only, and read by workflows of the default branch.
 * https://docs.github.com/en/rest/repos/repos#create-a-repository-dispatch-event */
export async function dispatchRepository(
  world: World,
  repository: Repository,
  { event_type: type, client_payload = {} }: { readonly event_type: string; readonly client_payload?: object },
  actor: Account,
): Promise<void> {
  if (Buffer.byteLength(JSON.stringify(client_payload)) >= LARGEST_PAYLOAD)
    throw new Problem(422, "client_payload is too large (maximum is 64 KB)");
  const { defaultBranch } = repository;
  emit(world, repository, "repository_dispatch", { action: type, branch: defaultBranch, client_payload }, actor);
  const sha = await commitOf(repository.directory, defaultBranch);
  const files = sha ? await workflowFiles(repository, sha) : [];
  const body = { action: type, branch: defaultBranch, client_payload };
  for (const file of files) {
    const trigger = file.on.repository_dispatch as { types?: string | readonly string[] } | null | undefined;
    if (!sha || trigger === undefined || !(trigger?.types ?? [type]).includes(type)) continue;
    const event = {
      name: "repository_dispatch",
      sha,
      ref: `refs/heads/${defaultBranch}`,
      body,
      payload: client_payload,
    };
    inBackground(world.queue, () => setOff(world, repository, file, { ...event, actor }));
  }
}
