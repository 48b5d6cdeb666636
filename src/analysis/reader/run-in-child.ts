import { defined } from "../../domain/defined.ts";
import type { ProgramResult } from "../../workspace/run-program.ts";
import type { AnalyserContext } from "../analyser.ts";
import type { ChildFile, ChildRequest, ChildTask } from "../child/protocol.ts";
import { CHILD_LIMITS, readAnswers, startChild } from "./start-child.ts";

export interface ChildRun<T> {
  readonly results: ReadonlyMap<number, T>;
  readonly unread: { readonly id: number; readonly reason: string }[];
}

interface Learning<T> {
  /** Made by us, where it starts and finds files that it is told to read by their names. */
  readonly folder?: string | undefined;
  /** What a child that goes on where another ended should know of the files that were read. */
  readonly learn?: (results: ReadonlyMap<number, T>) => ChildRequest["known"];
  /** Every file of the repository, for those that look for others by name. */
  readonly paths?: ChildRequest["paths"];
  readonly beside?: ChildRequest["beside"];
  /** Texts that say what an import means. */
  readonly settings?: ChildRequest["settings"];
  /** After so many files that break a child the rest is unread; fewer than usual where each child has much to do before its first file. */
  readonly culprits?: number;
}

/**
 * Lets a child process read files one after the other, one that reads for others too where there is a round. When it dies or hangs, the file it was at is given up, named in `unread`, and
 * another child goes on with the rest; after twenty such files, or as many as are said, the rest is unread too.
 * @throws ForgeError `analyser_unavailable` when the child does not even start
 */
export async function runInChild<T>(
  task: ChildTask,
  files: readonly ChildFile[],
  context: Pick<AnalyserContext, "signal"> & Partial<AnalyserContext>,
  { folder, learn, paths, beside, settings, culprits = CHILD_LIMITS.culprits }: Learning<T> = {},
): Promise<ChildRun<T>> {
  const { round, signal } = context;
  const results = new Map((await round?.read({ task, files })) as ReadonlyMap<number, T> | undefined);
  const unread: ChildRun<T>["unread"] = [];
  const totalMs = Math.round(
    CHILD_LIMITS.totalMs + files.reduce((sum, file) => sum + sizeOf(file), 0) / CHILD_LIMITS.charactersPerMs,
  );
  const deadline = performance.now() + totalMs;
  let rest = files.filter(({ id }) => !results.has(id));
  while (rest.length > 0) {
    const stopped = signal.aborted
      ? "the review was stopped"
      : stopReason(unread.length, { culprits, deadline, totalMs });
    if (stopped !== undefined) {
      unread.push(...rest.map(({ id }) => ({ id, reason: stopped })));
      break;
    }
    const batch = takeBatch(rest);
    const known = results.size === 0 ? undefined : learn?.(results);
    const timeoutMs = Math.max(CHILD_LIMITS.fileMs, deadline - performance.now());
    const asked = { task, files: batch, ...defined({ known, paths, beside, settings }) };
    const run = await startChild([asked], { timeoutMs, signal, folder });
    const [answers = new Map<number, T>()] = await readAnswers<T>(run);
    for (const [id, result] of answers) results.set(id, result);
    // What is too much may be that of all files together: the next one is asked first by another child.
    const culprit = run.truncated && answers.size > 0 ? undefined : batch[answers.size];
    if (culprit !== undefined) unread.push({ id: culprit.id, reason: reasonOf(run) });
    rest = rest.slice(answers.size + (culprit === undefined ? 0 : 1));
  }
  return { results, unread };
}

interface Bounds {
  readonly culprits: number;
  readonly deadline: number;
  readonly totalMs: number;
}

function stopReason(broken: number, { culprits, deadline, totalMs }: Bounds): string | undefined {
  if (broken >= culprits) return `left out after ${broken} files that could not be read`;
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

function reasonOf(run: ProgramResult): string {
  if (run.aborted) return "the review was stopped";
  if (run.timedOut) return `reading it took longer than ${CHILD_LIMITS.fileMs / 1000} s`;
  if (run.truncated) return "it gave more results than can be kept";
  return "the parser broke down on it";
}
