import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { failure, type WorkspaceFailure } from "./failure.ts";
import { TREE_ENTRIES } from "./limits.ts";
import type { Mirror } from "./mirror.ts";
import { pathToBytes } from "./path-text.ts";
import { readBlobs } from "./read-blobs.ts";
import { listTree } from "./read-tree.ts";

const MEBI = 1024 * 1024;

export const WRITE_LIMITS = {
  /** Files held in memory at once. */
  batchFiles: 500,
  batchBytes: 64 * MEBI,
  /** Larger files are pictures and data that no analyser reads as code. */
  fileBytes: 8 * MEBI,
  totalBytes: 1024 * MEBI,
} as const;

export interface WrittenHead {
  readonly ok: true;
  readonly files: number;
  /** Links, submodules, files above the limit, and names that no disk takes: paths that are not there. */
  readonly left: number;
}

/**
 * Writes the files of a commit into an empty folder of ours: what a checkout would hold, but without links, submodules, filters and a
 * `.git`, so that nothing in it leads out or is configuration of git.
 * @throws ForgeError `invalid_revision`, `program_missing`
 */
export async function writeHead(
  mirror: Mirror,
  commit: string,
  folder: string,
  signal: AbortSignal,
): Promise<WrittenHead | WorkspaceFailure> {
  const tree = await listTree(mirror, commit, { maxEntries: TREE_ENTRIES, signal });
  if (!tree.ok) return tree;
  if (tree.truncated) return failure("too large", `The repository has more than ${TREE_ENTRIES} files.`);
  const files = tree.entries.filter(({ kind, path }) => kind === "file" && isInside(path));
  let total = 0;
  let written = 0;
  for (let at = 0; at < files.length; at += WRITE_LIMITS.batchFiles) {
    const batch = files.slice(at, at + WRITE_LIMITS.batchFiles);
    const limits = { maxBlobBytes: WRITE_LIMITS.fileBytes, maxTotalBytes: WRITE_LIMITS.batchBytes };
    const read = await readBlobs(
      mirror,
      batch.map(({ sha }) => ({ sha })),
      { limits, signal },
    );
    if (!read.ok) return read;
    for (const [index, blob] of read.blobs.entries()) {
      const entry = batch[index];
      if (entry === undefined || !("content" in blob)) continue;
      total += blob.content.length;
      if (total > WRITE_LIMITS.totalBytes) {
        return failure("too large", `The repository's files have more than ${WRITE_LIMITS.totalBytes / MEBI} MB.`);
      }
      if (await writeOne(folder, entry.path, entry.mode, blob.content)) written += 1;
    }
  }
  return { ok: true, files: written, left: tree.entries.length - written };
}

/** Git itself refuses to check such paths out. */
function isInside(path: string): boolean {
  const parts = pathToBytes(path).toString("latin1").split("/");
  return !parts.some((part) => part === "" || part === "." || part === ".." || /^\.git$/i.test(part));
}

/** A tree can hold paths that no disk takes. */
const UNWRITABLE: ReadonlySet<string> = new Set(["ENAMETOOLONG", "EILSEQ", "EINVAL"]);

/** Never over something that is there: a folder of ours that was empty holds no link to follow. */
async function writeOne(folder: string, path: string, mode: string, content: Buffer): Promise<boolean> {
  const root = Buffer.from(`${folder}/`);
  const bytes = pathToBytes(path);
  const parent = dirname(bytes.toString("latin1"));
  try {
    if (parent !== ".") await mkdir(Buffer.concat([root, Buffer.from(parent, "latin1")]), { recursive: true });
    await writeFile(Buffer.concat([root, bytes]), content, { flag: "wx", mode: mode === "100755" ? 0o755 : 0o644 });
    return true;
  } catch (error) {
    if (!UNWRITABLE.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
    return false;
  }
}
