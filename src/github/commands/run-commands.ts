import type { CommandName } from "../../domain/commands.ts";
import { defined } from "../../domain/defined.ts";
import { ForgeError, RetryLater } from "../../domain/errors.ts";
import type { CommandGiven, IssueCommandGiven } from "../../domain/inputs.ts";
import type { JobPayload } from "../../domain/jobs.ts";
import type { ParsedCommand, Refusal } from "../../domain/refusals.ts";
import type { Role } from "../../domain/roles.ts";
import type { Actor, Subject } from "../../domain/subjects.ts";
import { readRestorePoint } from "../../pipeline/runs/commands/read-restore-point.ts";
import { readAnswer } from "../../pipeline/runs/commands/tell.ts";
import { refusalOf } from "../../pipeline/runs/commands/tell-outcome.ts";
import { loadConfiguration } from "../../pipeline/runs/configuration/load-configuration.ts";
import { type HandleInputPorts, handleInput } from "../../pipeline/runs/handle-input.ts";
import type { IssueHost, PullRequestHost } from "../../pipeline/runs/ports.ts";
import type { DeadJob } from "../../queue/ports.ts";
import { atLeast } from "../../safety/permissions.ts";
import type { Redact } from "../../safety/redact.ts";
import type { Fence } from "../../store/fence.ts";
import type { Store } from "../../store/store.ts";
import type { CommentReader } from "./comment-reader.ts";
import { type Given, readGiven } from "./read-given.ts";
import { type Place, placeFor, readPlace } from "./read-place.ts";

export interface CommandDependencies extends HandleInputPorts {
  readonly comments: CommentReader;
  readonly issues: Pick<IssueHost, "readIssue" | "readSnapshot" | "readPull" | "readBranchHead">;
  readonly host: Pick<PullRequestHost, "readPullRequest" | "readFile" | "readOrganisationFile" | "listFiles">;
  /** What people write is stored: a secret in it is not (SEC-6). */
  readonly redact: Redact;
  readonly now: () => string;
  /** USD that this Forge may spend in a day, over all repositories; untold where left out. */
  readonly dayLimitUsd?: number;
}

export interface CommandContext {
  readonly attempt: number;
  readonly signal: AbortSignal;
  readonly fence: Fence;
}

type CommandJob = JobPayload<"command">;

/** After this many attempts at reading somebody's role their commands are refused (GH-14). */
const ROLE_ATTEMPTS = 3;

/**
 * Carries out the commands of a comment in order. The comment is read again first: one that was edited or deleted since runs nothing
 * (GH-4). Each command is an input of its own, so that a worker that dies in between leaves none done twice.
 */
export async function runCommands(
  dependencies: CommandDependencies,
  job: CommandJob,
  context: CommandContext,
): Promise<void> {
  const { source, plain, talk = false } = job;
  const { signal, fence } = context;
  const given = await readGiven(dependencies, job, signal);
  if (given && "refusal" in given) await voidCommands(dependencies, job, given.refusal, given.by, fence);
  if (!given || "refusal" in given) return;
  const place = await readPlace(dependencies, job.subject, signal);
  if (!place) return;
  const role = await readRole(dependencies, job, given.by, context);
  for (const [index, parsed] of given.commands.entries()) {
    const meant = await placeFor(dependencies, place, parsed, signal);
    const told = await readAnswer(dependencies, meant.subject, parsed, signal);
    const common = {
      type: "command.given",
      subject: meant.subject,
      at: dependencies.now(),
      newRunId: dependencies.makeId(),
      source,
      index,
      by: given.by,
      ...defined({ role }),
      parsed,
      alone: given.alone,
      plain: plain || talk,
      ...defined({ thread: given.thread || undefined, writtenAt: given.at || undefined }),
      ...defined({ told }),
    } as const;
    const input =
      meant.kind === "pull"
        ? await onPull(dependencies, common, meant, signal)
        : await onIssue(dependencies, common, meant, { given, signal });
    await handleInput(dependencies, input, fence);
  }
}

/** The queue has given the commands up: who gave them is told. */
export async function giveUpCommands(
  dependencies: HandleInputPorts & { readonly now: () => string },
  job: CommandJob,
  { error }: DeadJob,
): Promise<void> {
  await voidCommands(dependencies, job, refusalOf(error));
}

type Common = Omit<CommandGiven, "pull" | "limits">;

async function onPull(
  dependencies: CommandDependencies,
  common: Common,
  { pull }: Extract<Place, { kind: "pull" }>,
  signal: AbortSignal,
): Promise<CommandGiven> {
  const limits = isNamed(common.parsed, "extend")
    ? { limits: await readLimits(dependencies, common.subject, signal) }
    : {};
  const branch = isNamed(common.parsed, "fix")
    ? await readBranch(dependencies, common.subject, pull, signal)
    : undefined;
  return { ...common, pull, ...limits, ...defined({ branch }) };
}

/** The head's branch, where it is in this repository and still there. */
async function readBranch(
  { issues }: CommandDependencies,
  { repository }: Subject,
  { ends }: CommandGiven["pull"],
  signal: AbortSignal,
): Promise<CommandGiven["branch"]> {
  if (ends.headRepositoryId !== repository.id) return undefined;
  const branch = await issues.readBranchHead(repository, ends.headRef, signal);
  const standard = await issues.readBranchHead(repository, undefined, signal);
  return branch && { isDefault: standard?.ref === ends.headRef, isProtected: branch.isProtected ?? false };
}

/** The issue is read with all that was said only for somebody who may have it worked on. */
async function onIssue(
  { issues, store }: CommandDependencies,
  common: Common,
  { issue, pull, givenOn }: Extract<Place, { kind: "issue" }>,
  { given, signal }: { readonly given: Given; readonly signal: AbortSignal },
): Promise<IssueCommandGiven> {
  const { parsed, role = "none", subject } = common;
  const wanted = (isNamed(parsed, "implement") || isNamed(parsed, "plan")) && atLeast(role, "write");
  const snapshot = wanted ? await issues.readSnapshot(subject, signal, given.at) : undefined;
  return {
    ...common,
    issue: { ...issue, ...defined({ snapshot }) },
    ...defined({ pull, givenOn }),
    ...(await readRestore(store, subject, parsed)),
  };
}

async function readRestore(store: Store, subject: Subject, parsed: ParsedCommand) {
  const version = "command" in parsed && parsed.command.name === "retry" ? parsed.command.checkpoint : undefined;
  return version === undefined ? {} : { restore: await readRestorePoint(store, subject, version) };
}

function isNamed(parsed: ParsedCommand, name: CommandName): boolean {
  return "command" in parsed && parsed.command.name === name;
}

async function readLimits(dependencies: CommandDependencies, { repository }: Subject, signal: AbortSignal) {
  const { value } = await loadConfiguration(dependencies, repository, signal);
  const { cost, iterations, time } = value.safety;
  return { usd: cost.review, iterations: iterations.review, minutes: time.review };
}

/** Undefined when GitHub does not tell, also when asked a third time: then everything is refused. */
async function readRole(
  { comments }: CommandDependencies,
  { subject }: CommandJob,
  by: Actor,
  { attempt, signal }: CommandContext,
): Promise<Role | undefined> {
  try {
    return await comments.readRole(subject.repository, by.login, signal);
  } catch (error) {
    if (signal.aborted || !(error instanceof ForgeError)) throw error;
    if (!(error instanceof RetryLater) || attempt >= ROLE_ATTEMPTS) return undefined;
    throw error.counted();
  }
}

/** Says on the comment that nothing of it was carried out. */
export async function voidCommands(
  dependencies: HandleInputPorts & { readonly now: () => string },
  { subject, source }: Pick<CommandJob, "subject" | "source">,
  refusal: Refusal,
  by?: Actor,
  fence?: Fence,
): Promise<void> {
  const common = { type: "commands.void", subject, source, refusal, ...defined({ by }) } as const;
  await handleInput(dependencies, { ...common, at: dependencies.now(), newRunId: dependencies.makeId() }, fence);
}
