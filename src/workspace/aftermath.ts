import { randomUUID } from "node:crypto";
import { blameLines } from "./blame-lines.ts";
import { saysFix, titleOf } from "./commit-title.ts";
import { gitFailure, type WorkspaceFailure } from "./failure.ts";
import { fetchBlobs } from "./fetch-blobs.ts";
import { runGit } from "./git.ts";
import { mirrorStore } from "./git-store.ts";
import { type Mirror, withMirror } from "./mirror.ts";
import { pathFromBytes } from "./path-text.ts";
import { requireObjectId } from "./revision.ts";

/** Limits of the search; beyond them nothing is known, and nothing is said. */
const LIMITS = { steps: 500, fixes: 20, files: 20, ranges: 50, outputBytes: 16 * 1024 * 1024, timeMs: 30_000 };

export interface AftermathQuestion {
  /** The commit that brought the pull request to its branch, and the head that the pull request had. */
  readonly landed: string;
  readonly head: string;
  readonly pull: number;
  /** Where the branch stands now. */
  readonly branchHead: string;
  readonly signal: AbortSignal;
}

export interface Aftermath {
  readonly ok: true;
  /** The first step of the branch that took the change back, or mended lines of it by its own word; undefined where there is none. */
  readonly found?: { readonly is: "reverted" | "mended"; readonly commit: string; readonly critical: boolean };
}

interface Side {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

interface Step {
  readonly sha: string;
  readonly parent: string;
  readonly message: string;
  readonly sides: readonly Side[];
}

/**
 * What came after a pull request was merged: whether a later step of its branch reverts it, by its word or because the files are as they were,
 * or fixes lines that it had written, by blame. All commits have to be in the mirror.
 * @throws ForgeError `invalid_revision`, `program_missing`
 */
export async function readAftermath(
  mirror: Mirror,
  question: AftermathQuestion,
): Promise<Aftermath | WorkspaceFailure> {
  const [landed, head, branchHead] = [question.landed, question.head, question.branchHead].map(requireObjectId) as [
    string,
    string,
    string,
  ];
  const { signal } = question;
  const read = await withMirror(mirror, signal, async () => {
    const git = (...args: string[]) => ask(mirror, args, signal);
    const before = await beforeOf(git, landed, head);
    if (!before.ok) return before;
    const own = await git("rev-list", `--max-count=${LIMITS.steps}`, landed, `^${before.text}`, "--");
    const theirs = own.ok ? await git("rev-list", `--max-count=${LIMITS.steps}`, head, `^${before.text}`, "--") : own;
    const changed = await git(
      "diff-tree",
      "-r",
      "-z",
      "--raw",
      "--no-abbrev",
      "--no-renames",
      before.text,
      landed,
      "--",
    );
    const mark = randomUUID();
    const steps = await git(
      ...["log", "-z", "--first-parent", "--diff-merges=first-parent", "--raw", "--no-abbrev", "--no-renames"],
      ...[`--format=${mark}%H%x01%P%x01%B%x01`, `--max-count=${LIMITS.steps}`, branchHead, `^${landed}`, "--"],
    );
    if (!own.ok) return own;
    if (!theirs.ok) return theirs;
    if (!changed.ok) return changed;
    if (!steps.ok) return steps;
    const commits = new Set(`${own.text}\n${theirs.text}`.split("\n").filter(Boolean));
    return { ok: true as const, commits, sides: sidesOf(changed.text), steps: stepsOf(steps.text, mark).reverse() };
  });
  if (!read.ok) return read;
  let fixes = 0;
  for (const step of read.steps) {
    const critical = CRITICAL.test(step.message);
    const found = (is: "reverted" | "mended") => ({ ok: true as const, found: { is, commit: step.sha, critical } });
    if (saysItReverts(step, read.commits, question.pull) || takesBack(step, read.sides)) return found("reverted");
    if (!isFix(step.message) || fixes >= LIMITS.fixes) continue;
    const touched = step.sides.filter(({ path }) => read.sides.some((side) => side.path === path));
    if (touched.length === 0) continue;
    fixes += 1;
    const mends = await mendsLines(mirror, step, touched.slice(0, LIMITS.files), read.commits, signal);
    if (typeof mends !== "boolean") return mends;
    if (mends) return found("mended");
  }
  return { ok: true };
}

/** The state before the change: of a rebase its commits stand one after the other on the branch. */
async function beforeOf(
  git: Git,
  landed: string,
  head: string,
): Promise<{ ok: true; text: string } | WorkspaceFailure> {
  const shown = await git("log", "--no-walk", "--format=%P%x01%s", landed, head, "--");
  if (!shown.ok) return shown;
  const [first = "", second = first] = shown.text.trim().split("\n");
  const [parents = "", subject = ""] = first.split("\u0001");
  const [parent = "", other] = parents.split(" ");
  if (other !== undefined || landed === head || second.split("\u0001")[1] !== subject)
    return { ok: true, text: parent };
  const base = await git("merge-base", landed, head);
  const count = base.ok ? await git("rev-list", "--count", "--no-merges", head, `^${base.text.trim()}`, "--") : base;
  if (!count.ok) return count;
  const commits = Math.min(LIMITS.steps, Math.max(1, Number(count.text)));
  const start = await git("rev-parse", "--verify", "--quiet", `${landed}~${commits}`);
  return start.ok ? { ok: true, text: start.text.trim() } : { ok: true, text: parent };
}

type Git = (...args: string[]) => Promise<{ readonly ok: true; readonly text: string } | WorkspaceFailure>;

/** One character for each byte: names and messages need not be UTF-8. */
async function ask(mirror: Mirror, args: readonly string[], signal: AbortSignal) {
  const result = await runGit({
    gitDirectory: mirror.places.gitDirectory,
    args,
    maxOutputBytes: LIMITS.outputBytes,
    timeoutMs: LIMITS.timeMs,
    signal,
  });
  if (!result.ok) return gitFailure("Looking at what came after a merge", result);
  return { ok: true as const, text: result.stdout.toString("latin1").replace(/\n$/, "") };
}

function stepsOf(output: string, mark: string): Step[] {
  const [, ...records] = output.split(mark);
  return records.map((record) => {
    const [sha = "", parents = "", message = ""] = record.split("\u0001");
    const [parent = ""] = parents.split(" ");
    return { sha, parent, message: message.slice(0, 4_000), sides: sidesOf(record) };
  });
}

function sidesOf(raw: string): Side[] {
  const found = raw.matchAll(/:\d{6} \d{6} ([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [A-Z]\d*\0([^\0]*)\0/g);
  return [...found].map(([, before = "", after = "", path = ""]) => {
    return { path: pathFromBytes(Buffer.from(path, "latin1")), before, after };
  });
}

/** The words that git and GitHub write. Taking a revert back is none. */
function saysItReverts({ message }: Step, commits: ReadonlySet<string>, pull: number): boolean {
  if (/^(?:Revert|Reapply) "(?:Revert|Reapply) /.test(message)) return false;
  const shas = [...message.matchAll(/\bThis reverts commit ([0-9a-f]{7,64})\b/g)].map(([, sha = ""]) => sha);
  if (shas.some((sha) => [...commits].some((commit) => commit.startsWith(sha)))) return true;
  const numbers = [...message.matchAll(/\b(?:Reverts [^\s#]{0,140}|Revert "[^"\n]{0,300}\()#(\d{1,9})\b/g)];
  return numbers.some(([, number]) => Number(number) === pull);
}

/** All files that the change had altered are as they were before it. */
function takesBack({ sides }: Step, changed: readonly Side[]): boolean {
  if (changed.length === 0) return false;
  const byPath = new Map(sides.map((side) => [side.path, side]));
  return changed.every(({ path, before, after }) => {
    const side = byPath.get(path);
    return side?.before === after && side.after === before;
  });
}

const CRITICAL = /\b(?:security|vulnerab\w*|CVE-\d{4}|exploit\w*|data loss|critical|incident|outage)\b/i;

function isFix(message: string): boolean {
  const [subject = "", ...body] = message.split("\n");
  return saysFix(titleOf(subject, body.join("\n")));
}

/** Whether a step takes lines away that these commits had written. */
async function mendsLines(
  mirror: Mirror,
  { sha, parent }: Step,
  touched: readonly Side[],
  commits: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<boolean | WorkspaceFailure> {
  const patch = await withMirror(mirror, signal, async () => {
    const blobs = touched.flatMap(({ before, after }) => [before, after]).filter((id) => !/^0+$/.test(id));
    const brought = await fetchBlobs(mirror, blobs, signal);
    if (!brought.ok) return brought;
    const paths = touched.map(({ path }) => path).filter((path) => path.isWellFormed() && !path.startsWith('"'));
    const looks = ["-U0", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--ignore-space-change"];
    const told: { path: string; from: number; to: number }[] = [];
    for (const path of paths) {
      const shown = await ask(mirror, ["diff", ...looks, parent, sha, "--", path], signal);
      if (!shown.ok) return shown;
      for (const [, start = "0", count = "1"] of shown.text.matchAll(/^@@ -(\d+)(?:,(\d+))? /gm)) {
        if (count !== "0") told.push({ path, from: Number(start), to: Number(start) + Number(count) - 1 });
      }
    }
    return { ok: true as const, told };
  });
  if (!patch.ok) return patch;
  for (const { path, from, to } of patch.told.slice(0, LIMITS.ranges)) {
    const blame = await blameLines(mirrorStore(mirror), { commit: parent, path, fromLine: from, toLine: to, signal });
    if (!blame.ok && blame.reason === "not found") continue;
    if (!blame.ok) return blame;
    if (blame.lines.some((line) => commits.has(line.sha) && /[a-z0-9]/i.test(line.text))) return true;
  }
  return false;
}
