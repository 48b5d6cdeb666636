import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { deflate } from "node:zlib";
import { type GitResult, runGit } from "../git.ts";
import type { BytePath, Entries, Entry } from "./entries.ts";

export interface GitObject {
  readonly type: "blob" | "tree" | "commit";
  readonly sha: string;
  readonly content: Buffer;
}

/** The object as git would make it, and its id. Mirrors are repositories with SHA-1 ids. */
export function gitObject(type: GitObject["type"], content: Buffer): GitObject {
  const sha = createHash("sha1").update(`${type} ${content.length}\0`).update(content).digest("hex");
  return { type, sha, content };
}

export interface Tree {
  readonly sha: string;
  /** The root and every folder below it, each once. */
  readonly objects: ReadonlyMap<string, GitObject>;
}

/**
 * The tree of these entries, made here and not by git's index, so that no attribute, filter or name in the folder has a say.
 * @param asListed ids of folders as the repository wrote them, by what this function makes of the same entries: an old tool's tree that
 * is put together in another way stays what it is as long as nothing in it changes
 */
export function treeOf(entries: Entries, asListed: ReadonlyMap<string, string> = new Map()): Tree {
  const objects = new Map<string, GitObject>();
  const sha = addFolder(nest(entries), objects, asListed);
  return { sha, objects };
}

/** By what id each folder of a listing would go if it were made here; those that go by their own are left out. */
export function unusualFolders(entries: Entries, listed: ReadonlyMap<BytePath, string>): Map<string, string> {
  const unusual = new Map<string, string>();
  const visit = (folder: Folder, path: BytePath): void => {
    for (const [name, inner] of folder.folders) visit(inner, path === "" ? name : `${path}/${name}`);
    const known = listed.get(path);
    const made = folderObject(folder, unusual).sha;
    if (known !== undefined && known !== made) unusual.set(made, known);
  };
  visit(nest(entries), "");
  return unusual;
}

export interface Signature {
  readonly name: string;
  readonly email: string;
}

export interface CommitText {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Signature;
  /** ISO 8601; written with the zone of UTC and to the second. */
  readonly at: string;
  readonly message: string;
}

/** A commit whose committer is its author: the same for the same input, at any time and place. */
export function commitObject({ tree, parents, author, at, message }: CommitText): GitObject {
  const who = `${plain(author.name)} <${plain(author.email)}> ${Math.floor(Date.parse(at) / 1000)} +0000`;
  const lines = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`), `author ${who}`, `committer ${who}`];
  const text = `${message.toWellFormed().replaceAll("\0", "").trimEnd()}\n`;
  return gitObject("commit", Buffer.from(`${lines.join("\n")}\n\n${text}`));
}

/** What stands between the marks of a signature must not hold them. */
function plain(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}<>]/gu, "")
    .trim();
}

interface Folder {
  readonly files: Map<string, Entry>;
  readonly folders: Map<string, Folder>;
}

function nest(entries: Entries): Folder {
  const root: Folder = { files: new Map(), folders: new Map() };
  for (const [path, entry] of entries) {
    const names = path.split("/");
    const name = names.pop() ?? "";
    let folder = root;
    for (const each of names) {
      let inner = folder.folders.get(each);
      if (inner === undefined) {
        inner = { files: new Map(), folders: new Map() };
        folder.folders.set(each, inner);
      }
      folder = inner;
    }
    folder.files.set(name, entry);
  }
  return root;
}

function addFolder(folder: Folder, objects: Map<string, GitObject>, asListed: ReadonlyMap<string, string>): string {
  const made = folderObject(folder, asListed, objects);
  const listed = asListed.get(made.sha);
  if (listed !== undefined) return listed;
  objects.set(made.sha, made);
  return made.sha;
}

function folderObject(folder: Folder, asListed: ReadonlyMap<string, string>, objects = new Map<string, GitObject>()) {
  const rows = [...folder.files].map(([name, { mode, sha }]) => ({ name, order: name, mode, sha }));
  for (const [name, inner] of folder.folders) {
    const sha = addFolder(inner, objects, asListed);
    // Git sorts a folder as if its name ended in a slash.
    rows.push({ name, order: `${name}/`, mode: "40000", sha });
  }
  rows.sort((one, other) => (one.order < other.order ? -1 : 1));
  const parts = rows.flatMap(({ name, mode, sha }) => [
    Buffer.from(`${mode} ${name}\0`, "latin1"),
    Buffer.from(sha, "hex"),
  ]);
  return gitObject("tree", Buffer.concat(parts));
}

const TYPE_NUMBERS: Readonly<Record<GitObject["type"], number>> = { commit: 1, tree: 2, blob: 3 };
const compress = promisify<Buffer, Buffer>(deflate);

/** Puts objects into a repository as one pack, which git checks as it would check one from the network. */
export async function writePack(
  gitDirectory: string,
  objects: readonly GitObject[],
  signal: AbortSignal,
): Promise<GitResult | undefined> {
  if (objects.length === 0) return undefined;
  return indexPack(gitDirectory, await packOf(objects), signal);
}

/** Puts a pack into a repository. Everything in it stands for itself: no object is completed from elsewhere. */
export function indexPack(gitDirectory: string, pack: Buffer, signal: AbortSignal): Promise<GitResult> {
  return runGit({ gitDirectory, args: ["index-pack", "--stdin"], input: pack, signal });
}

/** Git's pack format, version 2, every object whole. */
async function packOf(objects: readonly GitObject[]): Promise<Buffer> {
  const head = Buffer.alloc(12);
  head.write("PACK", "latin1");
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(objects.length, 8);
  const parts: Uint8Array[] = [head];
  for (const { type, content } of objects) parts.push(objectHeader(type, content.length), await compress(content));
  const body = Buffer.concat(parts);
  return Buffer.concat([body, createHash("sha1").update(body).digest()]);
}

/** Four bits of the length beside the type, then seven in each byte; the top bit says that more follow. */
function objectHeader(type: GitObject["type"], length: number): Buffer {
  const bytes = [(TYPE_NUMBERS[type] << 4) | (length & 15)];
  for (let rest = Math.floor(length / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1]! |= 128;
    bytes.push(rest & 127);
  }
  return Buffer.from(bytes);
}
