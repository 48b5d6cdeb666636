import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";

export interface ObjectInfo {
  readonly type: string;
  readonly bytes: number;
}

/** Facts that git told about a mirror: objects that it has, never ones that it lacks. */
export interface Facts {
  /** By id. */
  readonly objects: Map<string, ObjectInfo>;
  /** By two commits; undefined where their histories have nothing in common. */
  readonly mergeBases: Map<string, string | undefined>;
}

/** Of more mirrors than this at a time the oldest are forgotten. */
const MOST_MIRRORS = 200;
/** A fact takes some 200 bytes. */
const MOST_FACTS = 5_000;

const known = new Map<string, Facts & { readonly stamp: string }>();

/**
 * Facts known of a mirror since its packs last changed, to be read and added to: asking git costs a process each time, and a review
 * asks a dozen times for the same. A fetch, joined packs and a mirror that was built anew change the folder of the packs. What is
 * damaged without that is found on reading: see `forgetFacts`. The caller holds the lock.
 */
export async function factsOf(gitDirectory: string): Promise<Facts> {
  const stamp = await stampOf(gitDirectory);
  const last = known.get(gitDirectory);
  const isFull = last !== undefined && Math.max(last.objects.size, last.mergeBases.size) > MOST_FACTS;
  const facts = last?.stamp === stamp && !isFull ? last : { stamp, objects: new Map(), mergeBases: new Map() };
  // The one that was asked for last is the newest.
  known.delete(gitDirectory);
  known.set(gitDirectory, facts);
  const [oldest] = known.keys();
  if (known.size > MOST_MIRRORS && oldest !== undefined) known.delete(oldest);
  return facts;
}

/** Something could not be read that should be there. */
export function forgetFacts(gitDirectory: string): void {
  known.delete(gitDirectory);
}

/** Of its own packs, and of those that another repository lends it. */
async function stampOf(gitDirectory: string): Promise<string> {
  const own = join(gitDirectory, "objects");
  const lent = await readFile(join(own, "info", "alternates"), "utf8").catch(() => "");
  const folders = [own, ...lent.split("\n").filter((line) => line !== "")];
  return (await Promise.all(folders.map((folder) => stampOfPacks(join(folder, "pack"))))).join(" ");
}

async function stampOfPacks(folder: string): Promise<string> {
  const found = await stat(folder, { bigint: true }).catch(() => undefined);
  return found === undefined ? "none" : [found.ino, found.mtimeNs, found.ctimeNs].join(".");
}
