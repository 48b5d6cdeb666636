import { appendFile, readFile, writeFile } from "node:fs/promises";
import { z } from "zod";
import { AssistantPart, StopReasonSchema, UsageSchema } from "../../agents/library.ts";
import { ForgeError } from "../../domain/errors.ts";
import { WorkCommit } from "../../domain/implementation.ts";
import { FAILURE_CLASSES } from "../../llm/ports.ts";
import type { Redact } from "../../safety/redact.ts";
import { redactStrings } from "../../safety/redact-value.ts";

/** A model, as far as requests depend on it. */
const RecordedModel = z.object({
  provider: z.string(),
  id: z.string(),
  contextWindow: z.number(),
  maxOutputTokens: z.number(),
  nativeTools: z.boolean(),
});
export type RecordedModel = z.infer<typeof RecordedModel>;

const Result = z.discriminatedUnion("ok", [
  z.object({
    ok: z.literal(true),
    content: z.array(AssistantPart),
    stopReason: StopReasonSchema,
    usage: UsageSchema,
    usageEstimated: z.boolean().exactOptional(),
    model: z.string(),
    provider: z.string(),
    requestId: z.string().exactOptional(),
  }),
  z.object({ ok: z.literal(false), failure: z.object({ class: z.enum(FAILURE_CLASSES), message: z.string() }) }),
]);

/** A model's reply, word for word, and as much of the request as tells one conversation from another. */
const RecordedReply = z.object({
  is: z.literal("reply"),
  /** As `conversationKey` names the place in the conversation. */
  exact: z.string(),
  /** Of the first message, for readers of the recording. */
  about: z.string(),
  messages: z.number().int(),
  model: z.string(),
  /** Milliseconds that the model took. */
  ms: z.number(),
  result: Result,
});
export type RecordedReply = z.infer<typeof RecordedReply>;

const RecordedTask = z.object({ title: z.string(), body: z.string(), planOnly: z.boolean() });

/** One line of a recording: JSON, so that whatever was said before a crash is there. */
export const RecordedLine = z.discriminatedUnion("is", [
  z.object({
    is: z.literal("run"),
    version: z.literal(1),
    runId: z.string(),
    task: RecordedTask,
    number: z.number().int().positive(),
    /** By these two the findings get the same ids again. */
    repositoryId: z.number().int().positive(),
    fingerprintKey: z.string(),
    base: z.object({ ref: z.string(), sha: z.string(), tree: z.string() }),
  }),
  z.object({ is: z.literal("models"), strong: RecordedModel, fast: RecordedModel }),
  RecordedReply,
  /** The answer at a gate, by a person or the rules in their place. */
  z.object({
    is: z.literal("word"),
    gate: z.string(),
    word: z.discriminatedUnion("is", [
      z.object({ is: z.enum(["yes", "no"]), note: z.string().exactOptional() }),
      z.object({ is: z.literal("answer"), text: z.string() }),
    ]),
  }),
  /** How the run stood when the process that recorded it ended; the last one counts. */
  z.object({
    is: z.literal("outcome"),
    state: z.string(),
    branch: z.string().exactOptional(),
    commits: z.array(WorkCommit.extend({ tree: z.string() })),
    costUsd: z.number(),
  }),
]);
export type RecordedLine = z.infer<typeof RecordedLine>;

/** Requests, replies and result of a run: enough to replay it without a model. */
export interface Recording {
  readonly run: Extract<RecordedLine, { is: "run" }>;
  readonly models: Extract<RecordedLine, { is: "models" }>;
  /** In the order in which they were said. */
  readonly replies: readonly RecordedReply[];
  readonly words: readonly Extract<RecordedLine, { is: "word" }>[];
  readonly outcome: Extract<RecordedLine, { is: "outcome" }>;
}

/** Writes a recording line by line, in order. */
export interface RecordingFile {
  write(line: RecordedLine): Promise<void>;
}

/**
 * Begins a recording, or goes on with the one of the same run. Whatever a model or a person said, no secret of it gets into the file.
 * @throws ForgeError `recording_not_written`; `recording_of_another_run` where the file is there and tells of another one
 */
export async function openRecording(
  path: string,
  run: Extract<RecordedLine, { is: "run" }>,
  redact: Redact,
): Promise<RecordingFile> {
  const before = await readFile(path, "utf8").catch(() => "");
  if (before.trim() === "")
    await writeFile(path, `${JSON.stringify({ ...run, task: redactStrings(run.task, redact) })}\n`).catch((cause) =>
      fail(path, cause),
    );
  else if (linesOf(before)[0]?.is !== "run" || (linesOf(before)[0] as typeof run).runId !== run.runId) {
    throw invalid("recording_of_another_run", `${path} is there already and is not the recording of this run.`);
  }
  let last: Promise<void> = Promise.resolve();
  return {
    write: (line) => {
      last = last
        .then(() => appendFile(path, `${JSON.stringify(redactStrings(line, redact))}\n`))
        .catch((cause) => fail(path, cause));
      return last;
    },
  };
}

/** @throws ForgeError `recording_unreadable` */
export function parseRecording(text: string): Recording {
  const lines = linesOf(text);
  const [run] = lines;
  const models = lines.find((line) => line.is === "models");
  const outcome = lines.findLast((line) => line.is === "outcome");
  if (run?.is !== "run") throw invalid("recording_unreadable", "This is not the recording of a run.");
  if (!models || !outcome) {
    throw invalid("recording_unreadable", "The recording is not complete: its run did not come to its end.");
  }
  const replies = lines.filter((line) => line.is === "reply");
  return { run, models, replies, words: lines.filter((line) => line.is === "word"), outcome };
}

function linesOf(text: string): RecordedLine[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line, index) => {
      const parsed = RecordedLine.safeParse(parseJson(line));
      if (!parsed.success) {
        const why = z.prettifyError(parsed.error);
        throw invalid("recording_unreadable", `Line ${index + 1} of the recording cannot be read: ${why}`);
      }
      return parsed.data;
    });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fail(path: string, cause: Error): never {
  const options = { source: "resource", recoverability: "manual", cause } as const;
  throw new ForgeError("recording_not_written", `${path} could not be written: ${cause.message}`, options);
}

function invalid(code: string, message: string): ForgeError {
  return new ForgeError(code, message, { source: "validation", recoverability: "manual" });
}
