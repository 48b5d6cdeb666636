import { tmpdir } from "node:os";
import { defined } from "../../domain/defined.ts";
import { ForgeError } from "../../domain/errors.ts";
import { takeTurns } from "../../workspace/files/turns.ts";
import type { ProgramResult } from "../../workspace/run-program.ts";
import { BOX_FOLDER, type Sandbox } from "../../workspace/sandbox/sandbox.ts";
import type { AnalyserContext } from "../analyser.ts";
import type { ChildAnswer, ChildFile, ChildRequest, ChildTask } from "../child/protocol.ts";
import { flagsOf, versionOf } from "./child-flags.ts";
import { compiledCodeFolder, sharedCompiledCode } from "./compiled-code.ts";
import { FILL_LIMITS, readingChild, runInside } from "./run-reader.ts";
import { openReaderPlace, startReader } from "./start-reader.ts";

const MEBI = 1024 * 1024;

const CHILD_LIMITS = {
  /** Text of one child's files: what parsers keep outside of JavaScript's memory goes only with the process. */
  batchCharacters: 4 * MEBI,
  /** For one file: a megabyte takes a parser 0.3 s, ESLint 5 s; YAML is the slow one with 50 µs a line. */
  fileMs: 20_000,
  /** For all children of one call, besides the time that the size of the text asks for: a hostile change may hang each of them. */
  totalMs: 60_000,
  /** ESLint reads 300 to 1,000 characters a millisecond here. */
  charactersPerMs: 100,
  memoryBytes: 1024 * MEBI,
  /** Of one child. A line of it, all about a file, is read at once. */
  outputBytes: 6 * MEBI,
  /** A change in which more files than this break a parser is made to do so. */
  culprits: 20,
} as const;

const LINE_BREAK = 0x0a;

/** A megabyte of answers: some 10 ms. */
const READING_TURN = { most: 1_000, unitsOfStep: 1_000 };

export interface ChildRun<T> {
  readonly results: ReadonlyMap<number, T>;
  readonly unread: { readonly id: number; readonly reason: string }[];
}

interface Learning<T> {
  /** Made by us, where it starts and finds files that it is told to read by their names. */
  readonly folder?: string | undefined;
  /** What a child that goes on where another ended should know of the files that were read. */
  readonly learn?: (results: ReadonlyMap<number, T>) => ChildRequest["known"];
}

/**
 * Lets a child process read files one after the other. When it dies or hangs, the file it was at is given up, named in `unread`, and
 * another child goes on with the rest; after twenty such files the rest is unread too.
 * @throws ForgeError `analyser_unavailable` when the child does not even start
 */
export async function runInChild<T>(
  task: ChildTask,
  files: readonly ChildFile[],
  context: AnalyserContext,
  { folder, learn }: Learning<T> = {},
): Promise<ChildRun<T>> {
  const results = new Map<number, T>();
  const unread: ChildRun<T>["unread"] = [];
  const totalMs = Math.round(
    CHILD_LIMITS.totalMs + files.reduce((sum, file) => sum + sizeOf(file), 0) / CHILD_LIMITS.charactersPerMs,
  );
  const deadline = performance.now() + totalMs;
  let rest = [...files];
  while (rest.length > 0) {
    const stopped = stopReason(unread.length, deadline, totalMs, context.signal);
    if (stopped !== undefined) {
      unread.push(...rest.map(({ id }) => ({ id, reason: stopped })));
      break;
    }
    const batch = takeBatch(rest);
    const run = await startChild(
      { task, files: batch, ...defined({ known: results.size === 0 ? undefined : learn?.(results) }) },
      Math.max(CHILD_LIMITS.fileMs, deadline - performance.now()),
      context,
      folder,
    );
    const answers = await readAnswers<T>(run);
    for (const [id, result] of answers) results.set(id, result);
    // What is too much may be that of all files together: the next one is asked first by another child.
    const culprit = run.truncated && answers.size > 0 ? undefined : batch[answers.size];
    if (culprit !== undefined) unread.push({ id: culprit.id, reason: reasonOf(run) });
    rest = rest.slice(answers.size + (culprit === undefined ? 0 : 1));
  }
  return { results, unread };
}

function stopReason(culprits: number, deadline: number, totalMs: number, signal: AbortSignal): string | undefined {
  if (signal.aborted) return "the review was stopped";
  if (culprits >= CHILD_LIMITS.culprits) return `left out after ${culprits} files that could not be read`;
  if (performance.now() > deadline) return `left out after ${Math.round(totalMs / 1000)} s`;
  return undefined;
}

function takeBatch(files: readonly ChildFile[]): ChildFile[] {
  let size = 0;
  const end = files.findIndex((file, index) => {
    size += sizeOf(file);
    return index > 0 && size > CHILD_LIMITS.batchCharacters;
  });
  return files.slice(0, end === -1 ? undefined : end);
}

function sizeOf({ text, oldText = "" }: ChildFile): number {
  return text.length + oldText.length;
}

async function startChild(
  request: ChildRequest,
  timeoutMs: number,
  context: AnalyserContext,
  folder: string | undefined,
): Promise<ProgramResult> {
  const compiledCode = await compiledCodeOf(request.task);
  return startReader({
    ...readingChild(compiledCode, await flagsOf(request.task, compiledCode)),
    ...defined({ folder }),
    input: JSON.stringify(request),
    timeoutMs,
    // It answers after every file: silence is a file that it hangs on.
    silenceMs: CHILD_LIMITS.fileMs,
    maxOutputBytes: CHILD_LIMITS.outputBytes,
    memoryBytes: CHILD_LIMITS.memoryBytes,
    signal: context.signal,
  });
}

async function readAnswers<T>(run: ProgramResult): Promise<Map<number, T>> {
  const answers: ChildAnswer<T>[] = [];
  const turn = takeTurns(READING_TURN);
  // What stands behind the last line break is nothing, or the line at which the child was cut off.
  for (let from = 0, to = run.stdout.indexOf(LINE_BREAK); to !== -1; to = run.stdout.indexOf(LINE_BREAK, from)) {
    answers.push(JSON.parse(run.stdout.toString("utf8", from, to)) as ChildAnswer<T>);
    await turn(to - from);
    from = to + 1;
  }
  if (answers[0] !== "ready" && !run.timedOut && !run.aborted) {
    throw new ForgeError(
      "analyser_unavailable",
      "The reading process of Forge did not start: see whether this Node can run its files.",
      {
        source: "resource",
        severity: "high",
        context: { code: run.code, signal: run.signal, stderr: run.stderr.toString("utf8").slice(0, 2_000) },
      },
    );
  }
  return new Map(answers.filter((answer) => answer !== "ready").map(({ id, result }) => [id, result]));
}

function reasonOf(run: ProgramResult): string {
  if (run.aborted) return "the review was stopped";
  if (run.timedOut) return `reading it took longer than ${CHILD_LIMITS.fileMs / 1000} s`;
  if (run.truncated) return "it gave more results than can be kept";
  return "the parser broke down on it";
}

const folders = new Map<ChildTask, Promise<string | undefined>>();

/** The folder with the compiled form of what children load for a task; undefined where there can be none. */
async function compiledCodeOf(task: ChildTask): Promise<string | undefined> {
  const place = await openReaderPlace();
  if ("beside" in place) return compiledCodeFolder(tmpdir());
  const { sandbox } = place;
  const known = folders.get(task);
  if (known !== undefined) return known;
  const folder = sharedCompiledCode(tmpdir(), versionOf(task), (empty) => loadOnce(sandbox, task, empty));
  folders.set(task, folder);
  return folder;
}

/** Lets a child load everything for a task and read nothing. */
async function loadOnce(sandbox: Sandbox, task: ChildTask, folder: string): Promise<boolean> {
  try {
    const { ok } = await runInside(sandbox, {
      ...FILL_LIMITS,
      ...readingChild(),
      env: { NODE_COMPILE_CACHE: BOX_FOLDER },
      folder,
      writes: true,
      input: JSON.stringify({ task, files: [] } satisfies ChildRequest),
      signal: new AbortController().signal,
    });
    return ok;
  } catch (error) {
    // Children start more slowly then, and nothing else.
    if (error instanceof ForgeError) return false;
    throw error;
  }
}
