import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { isReference } from "../revision.ts";
import { readPlainFile, readPlainText, unusable } from "./plain-file.ts";

/** Where the branches of a repository stand, and what is checked out. */
export interface References {
  /** Commits (or tags) by whole name: `refs/heads/main`. */
  readonly targets: ReadonlyMap<string, string>;
  /** References that name another one, such as `refs/remotes/origin/HEAD`; their targets are above as well. */
  readonly symbolic: ReadonlyMap<string, string>;
}

const MOST = 200_000;
const DEEPEST = 40;
const PACKED_BYTES = 64 * 1024 * 1024;
const SHA = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/**
 * Reads all references as the files that they are. Left out is what git keeps for itself, and what would put one object in place of another.
 * @throws ForgeError `checkout_unusable`
 */
export async function readReferences(commonDirectory: string): Promise<References> {
  const targets = await readPacked(commonDirectory);
  const symbolic = new Map<string, string>();
  for (const name of await listLoose(commonDirectory)) {
    const text = (await readPlainText(join(commonDirectory, name))).trim();
    const other = /^ref: ?(\S+)$/.exec(text)?.[1];
    targets.delete(name);
    if (SHA.test(text)) targets.set(name, text);
    if (other !== undefined && isReference(other)) symbolic.set(name, other);
  }
  for (const name of symbolic.keys()) {
    const sha = follow(name, { targets, symbolic });
    if (sha !== undefined) targets.set(name, sha);
  }
  return { targets, symbolic };
}

/** The target of a `HEAD`; undefined where it is unreadable. */
export async function readHead(
  gitDirectory: string,
): Promise<{ readonly ref: string } | { readonly sha: string } | undefined> {
  const text = (await readPlainText(join(gitDirectory, "HEAD"))).trim();
  if (SHA.test(text)) return { sha: text };
  const ref = /^ref: ?(\S+)$/.exec(text)?.[1];
  return ref !== undefined && isReference(ref) ? { ref } : undefined;
}

function follow(name: string, { targets, symbolic }: References): string | undefined {
  let at = name;
  // As many steps as git makes.
  for (let step = 0; step < 5; step += 1) {
    const next = symbolic.get(at);
    if (next === undefined) return targets.get(at);
    at = next;
  }
  return undefined;
}

async function readPacked(commonDirectory: string): Promise<Map<string, string>> {
  const file = await readPlainFile(join(commonDirectory, "packed-refs"), PACKED_BYTES);
  const targets = new Map<string, string>();
  for (const line of (file?.content.toString("utf8") ?? "").split("\n")) {
    const [sha = "", name = ""] = line.trimEnd().split(" ");
    if (SHA.test(sha) && isReference(name) && !isLeftOut(name)) targets.set(name, sha);
    if (targets.size > MOST) throw unusable(commonDirectory, `it has more than ${MOST} references`);
  }
  return targets;
}

async function listLoose(commonDirectory: string): Promise<string[]> {
  const found: string[] = [];
  const folders = (await lstat(join(commonDirectory, "refs")).catch(() => undefined))?.isDirectory() ? ["refs"] : [];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    const entries: Dirent[] = await readdir(join(commonDirectory, at), { withFileTypes: true });
    for (const entry of entries) {
      const name = `${at}/${entry.name}`;
      if (isLeftOut(name)) continue;
      if (entry.isDirectory() && name.split("/").length <= DEEPEST) folders.push(name);
      if (entry.isFile() && isReference(name)) found.push(name);
      if (found.length + folders.length > MOST) throw unusable(commonDirectory, `it has more than ${MOST} references`);
    }
  }
  return found;
}

function isLeftOut(name: string): boolean {
  return /^refs\/(?:replace|bisect|worktree|rewritten)(?:\/|$)/.test(name);
}
