import { createHash } from "node:crypto";
import { relative, sep } from "node:path";
import { ForgeError } from "../../domain/errors.ts";
import { type GitCall, type GitResult, runGit } from "../git.ts";
import { pathFromBytes, pathToBytes } from "../path-text.ts";
import type { LocalRepository } from "./find-repository.ts";
import { inView } from "./open-view.ts";
import { readSettings } from "./read-settings.ts";

/** Files of the folder that git tracks or does not ignore, relative to the folder. */
export async function listLocalFiles(repository: LocalRepository, folder: string): Promise<string[]> {
  const { workTree } = repository;
  const inside = relative(workTree, folder).split(sep).join("/");
  const listing = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--full-name"];
  const args = ["-C", workTree, `--work-tree=${workTree}`, ...listing];
  const result = await inView(repository, (gitDirectory) => runGit({ gitDirectory, args }), { withIndex: true });
  if (!result.ok) throw unreadable(workTree, result.errorText);
  const prefix = inside === "" ? "" : `${inside}/`;
  return [...new Set(records(result.stdout).flatMap((path) => below(prefix, path)))].sort();
}

/** Entries of the index that are not files: other checkouts with the commits at which they stand, links, and what git does not check out. */
export interface SpecialEntries {
  readonly submodules: ReadonlyMap<string, string>;
  /** Whether git makes links of links here: else a file stands for each, with where it leads as its text (`core.symlinks`). */
  readonly links: ReadonlySet<string>;
  /** Left out of a sparse checkout: they are not there, and nobody deleted them. */
  readonly sparse: ReadonlySet<string>;
  readonly linksAreFiles: boolean;
}

/** The entries of the folder that are no files, by their paths relative to it. */
export async function listSpecial(repository: LocalRepository, folder: string): Promise<SpecialEntries> {
  const inside = relative(repository.workTree, folder).split(sep).join("/");
  const place = ["-C", repository.workTree, `--work-tree=${repository.workTree}`];
  const args = [...place, "ls-files", "-z", "-t", "--stage", "--full-name"];
  const result = await inView(repository, (gitDirectory) => runGit({ gitDirectory, args }), { withIndex: true });
  if (!result.ok) throw unreadable(repository.workTree, result.errorText);
  const prefix = inside === "" ? "" : `${inside}/`;
  const submodules = new Map<string, string>();
  const links = new Set<string>();
  const sparse = new Set<string>();
  for (const record of records(result.stdout)) {
    const tab = record.indexOf("\t");
    const [tag, mode, sha = ""] = record.toString("latin1", 0, tab).split(" ");
    const isFile = mode !== "160000" && mode !== "120000";
    if (isFile && tag !== "S") continue;
    for (const path of below(prefix, record.subarray(tab + 1))) {
      if (tag === "S") sparse.add(path);
      if (isFile) continue;
      if (mode === "160000") submodules.set(path, sha);
      else links.add(path);
    }
  }
  const { symlinks } = await readSettings(repository.commonDirectory);
  return { submodules, links, sparse, linksAreFiles: !symlinks };
}

export interface BaseFile {
  readonly sha: string;
  readonly mode: string;
}

/** The files and links of a commit below the folder, relative to it. */
export async function listBase(repository: LocalRepository, commit: string, folder: string) {
  const inside = relative(repository.workTree, folder).split(sep).join("/");
  const result = await ask(repository, { args: ["ls-tree", "-r", "-z", "--full-tree", commit] });
  if (!result.ok) throw unreadable(repository.workTree, result.errorText);
  const prefix = inside === "" ? "" : `${inside}/`;
  const files = new Map<string, BaseFile>();
  for (const record of records(result.stdout)) {
    const tab = record.indexOf("\t");
    const [mode = "", type, sha = ""] = record.toString("latin1", 0, tab).split(" ");
    if (type === "tree") continue;
    for (const path of below(prefix, record.subarray(tab + 1))) files.set(path, { sha, mode });
  }
  return files;
}

/** Names are bytes: read as text, one that is not UTF-8 would be the name of no file. */
function records(output: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let start = 0; start < output.length; ) {
    const end = output.indexOf(0, start);
    const stop = end === -1 ? output.length : end;
    if (stop > start) found.push(output.subarray(start, stop));
    start = stop + 1;
  }
  return found;
}

function below(prefix: string, path: Buffer): string[] {
  const folder = pathToBytes(prefix);
  return path.subarray(0, folder.length).equals(folder) ? [pathFromBytes(path.subarray(folder.length))] : [];
}

/** Contents of blobs by id; those that the repository does not have are left out. */
export async function readLocalBlobs(
  repository: LocalRepository,
  shas: readonly string[],
): Promise<Map<string, Buffer>> {
  const contents = new Map<string, Buffer>();
  if (shas.length === 0) return contents;
  const result = await ask(repository, {
    args: ["cat-file", "--batch"],
    input: `${shas.join("\n")}\n`,
    maxOutputBytes: 1024 ** 3,
  });
  if (!result.ok) throw unreadable(repository.workTree, result.errorText);
  for (let offset = 0; offset < result.stdout.length; ) {
    const end = result.stdout.indexOf(10, offset);
    const [sha = "", type, size] = result.stdout.toString("latin1", offset, end).split(" ");
    offset = end + 1;
    if (type !== "blob") continue;
    contents.set(sha, result.stdout.subarray(offset, offset + Number(size)));
    offset += Number(size) + 1;
  }
  return contents;
}

/** The id that git gives to this content; with Windows line ends a checkout differs from what is stored. */
export function blobIds(content: Buffer, length: number): string[] {
  const algorithm = length === 64 ? "sha256" : "sha1";
  const id = (bytes: Buffer) => createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
  const stored = content.includes("\r\n")
    ? Buffer.from(content.toString("latin1").replaceAll("\r\n", "\n"), "latin1")
    : content;
  return stored === content ? [id(content)] : [id(content), id(stored)];
}

function ask(repository: LocalRepository, call: Omit<GitCall, "gitDirectory">): Promise<GitResult> {
  return inView(repository, (gitDirectory) => runGit({ ...call, gitDirectory }));
}

function unreadable(workTree: string, detail: string): ForgeError {
  return new ForgeError("checkout_unreadable", `Git cannot read the checkout ${workTree}: ${detail.trim()}`, {
    source: "resource",
    recoverability: "manual",
  });
}
