import { failure, gitFailure, type WorkspaceFailure } from "./failure.ts";
import { runGit } from "./git.ts";
import type { GitStore } from "./git-store.ts";
import { requireObjectId, requireRepositoryPath } from "./revision.ts";

export interface BlamedLine {
  readonly line: number;
  readonly sha: string;
  readonly author: string;
  /** Seconds since 1970, as the author's machine claimed. */
  readonly authoredAt: number;
  readonly subject: string;
  readonly text: string;
}

export interface Blame {
  readonly ok: true;
  readonly lines: readonly BlamedLine[];
}

export interface BlameQuestion {
  readonly commit: string;
  readonly path: string;
  readonly fromLine: number;
  readonly toLine: number;
  readonly signal: AbortSignal;
}

const TIME_MS = 30_000;
const OUTPUT_BYTES = 8 * 1024 * 1024;
/** Versions of one file that are fetched for an answer. */
const MOST_VERSIONS = 300;

/**
 * Which commit each line of a file comes from. The versions of the file are brought first, in one request.
 * @throws ForgeError `invalid_revision`, `invalid_path`, `program_missing`
 */
export async function blameLines(store: GitStore, question: BlameQuestion): Promise<Blame | WorkspaceFailure> {
  const { fromLine, toLine, signal } = question;
  const commit = requireObjectId(question.commit);
  const path = requireRepositoryPath(question.path);
  return store.hold(signal, async () => {
    const versions = await listVersions(store, commit, path, signal);
    if (!versions.ok) return versions;
    const brought = await store.bring(versions.blobs, signal);
    if (!brought.ok) return brought;
    const result = await runGit({
      gitDirectory: store.gitDirectory,
      args: ["blame", "--porcelain", "--no-progress", `-L${fromLine},${toLine}`, commit, "--", path],
      timeoutMs: TIME_MS,
      maxOutputBytes: OUTPUT_BYTES,
      signal,
    });
    // A wrong question is no fault of the store, which is checked and thrown away when it cannot be read.
    if (/no such path/.test(result.errorText))
      return failure("not found", `There is no file ${JSON.stringify(path)} in this commit.`);
    const lines = /has only (\d+) lines?/.exec(result.errorText)?.[1];
    if (lines !== undefined) return failure("not found", `The file has ${lines} lines.`);
    if (/missing blob|promisor|unable to read [0-9a-f]/.test(result.errorText)) {
      return failure("not found", "Older versions of this file, under another name, are not at hand.");
    }
    if (!result.ok) return gitFailure("Asking who wrote the lines", result);
    return { ok: true, lines: readPorcelain(result.stdout.toString("utf8")) };
  });
}

async function listVersions(store: GitStore, commit: string, path: string, signal: AbortSignal) {
  const result = await runGit({
    gitDirectory: store.gitDirectory,
    args: [
      "log",
      "--format=",
      "--raw",
      "--no-abbrev",
      "--no-renames",
      `--max-count=${MOST_VERSIONS}`,
      commit,
      "--",
      path,
    ],
    timeoutMs: TIME_MS,
    maxOutputBytes: OUTPUT_BYTES,
    signal,
  });
  if (!result.ok) return gitFailure("Listing the versions of the file", result);
  const blobs = [...result.stdout.toString("latin1").matchAll(/^:\d+ \d+ ([0-9a-f]+) ([0-9a-f]+) [A-Z]/gm)];
  const ids = blobs.flatMap(([, before = "", after = ""]) => [before, after]).filter((sha) => !/^0+$/.test(sha));
  return { ok: true, blobs: [...new Set(ids)] } as const;
}

/** Facts of a commit stand only where it is named for the first time. */
function readPorcelain(output: string): BlamedLine[] {
  const commits = new Map<string, { author: string; authoredAt: number; subject: string }>();
  const lines: BlamedLine[] = [];
  let sha = "";
  let line = 0;
  for (const record of output.split("\n")) {
    const facts = commits.get(sha);
    const [word = "", ...rest] = record.split(" ");
    if (record.startsWith("\t")) {
      if (facts !== undefined) lines.push({ line, sha, ...facts, text: record.slice(1) });
    } else if (/^[0-9a-f]{40,64}$/.test(word)) {
      sha = word;
      line = Number(rest[1]);
      if (!commits.has(sha)) commits.set(sha, { author: "", authoredAt: 0, subject: "" });
    } else if (facts !== undefined) {
      if (word === "author") facts.author = rest.join(" ");
      if (word === "author-time") facts.authoredAt = Number(rest[0]);
      if (word === "summary") facts.subject = rest.join(" ");
    }
  }
  return lines;
}
