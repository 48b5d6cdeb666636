import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gitFailure, type WorkspaceFailure } from "./failure.ts";
import { takeTurns } from "./files/turns.ts";
import { runGit } from "./git.ts";
import type { GitStore } from "./git-store.ts";
import { requireObjectId } from "./revision.ts";

/** Limits for reading the history of one repository. The oldest commits are left out beyond them. */
export const LANDED_LIMITS = {
  /** Changes as they landed, newest first: one for each step of the branch itself. */
  changes: 3_000,
  /** Commits behind them: who worked on which file before. */
  commits: 40_000,
  /** For each of the two lists; messages of 100,000 characters end it early. */
  listBytes: 24 * 1024 * 1024,
  /** Of patches, all together, and of one portion. */
  patchBytes: 64 * 1024 * 1024,
  portionBytes: 12 * 1024 * 1024,
  /** Changes that are read at once, and files of theirs, while nobody else can use the mirror: a second, where nothing is fetched. */
  portion: 100,
  portionFiles: 1_000,
  /** A change of more files is a sweep through the repository, and its lines are not read. */
  files: 300,
  /** A larger file is taken for binary: few are written by people, and lock files and bundles would be most of what is read. */
  fileBytes: 640 * 1024,
  /** File contents that are fetched for it, all together: a mirror has none at first. */
  fetchedBytes: 128 * 1024 * 1024,
  /** For one command of git, and for one fetch. */
  timeMs: 60_000,
} as const;

export interface LandedRequest {
  /** The newest commit of the branch on which changes land. */
  readonly head: string;
  /** Whether anybody wrote what lies at a path: the contents of others are neither fetched nor compared. */
  readonly isWritten: (path: string) => boolean;
  /** Empty, made by us: what git said is written there, for a process of its own to read. */
  readonly folder: string;
  readonly limits?: { readonly [name in keyof typeof LANDED_LIMITS]?: number };
  /** Called before each portion; it stops where this says so. What was fetched stays, for the next time. */
  readonly goOn?: () => Promise<boolean>;
  readonly signal: AbortSignal;
}

/** What git said, by the names of files in the folder. */
export interface LandedChanges {
  readonly ok: true;
  /** Stands before each commit in all of them, and nowhere else. */
  readonly mark: string;
  /** All commits with the paths that they changed, newest first. */
  readonly commits: string;
  /** The steps of the branch with both sides of each changed file, newest first. */
  readonly steps: string;
  /** Their patches, in portions of which the newest is first, and in each of them the newest. */
  readonly patches: readonly string[];
}

/**
 * Reads how the changes on a branch landed: what each step of it, a merge as much as a commit, altered of the state before. Holds the
 * store for a portion at a time, so that a review need not wait for the whole.
 * @throws ForgeError `invalid_revision`, `program_missing`; the signal's reason
 */
export async function readLandedChanges(
  store: GitStore,
  request: LandedRequest,
): Promise<LandedChanges | WorkspaceFailure> {
  const { folder, signal } = request;
  const head = requireObjectId(request.head);
  const limits = { ...LANDED_LIMITS, ...request.limits };
  await mkdir(folder, { recursive: true });
  // Unguessable, so that nothing in a message or a file reads as the beginning of a commit.
  const mark = randomUUID();
  const context = { store, folder, mark, limits, signal };
  const commits = await list(context, "commits", [
    `--format=${mark}${["%H", "%P", "%ct", "%ae", "%an"].join("%x01")}`,
    "--name-only",
    `--max-count=${limits.commits}`,
    head,
  ]);
  if (!commits.ok) return commits;
  const steps = await list(context, "steps", [
    `--format=${mark}${["%H", "%P", "%ct", "%ae", "%an", "%s", "%b"].join("%x01")}`,
    ...["--first-parent", "--diff-merges=first-parent", "--raw", "--no-abbrev"],
    `--max-count=${limits.changes}`,
    head,
  ]);
  if (!steps.ok) return steps;

  const patches: string[] = [];
  let [patchBytes, fetched, gone] = [0, 0, 0];
  const all = await readSteps(steps.output.toString("latin1"), mark, request.isWritten);
  // Without a path git would compare everything.
  let waiting = all.filter(({ files, paths }) => files <= limits.files && paths.length > 0);
  while (waiting.length > 0 && patchBytes < limits.patchBytes && fetched < limits.fetchedBytes) {
    signal.throwIfAborted();
    if (!((await request.goOn?.()) ?? true)) break;
    const portion = takePortion(waiting, limits);
    const read = await readPortion(context, portion, limits.fetchedBytes - fetched);
    // Contents that the server has not, or not any more: the changes that brought or took them are left out.
    if (read.ok && read.lacking !== undefined) {
      const { lacking } = read;
      waiting = waiting.filter(({ blobs }) => !blobs.includes(lacking));
      gone += 1;
      if (gone > MOST_GONE) break;
      continue;
    }
    // What was read until then counts.
    if (!read.ok && patches.length > 0 && read.reason !== "aborted") break;
    if (!read.ok) return read;
    const name = `patches-${patches.length}`;
    await writeFile(join(folder, name), read.patch);
    patches.push(name);
    patchBytes += read.patch.length;
    fetched += read.fetched;
    // One whose patch is too large by itself is passed over.
    waiting = waiting.slice(read.cut ? Math.max(1, countOf(mark, read.patch)) : portion.length);
  }
  return { ok: true, mark, commits: "commits", steps: "steps", patches };
}

interface Context {
  readonly store: GitStore;
  readonly folder: string;
  readonly mark: string;
  readonly limits: { readonly [name in keyof typeof LANDED_LIMITS]: number };
  readonly signal: AbortSignal;
}

/** Contents that may be missing, each of which costs another try. */
const MOST_GONE = 200;

/** Trees only: nothing has to be fetched for it. What git said until a limit was reached counts. */
async function list({ store, folder, limits, signal }: Context, name: string, args: readonly string[]) {
  return store.hold(signal, async () => {
    const result = await runGit({
      gitDirectory: store.gitDirectory,
      args: ["log", "-z", "--topo-order", "--no-renames", "--no-mailmap", ...args, "--"],
      timeoutMs: limits.timeMs,
      maxOutputBytes: limits.listBytes,
      signal,
    });
    const part = (result.truncated || result.timedOut) && !result.aborted;
    if (!result.ok && !part) return gitFailure("Reading how changes landed", result);
    await writeFile(join(folder, name), result.stdout);
    return { ok: true as const, output: result.stdout };
  });
}

interface Step {
  readonly sha: string;
  /** All that it changed; of those that somebody wrote, the paths and the contents. */
  readonly files: number;
  readonly paths: readonly string[];
  readonly blobs: readonly string[];
}

/** A megabyte takes 10 ms. */
const LISTING_TURN = { most: 1_000, unitsOfStep: 1_000 };

async function readSteps(listing: string, mark: string, isWritten: LandedRequest["isWritten"]): Promise<Step[]> {
  const [, ...records] = listing.split(mark);
  const turn = takeTurns(LISTING_TURN);
  const steps: Step[] = [];
  for (const record of records) {
    await turn(record.length);
    const sha = record.slice(0, record.indexOf("\u0001"));
    const sides = [...record.matchAll(CHANGED_FILE)].map(
      ([, oldMode, newMode, oldSha = "", newSha = "", bytes = ""]) => {
        const path = Buffer.from(bytes, "latin1").toString("utf8");
        const ids = [...(isFile(oldMode) ? [oldSha] : []), ...(isFile(newMode) ? [newSha] : [])];
        return { path, ids };
      },
    );
    const written = sides.filter(({ path, ids }) => ids.length > 0 && !path.includes("\ufffd") && isWritten(path));
    const paths = written.map(({ path }) => path);
    steps.push({ sha, files: sides.length, paths, blobs: written.flatMap(({ ids }) => ids) });
  }
  return steps;
}

function countOf(mark: string, text: Buffer): number {
  let count = 0;
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) count += 1;
  return count;
}

/** In a raw listing with zero bytes between the parts. */
const CHANGED_FILE = /(?<=[\0\n]):(\d{6}) (\d{6}) ([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [A-Z]\d*\0([^\0]*)\0/g;

function takePortion(waiting: readonly Step[], limits: { portion: number; portionFiles: number }): Step[] {
  let files = 0;
  const end = waiting.findIndex(({ paths }, at) => {
    files += paths.length;
    return at > 0 && (at >= limits.portion || files > limits.portionFiles);
  });
  return waiting.slice(0, end === -1 ? undefined : end);
}

/** Neither a submodule, whose commits are elsewhere, nor nothing. */
function isFile(mode: string | undefined): boolean {
  return mode !== "160000" && mode !== "000000";
}

interface Portion {
  readonly ok: true;
  readonly patch: Buffer;
  readonly cut: boolean;
  readonly fetched: number;
  /** Contents for the want of which nothing could be read. */
  readonly lacking?: string;
}

const NOTHING: Portion = { ok: true, patch: Buffer.alloc(0), cut: false, fetched: 0 };

async function readPortion({ store, mark, limits, signal }: Context, portion: readonly Step[], fetchBytes: number) {
  return store.hold<Portion>(signal, async () => {
    const blobs = [...new Set(portion.flatMap((step) => step.blobs))];
    const paths = [...new Set(portion.flatMap((step) => step.paths))];
    const brought = await store.bring(blobs, signal, { bytes: fetchBytes, timeMs: limits.timeMs });
    if (!brought.ok && brought.reason !== "missing commit") return brought;
    const result = await runGit({
      gitDirectory: store.gitDirectory,
      args: [
        ...["log", "--no-walk=unsorted", "--stdin", `--format=${mark}%H`, "--diff-merges=first-parent"],
        ...["--patch", "-U0", "-M", "--no-color", "--no-ext-diff", "--no-textconv", "--submodule=short"],
        ...["--src-prefix=a/", "--dst-prefix=b/", "--diff-algorithm=histogram"],
        ...["--", ...paths],
      ],
      input: `${portion.map(({ sha }) => sha).join("\n")}\n`,
      settings: [["core.bigFileThreshold", String(limits.fileBytes + 1)]],
      timeoutMs: limits.timeMs,
      maxOutputBytes: limits.portionBytes,
      signal,
    });
    const part = (result.truncated || result.timedOut) && !result.aborted;
    // No fault of the store, which would be thrown away when it cannot be read.
    const lacking = /unable to read ([0-9a-f]{40,64})/.exec(result.errorText)?.[1];
    if (!result.ok && lacking !== undefined && blobs.includes(lacking)) return { ...NOTHING, lacking };
    if (!result.ok && !part) return gitFailure("Reading what the changes altered", result);
    // Nobody knows where the last one ends.
    const end = part ? Math.max(0, result.stdout.lastIndexOf(mark)) : result.stdout.length;
    const fetched = brought.ok ? (brought.bytes ?? 0) : 0;
    return { ok: true, patch: result.stdout.subarray(0, end), cut: part, fetched };
  });
}
