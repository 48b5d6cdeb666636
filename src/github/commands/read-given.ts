import { defined } from "../../domain/defined.ts";
import type { JobPayload } from "../../domain/jobs.ts";
import type { ParsedCommand, Refusal } from "../../domain/refusals.ts";
import type { Actor } from "../../domain/subjects.ts";
import { hasOpenQuestion } from "../../pipeline/runs/gates/has-open-question.ts";
import type { Redact } from "../../safety/redact.ts";
import type { Store } from "../../store/store.ts";
import { commandOfButton } from "../words/check-buttons.ts";
import { bodyHash } from "./body-hash.ts";
import type { CommentNow, CommentReader } from "./comment-reader.ts";
import { dismissalReason } from "./dismissal-words.ts";
import { parseCommand } from "./parse-command.ts";
import { parseCommands } from "./parse-commands.ts";

/** What a comment or a press comes to when it is read. */
export interface Given {
  readonly by: Actor;
  readonly commands: readonly ParsedCommand[];
  readonly alone: boolean;
  readonly thread?: number;
  /** When the comment was written; ISO 8601, whole seconds. */
  readonly at?: string;
}

export interface GivenDependencies {
  readonly store: Store;
  readonly comments: CommentReader;
  readonly redact: Redact;
}

/** Characters of an answer in plain words. */
const ANSWER_CHARACTERS = 4_000;

/** What the label and a re-run of the tests stand for; neither is a button of ours (GH-1, GH-5). */
const PRESSED: Readonly<Record<string, ParsedCommand>> = {
  implement: { command: { name: "implement" } },
  test: { command: { name: "test" } },
};

/**
 * Reads a comment again, or what was pressed: undefined where nothing is to be carried out, a refusal where whoever wrote it is told so
 * (GH-4).
 */
export async function readGiven(
  dependencies: GivenDependencies,
  job: JobPayload<"command">,
  signal: AbortSignal,
): Promise<Given | { readonly refusal: Refusal; readonly by: Actor } | undefined> {
  const { subject, source, press, plain, talk = false } = job;
  if (press) return readPress(press);
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
  return understand(comment, dependencies.redact(comment.body), { plain, talk });
}

function understand(
  { author: by, thread, createdAt }: CommentNow,
  body: string,
  { plain, talk }: { readonly plain: boolean; readonly talk: boolean },
): Given | undefined {
  const given = { by, ...defined({ thread: thread || undefined, at: createdAt || undefined }) };
  if (talk) {
    const text = body.trim().slice(0, ANSWER_CHARACTERS).toWellFormed();
    return text === "" ? undefined : { ...given, commands: [{ command: { name: "answer", text } }], alone: true };
  }
  if (!plain) return { ...given, ...parseCommands(body) };
  const reason = dismissalReason(body);
  if (reason === undefined) return undefined;
  return { ...given, commands: [{ command: { name: "dismiss", reason, scope: { kind: "here" } } }], alone: true };
}

function readPress({ identifier, by }: { readonly identifier: string; readonly by: Actor }): Given | undefined {
  const line = commandOfButton(identifier);
  const parsed = line === undefined ? PRESSED[identifier] : parseCommand(line);
  return parsed && { by, commands: [parsed], alone: true };
}
