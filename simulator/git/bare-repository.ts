// Bare repositories and what can be asked of their refs and history.
import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PRE_RECEIVE } from "./pre-receive.ts";
import { git, gitLines } from "./run-git.ts";

export const NO_SHA = "0".repeat(40);

// Partial clones and fetching any commit by its SHA work on GitHub; refs/pull is GitHub's own.
const SETTINGS = `[uploadpack]
	allowFilter = true
	allowAnySHA1InWant = true
[receive]
	hideRefs = refs/pull
[http]
	receivepack = true
[gc]
	auto = 0
`;

export async function initialiseBare(directory: string, defaultBranch: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  await git(directory, ["init", "-q", "--bare", `--initial-branch=${defaultBranch}`]);
  await configure(directory);
}

export async function cloneBare(source: string, directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  await git(directory, ["clone", "-q", "--bare", "--no-hardlinks", "--", source, "."]);
  for (const ref of (await refsOf(directory)).keys())
    if (ref.startsWith("refs/pull/")) await git(directory, ["update-ref", "-d", ref]);
  await configure(directory);
}

async function configure(directory: string): Promise<void> {
  await appendFile(join(directory, "config"), SETTINGS);
  await mkdir(join(directory, "hooks"), { recursive: true });
  await writeFile(join(directory, "hooks", "pre-receive"), PRE_RECEIVE, { mode: 0o755 });
}

/** SHA by full ref name. */
export async function refsOf(directory: string): Promise<Map<string, string>> {
  const lines = await gitLines(directory, "for-each-ref", "--format=%(objectname) %(refname)");
  return new Map(lines.map((line) => [line.slice(41), line.slice(0, 40)]));
}

/** The commit that a branch, tag or SHA names; null when there is none. */
export async function commitOf(directory: string, revision: string): Promise<string | null> {
  if (revision.startsWith("-")) return null;
  const candidates = [`refs/heads/${revision}`, `refs/tags/${revision}`, `refs/${revision}`, revision];
  for (const candidate of /^[0-9a-f]{40}$/.test(revision) ? [revision] : candidates) {
    const found = await git(directory, ["rev-parse", "--verify", "-q", `${candidate}^{commit}`], {
      accept: [0, 1, 128],
    });
    if (found.code === 0) return found.output.toString().trim();
  }
  return null;
}

export async function mergeBaseOf(directory: string, one: string, other: string): Promise<string | null> {
  const found = await git(directory, ["merge-base", one, other], { accept: [0, 1] });
  return found.output.toString().trim() || null;
}

export async function isAncestor(directory: string, old: string, young: string): Promise<boolean> {
  return (await git(directory, ["merge-base", "--is-ancestor", old, young], { accept: [0, 1] })).code === 0;
}

/** Commits in a range such as "a..b", oldest first. */
export function commitsIn(directory: string, range: string): Promise<string[]> {
  return gitLines(directory, "rev-list", "--reverse", range);
}

/** Brings one commit of a fork into its parent repository under a ref, as GitHub does with refs/pull/N/head. */
export async function fetchCommit(directory: string, from: string, sha: string, ref: string): Promise<void> {
  await git(directory, ["fetch", "-q", "--no-tags", "--no-write-fetch-head", "--", from, `+${sha}:${ref}`]);
}
