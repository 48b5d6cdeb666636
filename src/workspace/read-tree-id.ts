import { runGit } from "./git.ts";
import { type Mirror, withMirror } from "./mirror.ts";
import { gitRefusal, type Refusal } from "./refusal.ts";
import { requireObjectId } from "./revision.ts";

/**
 * The id of a commit's tree: two commits with the same have the same files. The commit must be in the mirror.
 * @throws ForgeError `invalid_revision`, `program_missing`
 */
export async function readTreeId(
  mirror: Mirror,
  commit: string,
  signal?: AbortSignal,
): Promise<{ readonly ok: true; readonly tree: string } | Refusal> {
  const sha = requireObjectId(commit);
  return withMirror(mirror, signal, async () => {
    const args = ["log", "--max-count=1", "--format=%T", sha, "--"];
    const result = await runGit({ gitDirectory: mirror.places.gitDirectory, args, signal });
    if (!result.ok) return gitRefusal("Reading a commit", result);
    return { ok: true, tree: result.stdout.toString().trim() };
  });
}
