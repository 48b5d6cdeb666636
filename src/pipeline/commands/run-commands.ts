import type { CommandSource } from "../../domain/command-source.ts";
import { defined } from "../../domain/defined.ts";
import { errorFacts, ForgeError, RetryLater } from "../../domain/errors.ts";
import type { JobPayload } from "../../domain/jobs.ts";
import type { ParsedCommand, Refusal } from "../../domain/refusals.ts";
import type { Actor, Role } from "../../domain/subjects.ts";
import type { DeadJob } from "../../queue/ports.ts";
import { type Redact, redactAside } from "../../safety/redact.ts";
import type { Fence } from "../../store/jobs/fence.ts";
import type { Store } from "../../store/store.ts";
import { hasOpenQuestion } from "../runs/gates/read-gates.ts";
import { handleInput, type InputDependencies } from "../runs/handle-input.ts";
import type { CommentNow, CommentPort } from "../runs/ports.ts";
import { type FactsDependencies, readCommandTarget, redirectTarget, withFacts } from "./command-facts.ts";
import { bodyHash, commandOfButton, dismissalReason, parseCommand, parseCommands } from "./parse-comment.ts";
import { readNamed, readTeaching, type TeachingDependencies } from "./read-teaching.ts";
import { wasSettled } from "./settled-before.ts";
import { readAnswer, type TellDependencies } from "./tell.ts";
import { lostRefusal, refusalOf } from "./tell-outcome.ts";

export interface CommandDependencies
  extends InputDependencies,
    FactsDependencies,
    TellDependencies,
    TeachingDependencies {
  readonly comments: CommentPort;
  readonly memory: TeachingDependencies["memory"];
  readonly host: FactsDependencies["host"] & TellDependencies["host"];
  /** What people write is stored: a secret in it is not (SEC-6). */
  readonly redact: Redact;
}

export interface CommandContext {
  readonly signal: AbortSignal;
  readonly fence: Fence;
}

type CommandJob = JobPayload<"command">;

/** Why the queue gives commands up when GitHub has not told the role of who gave them as often as a job may fail. */
const ROLE_UNREAD = "role_unread";

/**
 * Carries out the commands of a comment in order. The comment is read again first: one that was edited or deleted since runs nothing
 * (GH-4). Each command is an input of its own, so that a worker that dies in between leaves none done twice.
 */
export async function runCommands(
  dependencies: CommandDependencies,
  job: CommandJob,
  context: CommandContext,
): Promise<void> {
  await carryOut(dependencies, job, context, (by) => readRole(dependencies, job, by, context));
}

/** @param roleOf undefined where GitHub does not tell: then everything is refused */
async function carryOut(
  dependencies: CommandDependencies,
  job: CommandJob,
  { signal, fence }: CommandContext,
  roleOf: (by: Actor) => Promise<Role | undefined>,
): Promise<void> {
  const { source, plain, talk = false } = job;
  const given = await readGiven(dependencies, job, signal);
  if (given && "refusal" in given) await voidCommands(dependencies, job, given.refusal, given.by, fence);
  if (!given || "refusal" in given) return;
  const place = await readCommandTarget(dependencies, job.subject, signal);
  if (!place) return;
  const { by, alone, thread, at: writtenAt } = given;
  const role = await roleOf(by);
  for (const [index, parsed] of given.commands.entries()) {
    if (await wasSettled(dependencies.store, place.subject, { source, index })) continue;
    const meant = await redirectTarget(dependencies, place, parsed, signal);
    const { subject, refusal, gate } = meant;
    const wanted = refusal ? { refusal } : withGate(parsed, gate);
    const told = await readAnswer(dependencies, subject, wanted, signal);
    const common = {
      ...({ type: "command.given", subject, at: dependencies.now(), newRunId: dependencies.makeId() } as const),
      ...{ source, index, by, parsed: wanted, alone, plain: plain || talk },
      ...defined({ role, thread, writtenAt, told }),
    };
    const teaches = await readTeaching(dependencies, common, given, signal);
    const named = await readNamed(dependencies, common);
    const whole = { ...common, ...defined({ teaches, named }) };
    await handleInput(dependencies, await withFacts(dependencies, whole, meant, signal), fence);
  }
}

/** An answer names the gate that it is for. */
function withGate(parsed: ParsedCommand, gate: string | undefined): ParsedCommand {
  if (gate === undefined || !("command" in parsed)) return parsed;
  const { command } = parsed;
  return command.name === "approve" || command.name === "reject" ? { command: { ...command, gate } } : parsed;
}

/** What was lost, by where it was said. */
const LOST: Readonly<Record<CommandSource["kind"], NonNullable<Parameters<typeof lostRefusal>[0]>>> = {
  ...{
    issue_comment: "commands",
    review_comment: "commands",
    review: "commands",
    delivery: "commands",
    fault: "commands",
  },
  ...{ button: "button", label: "label" },
};

/** The queue has given the commands up: who gave them is told. Where only their role could not be read each command is refused for that (GH-14). */
export async function giveUpCommands(dependencies: CommandDependencies, job: CommandJob, dead: DeadJob): Promise<void> {
  const { error, fence } = dead;
  const { source, press, by = press?.by } = job;
  if (errorFacts(error).code === ROLE_UNREAD) {
    const { signal } = new AbortController();
    try {
      return await carryOut(dependencies, job, { signal, fence }, async () => undefined);
    } catch (thrown) {
      if (!(thrown instanceof ForgeError)) throw thrown;
    }
  }
  const what = LOST[source.kind];
  const isSetAside = errorFacts(error).code === "set_aside";
  await voidCommands(dependencies, job, isSetAside ? lostRefusal(what, dead) : refusalOf(error), by);
}

/** Says on the comment that nothing of it was carried out. */
async function voidCommands(
  dependencies: InputDependencies,
  { subject, source, thread }: Pick<CommandJob, "subject" | "source" | "thread">,
  refusal: Refusal,
  by?: Actor,
  fence?: Fence,
): Promise<void> {
  const common = { type: "commands.void", subject, source, refusal, ...defined({ by, thread }) } as const;
  await handleInput(dependencies, { ...common, at: dependencies.now(), newRunId: dependencies.makeId() }, fence);
}

/**
 * Undefined when GitHub does not tell, and will not.
 * @throws RetryLater `role_unread` when it may later
 */
async function readRole(
  { comments }: CommandDependencies,
  { subject }: CommandJob,
  by: Actor,
  { signal }: CommandContext,
): Promise<Role | undefined> {
  try {
    return await comments.readRole(subject.repository, by.login, signal);
  } catch (error) {
    if (error instanceof RetryLater) throw error.counted(ROLE_UNREAD);
    if (signal.aborted || !(error instanceof ForgeError)) throw error;
    return undefined;
  }
}

/** What a comment or a press comes to when it is read. */
interface Given {
  readonly by: Actor;
  readonly commands: readonly ParsedCommand[];
  readonly alone: boolean;
  readonly thread?: number;
  /** When the comment was written; ISO 8601, whole seconds. */
  readonly at?: string;
  readonly url?: string;
  readonly on?: NonNullable<CommentNow["on"]>;
}

export interface GivenDependencies {
  readonly store: Store;
  readonly comments: CommentPort;
  readonly redact: Redact;
}

/** Characters of an answer in plain words. */
const ANSWER_CHARACTERS = 4_000;

/**
 * Reads a comment again, or what was pressed: undefined where nothing is to be carried out, a refusal where whoever wrote it is told so
 * (GH-4).
 */
export async function readGiven(
  dependencies: GivenDependencies,
  job: CommandJob,
  signal: AbortSignal,
): Promise<Given | { readonly refusal: Refusal; readonly by: Actor } | undefined> {
  const { subject, source, press, plain, talk = false } = job;
  if (press) {
    const line = commandOfButton(press.identifier);
    return line === undefined ? undefined : { by: press.by, commands: [parseCommand(line)], alone: true };
  }
  const comment = await dependencies.comments.readComment(subject, source, signal);
  if (!comment) return undefined;
  const { author: by } = comment;
  if (bodyHash(comment.body) !== job.bodyHash) {
    // Talk that was edited is still talk.
    return plain || talk ? undefined : { refusal: { reason: "edited" }, by };
  }
  if (by.kind !== "user") return undefined;
  // Somebody else may have answered meanwhile: then it is talk among people.
  if (talk && !(await hasOpenQuestion(dependencies.store, subject))) return undefined;
  return understand(comment, await redactAside(comment.body, dependencies.redact), { plain, talk });
}

function understand(
  { author: by, thread, createdAt, url, on }: CommentNow,
  body: string,
  { plain, talk }: { readonly plain: boolean; readonly talk: boolean },
): Given | undefined {
  const given = { by, ...defined({ thread, at: createdAt, url, on }) };
  if (talk) {
    const text = body.trim().slice(0, ANSWER_CHARACTERS).toWellFormed();
    return text === "" ? undefined : { ...given, commands: [{ command: { name: "answer", text } }], alone: true };
  }
  if (!plain) return { ...given, ...parseCommands(body) };
  const reason = dismissalReason(body);
  if (reason === undefined) return undefined;
  return { ...given, commands: [{ command: { name: "dismiss", reason, scope: { kind: "here" } } }], alone: true };
}
