import { runGit } from "./git.ts";
import type { Mirror } from "./mirror.ts";
import { gitRefusal, type Refusal } from "./refusal.ts";

/** The newest common ancestor; `sha` is undefined for unrelated histories. The caller holds the lock. */
export async function findMergeBase(
  mirror: Mirror,
  one: string,
  other: string,
  signal?: AbortSignal,
): Promise<{ ok: true; sha: string | undefined } | Refusal> {
  const { gitDirectory } = mirror.places;
  const result = await runGit({ gitDirectory, args: ["merge-base", one, other], okCodes: [0, 1], signal });
  if (!result.ok) return gitRefusal("Finding the merge base", result);
  const sha = result.stdout.toString().trim();
  return { ok: true, sha: sha === "" ? undefined : sha };
}
