import { gitFailure, type WorkspaceFailure } from "./failure.ts";
import { runGit } from "./git.ts";
import { type Mirror, withMirror } from "./mirror.ts";
import { requireObjectId } from "./revision.ts";

/** One step of a branch along its first parents: a merge, a squash, a commit of a rebase, or a push. */
export interface BranchStep {
  readonly sha: string;
  readonly parents: readonly string[];
  readonly tree: string;
  /** The first line of its message, at most 120 characters. */
  readonly title: string;
  /** Commits that it brings to the branch, itself included. */
  readonly commits: number;
}

export interface BranchSteps {
  readonly ok: true;
  /** Newest first. */
  readonly steps: readonly BranchStep[];
  /** Further steps, which are not listed. */
  readonly beyond: number;
}

/** Characters of a title. */
const TITLE = 120;

/**
 * The steps by which a branch came from one commit to another: what the second has and the first has not, along first parents. Without a first
 * commit the whole history up to the second. The commits have to be in the mirror.
 * @throws ForgeError `invalid_revision`, `program_missing`
 */
export async function listBranchSteps(
  mirror: Mirror,
  range: {
    readonly from: string | undefined;
    readonly to: string;
    readonly most: number;
    readonly signal: AbortSignal;
  },
): Promise<BranchSteps | WorkspaceFailure> {
  const to = requireObjectId(range.to);
  const without = range.from === undefined ? [] : [`^${requireObjectId(range.from)}`];
  const { most, signal } = range;
  return withMirror(mirror, signal, async () => {
    const git = (...args: string[]) => runGit({ gitDirectory: mirror.places.gitDirectory, args, signal });
    const counted = await git("rev-list", "--count", "--first-parent", to, ...without, "--");
    if (!counted.ok) return gitFailure("Counting the steps of a branch", counted);
    // A commit's message can be megabytes: git cuts it, and fills up what is shorter.
    const format = `--format=${["%H", "%P", "%T", `%<(${TITLE},trunc)%s`].join("%x00")}`;
    const listed = await git("log", "-z", "--first-parent", `--max-count=${most}`, format, to, ...without, "--");
    if (!listed.ok) return gitFailure("Reading the steps of a branch", listed);
    const steps: BranchStep[] = [];
    for (const [sha = "", parents = "", tree = "", title = ""] of fieldsOf(listed.stdout.toString("utf8"))) {
      const [first, ...others] = parents.split(" ").filter(Boolean);
      const merged = first !== undefined && others.length > 0;
      const brought = merged ? await git("rev-list", "--count", sha, `^${first}`, "--") : undefined;
      if (brought && !brought.ok) return gitFailure("Counting the commits of a merge", brought);
      steps.push({
        ...{
          sha,
          tree,
          title: title.trimEnd().slice(0, TITLE),
          parents: first === undefined ? [] : [first, ...others],
        },
        commits: brought ? Number(brought.stdout.toString()) : 1,
      });
    }
    return { ok: true, steps, beyond: Math.max(0, Number(counted.stdout.toString()) - steps.length) };
  });
}

/** Four fields for each commit; with `-z` the records are divided by the same byte. */
function fieldsOf(output: string): string[][] {
  const all = output.split("\0");
  return Array.from({ length: Math.floor(all.length / 4) }, (_, index) => all.slice(index * 4, index * 4 + 4));
}
