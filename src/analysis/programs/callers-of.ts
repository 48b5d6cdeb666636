import type { UncoveredFile } from "../../domain/review-report.ts";
import { takeTurns } from "../../workspace/files/turns.ts";
import type { CallsWanted } from "../child/protocol.ts";
import type { Tree } from "../tree.ts";
import { type Asked, unreadCalls } from "./ask-calls.ts";
import { isCallingFile } from "./calling-files.ts";

const LIMITS = {
  /** A repository has some dozens. */
  read: 400,
  /** In bytes. */
  largest: 256 * 1024,
  /** Calling files that are searched for names of changed files where there are more than are read. */
  searched: 20_000,
  /** In bytes. */
  largestSearched: 8 * 1024 * 1024,
  /** Contents held in memory at once, in characters. */
  characters: 64 * 1024 * 1024,
  batch: 500,
} as const;

/** A path is looked at in 3 µs: some 2 ms. */
const PATHS_TURN = { most: 500 };
/** To search 256 KiB takes some 10 ms. */
const TEXTS_TURN = { most: 100, unitsOfStep: 4 * 1024 };

/** How likely a calling file has a changed file run: it names one, it has a pattern that may be one, or neither. */
const RANKS = ["names", "pattern", "neither"] as const;
type Rank = (typeof RANKS)[number];

interface Left {
  readonly path: string;
  readonly rank: Rank;
}

export interface FoundCallers {
  readonly asked: readonly Asked[];
  /** Calling files that a limit keeps from being read and that may have a changed file run. */
  readonly unread: readonly UncoveredFile[];
}

/**
 * The files of a repository that say what is to be run: manifests, hooks, pipelines, images, settings of tools. Where there are more than are read,
 * those that name a changed file come first, so that no limit hides them.
 * @param changed paths
 */
export async function callersOf(
  { paths, readMany }: Tree,
  calls: CallsWanted,
  signal: AbortSignal,
  changed: readonly string[],
): Promise<FoundCallers> {
  const turn = takeTurns(PATHS_TURN);
  const callers: string[] = [];
  for (const path of paths) {
    if (isCallingFile(path)) callers.push(path);
    await turn();
  }
  const rankOf = ranking(changed);
  const asked: Record<Rank, Asked[]> = { names: [], pattern: [], neither: [] };
  const large: Left[] = [];
  const beyond: Left[] = callers.slice(LIMITS.searched).map((path) => ({ path, rank: "names" }));
  let characters = 0;
  for (let at = 0; at < Math.min(callers.length, LIMITS.searched); at += LIMITS.batch) {
    const batch = callers.slice(at, Math.min(at + LIMITS.batch, LIMITS.searched));
    for (const [path, bytes] of await readMany(batch, signal, LIMITS.largestSearched)) {
      const isLarge = bytes.length > LIMITS.largest;
      const text = bytes.toString("utf8");
      const rank = isLarge || callers.length > LIMITS.read ? await rankOf(text) : "names";
      const hasRoom = asked[rank].length < LIMITS.read && characters + text.length <= LIMITS.characters;
      if (isLarge || !hasRoom) {
        (isLarge ? large : beyond).push({ path, rank });
        continue;
      }
      characters += text.length;
      asked[rank].push({ path, text, calls });
    }
  }
  const found = RANKS.flatMap((rank) => asked[rank].map((file) => ({ file, rank })));
  beyond.push(...found.slice(LIMITS.read).map(({ file: { path }, rank }) => ({ path, rank })));
  // Who asks for every caller needs those too that name a changed file by way of others.
  const isGap = ({ rank }: Left) => calls === "all and named" || rank === "names";
  return {
    asked: found.slice(0, LIMITS.read).map(({ file }) => file),
    unread: [
      ...large.filter(isGap).map(({ path }) => unreadCalls(path, "it is larger than 256 KiB")),
      ...cutAt(beyond.filter(isGap), true),
      ...cutAt(
        beyond.filter((each) => !isGap(each) && each.rank === "pattern"),
        false,
      ),
    ],
  };
}

/** One line for all that are too many: the first is named, and the others are counted. */
function cutAt([first, ...more]: readonly Left[], gap: boolean): UncoveredFile[] {
  if (first === undefined) return [];
  const others = more.length === 0 ? "" : `, nor are ${more.length} more`;
  return [{ ...unreadCalls(first.path, `it is not among the ${LIMITS.read} such files that are read${others}`), gap }];
}

/** What stands between spaces, quotes and the signs of shells and paths. */
const WORD = /[^\s"'`$(){}[\]<>|&;=,:/\\]+/g;

function ranking(changed: readonly string[]): (text: string) => Promise<Rank> {
  const turn = takeTurns(TEXTS_TURN);
  const names = new Set(changed.map((path) => path.match(WORD)?.at(-1)));
  return async (text) => {
    await turn(text.length);
    // A name without any word cannot be searched for.
    if (names.has(undefined)) return "names";
    for (const [word] of text.matchAll(WORD)) if (names.has(word)) return "names";
    return text.includes("*") ? "pattern" : "neither";
  };
}
