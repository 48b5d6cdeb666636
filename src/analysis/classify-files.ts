import type { ChangedFile } from "../domain/hunks.ts";
import { askThread } from "../safety/limited-thread.ts";
import { takeTurns } from "../workspace/files/turns.ts";
import {
  type Classification,
  type Content,
  classifyFile,
  isTestPath,
  LARGEST_SOURCE_BYTES,
  type LockVerdict,
} from "./classify-file.ts";
import { lockFileOf } from "./dependencies/lock-files.ts";
import type { Program } from "./programs/program.ts";

/** The arguments of `classifyFile`. */
export interface FileToClassify {
  readonly file: ChangedFile;
  readonly content: Content | undefined;
  readonly old: Content | undefined;
  readonly unread: boolean;
  /** Where something runs it. */
  readonly program?: Program;
  /** Of a lock file that was read before. */
  readonly lock?: LockVerdict;
}

/** Bytes of a lock file, or of both sides of another file, that the main thread reads in about 3 ms. */
export const CLASSIFIED_AT_ONCE = { lock: 8 * 1024, both: 64 * 1024 } as const;

/** All large files of the largest change take 10 s. */
const THREAD = { timeMs: 60_000, memoryMib: 1024 } as const;

/** A change may have 3,000 files: some 10 ms. */
const TURN = { most: 500, unitsOfStep: 2_000 };

const NOT_CLASSIFIED = "it could not be classified";

/**
 * Classifies the files of a change, in their order. A thread with limits reads those whose author decides how long that takes, so that
 * the main thread goes on answering (OPS-8). A file that the thread does not finish is a gap.
 * @throws the signal's reason
 */
export async function classifyFiles(
  files: readonly FileToClassify[],
  signal: AbortSignal,
): Promise<readonly Classification[]> {
  const large = files.filter(isLarge);
  const aside = large.length === 0 ? new Map<FileToClassify, Classification>() : await classifyInThread(large, signal);
  const turn = takeTurns(TURN);
  const classified: Classification[] = [];
  for (const each of files) {
    const { file, content, old, unread, program, lock } = each;
    classified.push(aside.get(each) ?? classifyFile(file, content, old, unread, program, lock));
    await turn(sizeOf(content));
  }
  return classified;
}

function isLarge({ file, content, old, lock }: FileToClassify): boolean {
  if (lockFileOf(file.path) !== undefined && sizeOf(content) > CLASSIFIED_AT_ONCE.lock) {
    if (lock === undefined) return true;
    // Nothing else of it is compared with its old text.
    if (Math.max(sizeOf(content), sizeOf(old)) > LARGEST_SOURCE_BYTES) return false;
  }
  return Buffer.isBuffer(old) && sizeOf(content) + sizeOf(old) > CLASSIFIED_AT_ONCE.both;
}

function sizeOf(content: Content | undefined): number {
  return Buffer.isBuffer(content) ? content.length : 0;
}

/** One file as the thread gets it. The bytes are a copy: a clone would take along everything that shares their memory. */
export interface FileForThread {
  readonly file: ChangedFile;
  readonly content: Uint8Array<ArrayBuffer> | { readonly skipped: string } | undefined;
  readonly old: FileForThread["content"];
  readonly unread: boolean;
  readonly program?: Program;
  /** Of a lock file that was read before. */
  readonly lock?: LockVerdict;
}

async function classifyInThread(
  large: readonly FileToClassify[],
  signal: AbortSignal,
): Promise<Map<FileToClassify, Classification>> {
  const workerData = large.map(({ content, old, ...rest }) => ({
    ...rest,
    content: copyOf(content),
    old: copyOf(old),
  }));
  const transferList = workerData.flatMap(({ content, old }) =>
    [content, old].flatMap((side) => (side instanceof Uint8Array ? [side.buffer] : [])),
  );
  const code = new URL("./classify-thread", import.meta.url);
  const work = { ...THREAD, answers: large.length, workerData, transferList };
  const { answers } = await askThread<Classification>(code, work, signal);
  return new Map(large.map((each, at) => [each, answers[at] ?? notSeen(each)]));
}

function copyOf(side: Content | undefined): FileForThread["content"] {
  return Buffer.isBuffer(side) ? new Uint8Array(side) : side;
}

function notSeen({ file }: FileToClassify): Classification {
  return { test: isTestPath(file.path), look: "none", reason: NOT_CLASSIFIED, gap: true };
}
