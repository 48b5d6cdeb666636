// Bare repositories and what can be asked of their refs and history.
import { appendFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PRE_RECEIVE } from "./pre-receive.ts";
import { git, gitFact, isFullId, linesOf } from "./run-git.ts";

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

/** SHA by full ref name, in the order of the names. Read as files, as each story asks dozens of times; a loose ref hides a packed one. */
export async function refsOf(directory: string): Promise<Map<string, string>> {
  const loose = await looseRefs(directory, "refs");
  const packed = (await readFile(join(directory, "packed-refs"), "utf8").catch(() => "")).split("\n");
  const refs = [...packed.map((line) => REF.exec(line)), ...loose].flatMap((found) => (found ? [found] : []));
  const byName = new Map(refs.map(([, sha = "", name = ""]) => [name, sha]));
  return new Map([...byName].sort(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other))));
}

/** Of `packed-refs`; its other lines are a header and what tags stand for. A name may hold U+2028, which `.` does not match. */
const REF = /^([0-9a-f]{40}) (refs\/[^\n]+)$/;

async function looseRefs(directory: string, folder: string): Promise<(RegExpExecArray | null)[]> {
  const entries = await readdir(join(directory, folder), { withFileTypes: true }).catch(() => []);
  const found = entries.map(async (entry) => {
    const name = `${folder}/${entry.name}`;
    return entry.isDirectory() ? looseRefs(directory, name) : [REF.exec(`${await readRef(directory, name)} ${name}`)];
  });
  return (await Promise.all(found)).flat();
}

/** The SHA of a loose ref; empty when there is none, as while it is written. */
async function readRef(directory: string, name: string): Promise<string> {
  const text = (await readFile(join(directory, name), "utf8").catch(() => "")).trim();
  return name.endsWith(".lock") || !isFullId(text) ? "" : text;
}

/** The commit that a branch, tag or SHA names; null when there is none. */
export async function commitOf(directory: string, revision: string): Promise<string | null> {
  if (revision.startsWith("-")) return null;
  const branch = isPlainName(revision) ? await readRef(directory, `refs/heads/${revision}`) : "";
  if (branch !== "") return branch;
  const candidates = [`refs/heads/${revision}`, `refs/tags/${revision}`, `refs/${revision}`, revision];
  for (const candidate of isFullId(revision) ? [revision] : candidates) {
    const args = ["rev-parse", "--verify", "-q", `${candidate}^{commit}`];
    const found = await gitFact(directory, [candidate], args, { accept: [0, 1, 128] });
    if (found.code === 0) return found.output.toString().trim();
  }
  return null;
}

/** Of a branch, and no way to another file. */
function isPlainName(revision: string): boolean {
  return !isFullId(revision) && !revision.split("/").some((part) => part === "" || part.startsWith("."));
}

/** The head of a branch that is there. */
export async function headOf(directory: string, branch: string): Promise<string> {
  const loose = isPlainName(branch) ? await readRef(directory, `refs/heads/${branch}`) : "";
  if (loose !== "") return loose;
  return (await git(directory, ["rev-parse", "--verify", `refs/heads/${branch}`])).output.toString().trim();
}

export async function mergeBaseOf(directory: string, one: string, other: string): Promise<string | null> {
  const found = await gitFact(directory, [one, other], ["merge-base", one, other], { accept: [0, 1] });
  return found.output.toString().trim() || null;
}

export async function isAncestor(directory: string, old: string, young: string): Promise<boolean> {
  const args = ["merge-base", "--is-ancestor", old, young];
  return (await gitFact(directory, [old, young], args, { accept: [0, 1] })).code === 0;
}

/** Commits in a range such as "a..b", oldest first. */
export async function commitsIn(directory: string, range: string): Promise<string[]> {
  return linesOf(await gitFact(directory, range.split(".."), ["rev-list", "--reverse", range]));
}

/** Brings one commit of a fork into its parent repository under a ref, as GitHub does with refs/pull/N/head. */
export async function fetchCommit(directory: string, from: string, sha: string, ref: string): Promise<void> {
  await git(directory, ["fetch", "-q", "--no-tags", "--no-write-fetch-head", "--", from, `+${sha}:${ref}`]);
}
