import type { CommandSource } from "../domain/command-source.ts";
import { sourceKey } from "../domain/command-source.ts";
import { defined } from "../domain/defined.ts";
import type { LearntEvent } from "../domain/events.ts";
import { type NewMemory, storedPayload } from "../domain/memories.ts";
import { atLeast, type Subject, subjectKey } from "../domain/subjects.ts";
import { wordsOf } from "../memory/find-candidates.ts";
import type { Memory } from "../memory/open-memory.ts";
import { commandLines } from "../pipeline/commands/command-lines.ts";
import { citePlace, refusedText } from "../pipeline/commands/read-teaching.ts";
import { type InputDependencies, submit } from "../pipeline/runs/handle-input.ts";
import type { CommentNow, CommentPort, PullRequestHost } from "../pipeline/runs/ports.ts";
import { readFacts } from "../pipeline/runs/subject.ts";
import { type Redact, redactAside } from "../safety/redact.ts";
import type { Fence } from "../store/jobs/fence.ts";
import { findMemoriesById } from "../store/memories/read-memories.ts";
import { readLedger } from "../store/runs/ledger.ts";
import { readReviews } from "../store/runs/read-runs.ts";

export interface RemarkDependencies extends InputDependencies {
  readonly comments: Pick<CommentPort, "readComment" | "readRole">;
  readonly host: Pick<PullRequestHost, "readPullRequest" | "readFile">;
  readonly memory: Pick<Memory, "prepare">;
  readonly redact: Redact;
}

/** Remarks of one pull request that are remembered; more are counted only. */
const MOST_REMEMBERED = 10;
/** Words that carry meaning: fewer say nothing about the code. */
const LEAST_WORDS = 4;
/** Said to people rather than of the code. */
const COURTESY =
  /^(?:(?:very|so|really|pretty)\s)?(?:nice|neat|great|good|cool|awesome|love|lovely|lgtm|looks good|thanks|thank you|well done|\+1|👍|❤️)(?!\p{L})/iu;

/**
 * A person with push permission remarks on lines that Forge looked at and said nothing about (HUM-3): what it missed is counted and
 * remembered, with the lines. The author of the change explains it, and is no reviewer.
 */
export async function learnRemark(
  dependencies: RemarkDependencies,
  { subject, source, fence, signal }: Remarked,
): Promise<void> {
  const { store, comments } = dependencies;
  const cause = `remark:${sourceKey(source)}`;
  const { causes } = await readFacts(store, subject);
  if (causes.has(cause)) return;
  const comment = await comments.readComment(subject, source, signal);
  if (!comment?.on || comment.author.kind !== "user" || comment.thread !== undefined) return;
  const { on, author } = comment;
  const text = remarkOf(await redactAside(comment.body, dependencies.redact));
  if (text === undefined || !(await isPassed(dependencies, subject, on))) return;
  if (!atLeast(await comments.readRole(subject.repository, author.login, signal), "write")) return;
  const pull = await dependencies.host.readPullRequest(subject, signal);
  if (!pull || pull.author.id === author.id) return;
  const place = { file: on.path, line: on.startLine, endLine: on.endLine, headSha: on.sha };
  const told: LearntEvent = { type: "feedback.human_comment", payload: { cause, ...place }, actor: author };
  const known = [...causes].filter((each) => each.startsWith("remark:")).length;
  const learnt =
    known < MOST_REMEMBERED
      ? await rememberRemark(dependencies, { subject, comment: { ...comment, on }, text, cause }, signal)
      : undefined;
  const events = learnt ? [told, learnt.event] : [told];
  const memories = learnt ? [learnt.memory] : undefined;
  await submit(
    dependencies,
    { subject, fence },
    { type: "learning.observed", cause, events, ...defined({ memories }) },
  );
}

interface Remarked {
  readonly subject: Subject;
  readonly source: CommandSource;
  readonly fence: Fence;
  readonly signal: AbortSignal;
}

/** What a comment says of the code; undefined for a command, and for what is too short or too polite to say anything of it. */
function remarkOf(body: string): string | undefined {
  if (commandLines(body).lines.length > 0) return undefined;
  const text = body
    .split("\n")
    .filter((line) => !line.startsWith(">"))
    .join(" ")
    .replace(/```[^`]{0,5000}(?:```|$)/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  if (COURTESY.test(text) || new Set(wordsOf(text)).size < LEAST_WORDS) return undefined;
  return refusedText(text) ? undefined : text;
}

/** Whether a review of that very head looked at the lines and found nothing on them. */
async function isPassed(
  { store }: RemarkDependencies,
  subject: Subject,
  { path, startLine, endLine, sha }: NonNullable<CommentNow["on"]>,
): Promise<boolean> {
  const [reviews, ledger] = await Promise.all([readReviews(store, subject), readLedger(store, subject)]);
  const coverage = reviews.find(({ completed }) => completed.coverage.headSha === sha)?.completed.coverage;
  if (!coverage) return false;
  const { uncovered, searchedOnly = [] } = coverage;
  if ([...uncovered, ...searchedOnly].some((left) => left.path === path)) return false;
  return !ledger.some(
    ({ finding }) => finding.file === path && finding.line <= endLine && startLine <= finding.endLine,
  );
}

interface Remark {
  readonly subject: Subject;
  readonly comment: CommentNow & { readonly on: NonNullable<CommentNow["on"]> };
  readonly text: string;
  readonly cause: string;
}

async function rememberRemark(
  { memory, host, store }: RemarkDependencies,
  { subject, comment: { on, author, url }, text, cause }: Remark,
  signal: AbortSignal,
): Promise<{ readonly event: LearntEvent; readonly memory: NewMemory } | undefined> {
  const { installationId, id: repositoryId } = subject.repository;
  const scope = { installationId, repositoryId };
  const prepared = await memory.prepare(
    {
      ...{ scope, type: "semantic", origin: "person", taughtBy: author, tags: ["missed"] },
      ...{ content: `Missed in ${on.path}: ${text}`, metadata: { subject: subjectKey(subject) } },
      ...defined({ thread: url }),
      cites: await citePlace(host, subject.repository, on, signal),
    },
    signal,
  );
  const [known] = await findMemoriesById(store, scope, prepared.memory.id, 1);
  if (known) return undefined;
  return {
    event: { type: "memory.stored", payload: storedPayload(prepared, cause), actor: author },
    memory: prepared.memory,
  };
}
