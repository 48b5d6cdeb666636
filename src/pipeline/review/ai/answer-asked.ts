import type { JobPayload } from "../../../domain/jobs.ts";
import { atLeast } from "../../../domain/subjects.ts";
import type { DeadJob } from "../../../queue/ports.ts";
import { redactAside } from "../../../safety/redact.ts";
import { bodyHash, parseCommands } from "../../commands/parse-comment.ts";
import type { CommandContext, CommandDependencies } from "../../commands/run-commands.ts";
import { refusalOf, tellOutcome } from "../../commands/tell-outcome.ts";
import { loadConfiguration } from "../../runs/configuration/load-configuration.ts";
import { handleInput, type InputDependencies } from "../../runs/handle-input.ts";
import { runPhase } from "../../runs/run-phase.ts";
import { questionHash } from "../commands/give-ask.ts";
import { answerQuestion, findModels, type QuestionDependencies, readReply } from "./answer-question.ts";

export type AskDependencies = Pick<CommandDependencies, "comments" | "redact"> &
  QuestionDependencies & { readonly host: CommandDependencies["host"] & QuestionDependencies["host"] };

/** Comments of a thread that are read before a reply. */
const MOST_BEFORE = 10;

type AskJob = JobPayload<"ask">;

/**
 * Answers one question of a comment. The comment is read again: one that was edited or deleted since gets no answer (GH-4).
 */
export function answerAsked(
  dependencies: AskDependencies,
  job: AskJob,
  context: Omit<CommandContext, "attempt">,
): Promise<void> {
  const run = () => (job.talk ? answerReply(dependencies, job, context) : answer(dependencies, job, context));
  return runPhase({ signal: context.signal, now: dependencies.now, run });
}

async function answer(
  dependencies: AskDependencies,
  job: AskJob,
  { signal, fence }: Omit<CommandContext, "attempt">,
): Promise<void> {
  const { subject, source, index, by, thread } = job;
  const question = await readQuestion(dependencies, job, signal);
  const pull = question === undefined ? undefined : await dependencies.host.readPullRequest(subject, signal);
  if (question === undefined || !pull) return;
  const { value: configuration } = await loadConfiguration(dependencies, subject.repository, signal);
  const request = { subject, source, index, question, thread, pull, configuration, fence, signal };
  const answered = await answerQuestion(dependencies, { ...request, by: by.login });
  const outcome =
    "refusal" in answered
      ? { refusal: answered.refusal }
      : { answer: { kind: "asked", by: by.login, ...answered } as const };
  await tellOutcome(dependencies, job, { outcome, costUsd: answered.cost?.usd ?? 0 }, fence);
}

/** Only what somebody with triage or more said is read, and nothing is said where there is no model or its money is used up. */
async function answerReply(
  dependencies: AskDependencies,
  job: AskJob,
  { signal, fence }: Omit<CommandContext, "attempt">,
): Promise<void> {
  const { subject, source, index, thread } = job;
  const { comments, redact, store, makeId, now } = dependencies;
  const comment = await comments.readComment(subject, source, signal);
  if (comment?.author.kind !== "user" || bodyHash(comment.body) !== job.questionHash) return;
  const { author: by } = comment;
  const { value: configuration } = await loadConfiguration(dependencies, subject.repository, signal);
  if ("why" in (await findModels(dependencies.ai, configuration))) return;
  const role = await comments.readRole(subject.repository, by.login, signal);
  const pull = await dependencies.host.readPullRequest(subject, signal);
  if (thread === undefined || !pull?.open || !atLeast(role, "triage")) return;
  const said = await redactAside(comment.body, redact);
  const before = (await comments.readThread(subject, thread, signal)).filter(({ id }) => id < Number(source.id));
  const request = { subject, source, index, by: by.login, question: said, thread, pull, configuration, fence, signal };
  const read = await readReply(dependencies, request, before.slice(-MOST_BEFORE));
  if ("refusal" in read) return;
  const { verdict, answer } = read.output;
  const { open, ends, title } = pull;
  const input = {
    type: "reply.read",
    subject,
    source,
    by,
    role,
    thread,
    said,
    verdict,
    answer,
    cost: read.cost,
  } as const;
  const whole = { ...input, pull: { open, ends, title }, at: now(), newRunId: makeId() };
  await handleInput({ store, makeId }, whole, fence);
}

/** The queue has given the question up: its author is told. */
export async function giveUpAsked(dependencies: InputDependencies, job: AskJob, { error }: DeadJob): Promise<void> {
  // A reply asks for no answer.
  if (job.talk) return;
  await tellOutcome(dependencies, job, { outcome: { refusal: refusalOf(error) }, costUsd: 0 });
}

async function readQuestion({ comments, redact }: AskDependencies, job: AskJob, signal: AbortSignal) {
  const comment = await comments.readComment(job.subject, job.source, signal);
  if (comment?.author.kind !== "user") return undefined;
  const parsed = parseCommands(await redactAside(comment.body, redact)).commands[job.index];
  const command = parsed && "command" in parsed ? parsed.command : undefined;
  return command?.name === "ask" && questionHash(command.question) === job.questionHash ? command.question : undefined;
}
