import type { Content } from "../../analysis/classify-file.ts";
import { diffTexts } from "../../analysis/diff-texts.ts";
import { ForgeError } from "../../domain/errors.ts";
import type { ChangedFile } from "../../domain/hunks.ts";
import { findBase } from "../../workspace/local/find-base.ts";
import { findLocalRepository } from "../../workspace/local/find-repository.ts";
import { type LocalEntry, readLocalEntry, walkFolder } from "../../workspace/local/local-files.ts";
import {
  type BaseFile,
  blobIds,
  listBase,
  listLocalFiles,
  listSpecial,
  readLocalBlobs,
  type SpecialEntries,
} from "../../workspace/local/local-repository.ts";

/** The change to review in a folder on this machine. */
export interface FolderChange {
  readonly files: ChangedFile[];
  readonly contents: Map<string, Content>;
  readonly oldContents: Map<string, Buffer>;
  /** The commit it is compared with; undefined when every file counts as new. */
  readonly base?: string;
  /** Every file of the folder that belongs to it, changed or not. */
  readonly paths: readonly string[];
}

export interface FolderRequest {
  /** Absolute, with links resolved. */
  readonly folder: string;
  readonly base?: string;
  /** Every file, changed or not. */
  readonly all: boolean;
}

const MEBI = 1024 * 1024;

/** Larger files are named as not looked at, or searched for secrets only. */
const MOST_BYTES = 4 * MEBI;

/** All of it is held in memory at once, as for a pull request. */
const MOST_BYTES_TOGETHER = 128 * MEBI;

/**
 * Reads a folder as a change: against the merge base of a git checkout, uncommitted work included, or every file of it as new.
 * @throws ForgeError `base_not_found`, `base_unrelated`, `history_missing`, `content_missing`, `checkout_unreadable`, `folder_too_large`, `folder_empty`
 */
export async function readFolder({ folder, base, all }: FolderRequest): Promise<FolderChange> {
  const repository = await findLocalRepository(folder);
  const listed = repository ? await listLocalFiles(repository, folder) : [];
  // What git ignores as a whole is looked at all the same when it is named.
  const paths = listed.length === 0 && (all || !repository) ? await walkFolder(folder, { whole: true }) : listed;
  const change: FolderChange = { files: [], contents: new Map(), oldContents: new Map(), paths };
  if (all || !repository) {
    if (paths.length === 0) throw empty(folder);
    const held = { bytes: 0 };
    for (const path of paths) {
      await addFile(change, { path, was: undefined, entry: await readLocalEntry(folder, path, MOST_BYTES) }, held);
    }
    return change;
  }
  const commit = await findBase(repository, base);
  const known = await listBase(repository, commit, folder);
  const changed: { path: string; before: BaseFile | undefined }[] = [];
  const special = await listSpecial(repository, folder);
  for (const path of paths) {
    const before = known.get(path);
    const entry = await readEntry(folder, path, before, special);
    if (entry === undefined && before && !special.sparse.has(path)) addDeleted(change, path, before);
    if (entry !== undefined && !isSame(entry, before, special.submodules.get(path))) changed.push({ path, before });
  }
  const shas = changed.flatMap(({ before }) => (before?.mode.startsWith("100") ? [before.sha] : []));
  const old = await readLocalBlobs(repository, shas);
  const lacking = shas.filter((sha) => !old.has(sha)).length;
  // Compared with nothing, all of such a file would count as new.
  if (lacking > 0) throw contentMissing(lacking, commit);
  const there = new Set(paths);
  for (const [path, { mode }] of known) {
    if (!there.has(path)) addDeleted(change, path, { mode });
  }
  const held = { bytes: 0 };
  for (const { path, before } of changed) {
    const was = before && { content: old.get(before.sha), mode: before.mode };
    await addFile(change, { path, was, entry: await readEntry(folder, path, before, special) }, held);
  }
  return { ...change, base: commit };
}

/** Whether the base has the very same there. @param submodule the commit of another checkout */
function isSame({ mode, content }: LocalEntry, before: BaseFile | undefined, submodule: string | undefined): boolean {
  if (before === undefined || before.mode.slice(0, 3) !== mode.slice(0, 3)) return false;
  if (mode === "160000") return before.sha === submodule;
  return Buffer.isBuffer(content) && blobIds(content, before.sha.length).includes(before.sha);
}

/** What stands at the path; a file that stands for a link, as git writes it where it makes none, is the link. */
async function readEntry(
  folder: string,
  path: string,
  before: BaseFile | undefined,
  { links, linksAreFiles }: SpecialEntries,
): Promise<LocalEntry | undefined> {
  const entry = await readLocalEntry(folder, path, MOST_BYTES);
  const isLink = linksAreFiles && (links.has(path) || before?.mode === "120000");
  return entry && isLink && entry.mode.startsWith("100") ? { ...entry, mode: "120000" } : entry;
}

/** Nothing is left to look at, and the coverage names it. Another checkout is not a file of this one. */
function addDeleted({ files }: FolderChange, path: string, { mode }: Pick<BaseFile, "mode">): void {
  if (mode === "160000") return;
  files.push({ path, mode, status: "deleted", binary: false, addedLines: 0, deletedLines: 1, hunks: [] });
}

interface AddedFile {
  readonly path: string;
  readonly entry: LocalEntry | undefined;
  readonly was: { readonly content: Buffer | undefined; readonly mode: string } | undefined;
}

async function addFile(change: FolderChange, { path, entry, was }: AddedFile, held: { bytes: number }): Promise<void> {
  const before = was?.content;
  if (entry === undefined) return;
  const { mode, content: read } = entry;
  const fits = held.bytes + (Buffer.isBuffer(read) ? read.length : 0) <= MOST_BYTES_TOGETHER;
  const content = fits ? read : { skipped: "the folder is larger than what one review reads" };
  if (Buffer.isBuffer(content)) held.bytes += content.length;
  const binary = Buffer.isBuffer(content) && content.subarray(0, 8000).includes(0);
  const diff =
    binary || !Buffer.isBuffer(content)
      ? { hunks: [], addedLines: 1, deletedLines: 0 }
      : diffTexts(before?.toString("utf8"), content.toString("utf8"));
  // Whether a file is a program is not compared: a file system may have no bit for it.
  const oldMode = was !== undefined && was.mode.slice(0, 3) !== mode.slice(0, 3) ? { oldMode: was.mode } : {};
  change.files.push({ path, status: before ? "modified" : "added", mode, ...oldMode, binary, ...diff });
  change.contents.set(path, content);
  if (before) change.oldContents.set(path, before);
}

function empty(folder: string): ForgeError {
  return new ForgeError("folder_empty", `There is no file to look at in ${folder}.`, {
    source: "validation",
    recoverability: "manual",
  });
}

/** A partial clone has fetched only what was checked out. */
function contentMissing(files: number, base: string): ForgeError {
  const what = `The old content of ${files} changed file${files === 1 ? "" : "s"} is missing here, as in a clone made with --filter`;
  const message = `${what}: git diff --stat ${base} fetches it; --all looks at every file without it.`;
  return new ForgeError("content_missing", message, { source: "validation", recoverability: "manual" });
}
