import { defined } from "../../domain/defined.ts";
import { errorFacts } from "../../domain/errors.ts";
import type { ChangedFile } from "../../domain/hunks.ts";
import type { AnalyserContext } from "../analyser.ts";
import type { FileComparison } from "../child/protocol.ts";
import type { Content, LockVerdict } from "../classify-file.ts";
import { CLASSIFIED_AT_ONCE } from "../classify-files.ts";
import { decodeText } from "../source-file.ts";
import { reasonByName } from "../written-claims.ts";
import { compareFiles, type DependencyFile, isDependencyFile } from "./compare-files.ts";
import { lockFileOf } from "./lock-files.ts";

interface Contents {
  readonly contents: ReadonlyMap<string, Content>;
  readonly oldContents?: ReadonlyMap<string, Content>;
}

/**
 * Compares all lock files and manifests of a change where one of them is long, before its files are classified: whether a lock file is one,
 * and what it says, comes from one reading. Undefined where none is long, and where no child could be started: both are read later then.
 */
export async function compareFirst(
  files: readonly ChangedFile[],
  { contents, oldContents }: Contents,
  context: Pick<AnalyserContext, "tree" | "signal">,
): Promise<ReadonlyMap<string, FileComparison> | undefined> {
  const named = files.filter(({ path, status }) => status !== "deleted" && isDependencyFile(path));
  if (!named.some(({ path }) => isLongLock(path, contents.get(path)))) return undefined;
  const read = named.flatMap(({ path, mode }): DependencyFile[] => {
    const [now, old] = [contents.get(path), oldContents?.get(path)];
    if (!Buffer.isBuffer(now) || !mode.startsWith("100")) return [];
    const oldText = Buffer.isBuffer(old) ? decodeText(old) : undefined;
    return [{ path, text: decodeText(now), ...defined({ oldText }) }];
  });
  try {
    return await compareFiles(read, context);
  } catch (error) {
    if (errorFacts(error).code === "analyser_unavailable") return undefined;
    throw error;
  }
}

/** A file that the child gave up has no line to name: the comparison says so, and it counts as a gap. */
export function lockVerdict(compared: FileComparison | undefined): LockVerdict | undefined {
  if (compared === undefined || "unread" in compared) return compared && {};
  return defined({ foreign: "fault" in compared ? compared.foreign : compared.strange });
}

function isLongLock(path: string, content: Content | undefined): boolean {
  const isLock = lockFileOf(path) !== undefined && reasonByName(path) === "a lock file";
  return isLock && Buffer.isBuffer(content) && content.length > CLASSIFIED_AT_ONCE.lock;
}
