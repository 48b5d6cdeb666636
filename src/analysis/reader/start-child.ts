import { tmpdir } from "node:os";
import { defined } from "../../domain/defined.ts";
import { ForgeError } from "../../domain/errors.ts";
import { takeTurns } from "../../workspace/files/turns.ts";
import type { ProgramResult } from "../../workspace/run-program.ts";
import { BOX_FOLDER, type Sandbox } from "../../workspace/sandbox/sandbox.ts";
import type { ChildAnswer, ChildInput, ChildRequest, ChildTask } from "../child/protocol.ts";
import { flagsOf, versionOf } from "./child-flags.ts";
import { compiledCodeFolder, sharedCompiledCode } from "./compiled-code.ts";
import { FILL_LIMITS, readingChild, runInside } from "./run-reader.ts";
import { openReaderPlace, startReader } from "./start-reader.ts";

const MEBI = 1024 * 1024;

export const CHILD_LIMITS = {
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

interface ChildOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** It answers after every file: silence is a file that it hangs on. */
  readonly silenceMs?: number;
  /** Made by us, where it starts. */
  readonly folder?: string | undefined;
}

/** Starts a child that reads what is asked, one part after the other, and waits for its end. */
export async function startChild(
  parts: readonly ChildRequest[],
  { timeoutMs, signal, silenceMs = CHILD_LIMITS.fileMs, folder }: ChildOptions,
): Promise<ProgramResult> {
  const [compiledCode] = await Promise.all(parts.map(({ task }) => compiledCodeOf(task)));
  const flags = await Promise.all(parts.map(({ task }) => flagsOf(task, compiledCode)));
  return startReader({
    ...readingChild(compiledCode, flags.flat()),
    ...defined({ folder }),
    input: JSON.stringify({ parts } satisfies ChildInput),
    ...{ timeoutMs, silenceMs, signal },
    maxOutputBytes: CHILD_LIMITS.outputBytes,
    memoryBytes: CHILD_LIMITS.memoryBytes,
  });
}

const LINE_BREAK = 0x0a;

/** A megabyte of answers: some 10 ms. */
const READING_TURN = { most: 1_000, unitsOfStep: 1_000 };

/**
 * What a child answered, by part and file; parts that it did not come to are missing.
 * @throws ForgeError `analyser_unavailable` when it did not even start
 */
export async function readAnswers<T>(run: ProgramResult): Promise<readonly ReadonlyMap<number, T>[]> {
  const parts: Map<number, T>[] = [];
  const turn = takeTurns(READING_TURN);
  // What stands behind the last line break is nothing, or the line at which the child was cut off.
  for (let from = 0, to = run.stdout.indexOf(LINE_BREAK); to !== -1; to = run.stdout.indexOf(LINE_BREAK, from)) {
    const answer = JSON.parse(run.stdout.toString("utf8", from, to)) as ChildAnswer<T>;
    if (answer === "ready") parts.push(new Map());
    else parts.at(-1)?.set(answer.id, answer.result);
    await turn(to - from);
    from = to + 1;
  }
  if (parts.length === 0 && !run.timedOut && !run.aborted) {
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
  return parts;
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
      input: JSON.stringify({ parts: [{ task, files: [] }] } satisfies ChildInput),
      signal: new AbortController().signal,
    });
    return ok;
  } catch (error) {
    // Children start more slowly then, and nothing else.
    if (error instanceof ForgeError) return false;
    throw error;
  }
}
