import { runGit } from "./git.ts";
import type { Mirror } from "./mirror.ts";
import { gitRefusal, type Refusal } from "./refusal.ts";

export interface ObjectInfo {
  readonly type: string;
  readonly bytes: number;
}

/** Type and size of the objects that are in the mirror; those that are not are left out. Nothing is fetched. */
export async function objectInfo(
  mirror: Mirror,
  shas: readonly string[],
): Promise<{ ok: true; objects: Map<string, ObjectInfo> } | Refusal> {
  const objects = new Map<string, ObjectInfo>();
  if (shas.length === 0) return { ok: true, objects };
  const { gitDirectory } = mirror.places;
  const result = await runGit({ gitDirectory, args: ["cat-file", "--batch-check"], input: `${shas.join("\n")}\n` });
  if (!result.ok) return gitRefusal("Looking for objects", result);
  for (const line of result.stdout.toString("latin1").split("\n")) {
    const [sha, type, bytes] = line.split(" ");
    if (sha !== undefined && type !== undefined && bytes !== undefined)
      objects.set(sha, { type, bytes: Number(bytes) });
  }
  return { ok: true, objects };
}
