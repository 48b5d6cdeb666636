import type { ConfigurationFacts } from "../../domain/answers.ts";
import type { ParsedCommand, Refusal } from "../../domain/commands.ts";
import { ForgeError } from "../../domain/errors.ts";
import type { JobPayload } from "../../domain/jobs.ts";
import type { Role } from "../../domain/roles.ts";
import type { Actor, Subject } from "../../domain/subjects.ts";
import { readCost } from "../../pipeline/commands/read-cost.ts";
import { findInstructions } from "../../pipeline/find-instructions.ts";
import { type HandleInputPorts, handleInput } from "../../pipeline/handle-input.ts";
import { loadConfiguration } from "../../pipeline/load-configuration.ts";
import type { PullRequestHost } from "../../pipeline/ports.ts";
import type { Redact } from "../../safety/redact.ts";
import type { Fence } from "../../store/fence.ts";
import { commandOfButton } from "../words/check-buttons.ts";
import { bodyHash } from "./body-hash.ts";
import type { CommentReader } from "./comment-reader.ts";
import { dismissalReason } from "./dismissal-words.ts";
import { parseCommand } from "./parse-command.ts";
import { parseCommands } from "./parse-commands.ts";

export interface CommandPowers extends HandleInputPorts {
  readonly comments: CommentReader;
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

/** What a comment or a press comes to when it is read. */
interface Given {
  readonly by: Actor;
  readonly commands: readonly ParsedCommand[];
  readonly alone: boolean;
  readonly thread?: number;
}

/** After this many attempts at reading somebody's role their commands are refused (GH-14). */
const ROLE_ATTEMPTS = 3;
const RETRY_MS = 5_000;

/**
 * Carries out the commands of a comment in order. The comment is read again first: one that was edited or deleted since runs nothing
 * (GH-4). Each command is an input of its own, so that a worker that dies in between leaves none done twice.
 * @returns when to try again, where GitHub gave no answer
 */
export async function runCommands(powers: CommandPowers, job: CommandJob, context: CommandContext) {
  try {
    return await readAndRun(powers, job, context);
  } catch (error) {
    if (context.signal.aborted || !isUnavailable(error)) throw error;
    return { retryAt: later(powers, error) };
  }
}

async function readAndRun(powers: CommandPowers, job: CommandJob, context: CommandContext) {
  const { subject, source, plain } = job;
  const given = await read(powers, job, context);
  if (!given) return undefined;
  const pull = await powers.host.readPullRequest(subject, context.signal);
  if (!pull) return undefined;
  const role = await readRole(powers, job, given.by, context);
  if (typeof role === "object") return role;
  for (const [index, parsed] of given.commands.entries()) {
    const wanted = "command" in parsed ? parsed.command.name : undefined;
    const input = {
      type: "command.given",
      subject,
      at: powers.now(),
      newRunId: powers.makeId(),
      source,
      index,
      by: given.by,
      ...(role ? { role } : {}),
      parsed,
      alone: given.alone,
      plain,
      ...(given.thread ? { thread: given.thread } : {}),
      pull: { open: pull.open, ends: pull.ends, title: pull.title },
      ...(wanted === "config" ? { configuration: await readConfiguration(powers, subject, context.signal) } : {}),
      ...(wanted === "extend" ? { limits: await readLimits(powers, subject, context.signal) } : {}),
      ...(wanted === "cost" ? { cost: await tellCost(powers, subject, context.signal) } : {}),
    } as const;
    await handleInput(powers, input, context.fence);
  }
  return undefined;
}

async function readConfiguration(powers: CommandPowers, { repository }: Subject, signal: AbortSignal) {
  const { settings, problems } = await loadConfiguration(powers, repository, signal);
  const { found, leftOut, truncated } = await findInstructions(powers.host, repository, signal);
  const facts: ConfigurationFacts = {
    settings: settings.map(({ path, value, origin }) => ({ name: path, value: JSON.stringify(value), from: origin })),
    problems: [...problems],
    instructions: { found: found.map(({ path }) => path), leftOut: [...leftOut], truncated },
  };
  return facts;
}

async function readLimits(powers: CommandPowers, { repository }: Subject, signal: AbortSignal) {
  const { value } = await loadConfiguration(powers, repository, signal);
  const { cost, iterations, time } = value.safety;
  return { usd: cost.review, iterations: iterations.review, minutes: time.review };
}

async function tellCost(powers: CommandPowers, subject: Subject, signal: AbortSignal) {
  const { value } = await loadConfiguration(powers, subject.repository, signal);
  const { dayLimitUsd } = powers;
  return readCost(powers.store, subject, { cost: value.safety.cost, dayLimitUsd }, powers.now());
}

async function read(powers: CommandPowers, job: CommandJob, context: CommandContext): Promise<Given | undefined> {
  const { subject, source, press } = job;
  if (press) {
    const line = commandOfButton(press.identifier);
    return line === undefined ? undefined : { by: press.by, commands: [parseCommand(line)], alone: true };
  }
  const comment = await powers.comments.readComment(subject, source, context.signal);
  if (!comment) return undefined;
  const { author: by, thread } = comment;
  if (bodyHash(comment.body) !== job.bodyHash) {
    // Talk that was edited is still talk.
    if (!job.plain) await voidCommands(powers, job, { reason: "edited" }, by, context.fence);
    return undefined;
  }
  if (by.kind !== "user") return undefined;
  const body = powers.redact(comment.body);
  const inThread = thread ? { thread } : {};
  if (!job.plain) return { by, ...inThread, ...parseCommands(body) };
  const reason = dismissalReason(body);
  if (reason === undefined) return undefined;
  const command = { name: "dismiss", reason, scope: { kind: "here" } } as const;
  return { by, ...inThread, commands: [{ command }], alone: true };
}

/** Undefined when GitHub does not tell: then everything is refused. */
async function readRole(
  { comments, now }: CommandPowers,
  { subject }: CommandJob,
  by: Actor,
  { attempt, signal }: CommandContext,
): Promise<Role | undefined | { readonly retryAt: string; readonly countsAsAttempt: boolean }> {
  try {
    return await comments.readRole(subject.repository, by.login, signal);
  } catch (error) {
    if (signal.aborted || !(error instanceof ForgeError)) throw error;
    if (!isUnavailable(error) || attempt >= ROLE_ATTEMPTS) return undefined;
    return { retryAt: later({ now }, error), countsAsAttempt: true };
  }
}

/** Says on the comment that nothing of it was carried out. */
export async function voidCommands(
  powers: HandleInputPorts & { readonly now: () => string },
  { subject, source }: Pick<CommandJob, "subject" | "source">,
  refusal: Refusal,
  by?: Actor,
  fence?: Fence,
): Promise<void> {
  const common = { type: "commands.void", subject, source, refusal, ...(by ? { by } : {}) } as const;
  await handleInput(powers, { ...common, at: powers.now(), newRunId: powers.makeId() }, fence);
}

function isUnavailable(error: unknown): error is ForgeError {
  return error instanceof ForgeError && error.code === "github_unavailable";
}

/** When to ask again: when whoever did not answer said so, else soon. */
export function later({ now }: Pick<CommandPowers, "now">, error: ForgeError): string {
  const waitMs = Math.max(RETRY_MS, Number(namedTime(error) ? error.context.retryAfterMs : 0));
  return new Date(Date.parse(now()) + waitMs).toISOString();
}

function namedTime({ code, context }: ForgeError): boolean {
  return code === "model_later" || context.cause === "rate_limited";
}
