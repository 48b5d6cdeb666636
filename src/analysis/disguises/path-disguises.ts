import { setImmediate } from "node:timers/promises";
import type { ChangedFile } from "../../domain/hunks.ts";
import { findUnseen } from "./invisible.ts";
import { likenessOf, skeletonOf } from "./look-alikes.ts";
import { escapeHidden } from "./show.ts";

const UNSEEN = /[\p{Cf}\p{DI}\p{Cc}]/gu;

/** Of a repository of 100,000 files no other work waits for longer than these take. */
const PATHS_A_TURN = 500;

/** Names that look the same may be as many as a repository has files; one of them is named. */
const MOST_ALIKE = 3;

/** Folders deeper than this are compared by whole paths only. */
const MOST_FOLDERS = 40;

export interface Twin {
  /** The file or folder that was there before, or comes with the same change. */
  readonly of: string;
  /** They differ in capitals only: two files to git and Linux, one to Windows and macOS. */
  readonly caseOnly: boolean;
}

/**
 * The files that a change adds or moves, and whose path, or the path of a new folder above them, is taken for another one of the same
 * head: by letters that look alike, by case, or by what stands unseen in a name or behind it.
 * @param paths every file of the head
 */
export async function findTwins(
  files: readonly ChangedFile[],
  paths: readonly string[],
): Promise<ReadonlyMap<string, Twin>> {
  const added = new Set(files.flatMap(({ path, status }) => (NEW.has(status) ? [path] : [])));
  const twins = new Map<string, Twin>();
  if (added.size === 0) return twins;
  const old = new Set<string>();
  const bySight = new Map<string, string[]>();
  const note = async (some: Iterable<string>, known: Set<string>) => {
    let left = PATHS_A_TURN;
    for (const path of some) {
      for (const place of placesOf(path)) {
        // Then the folders above it are known, too.
        if (known.has(place)) break;
        known.add(place);
        left -= 1;
        const seen = seenAs(place);
        const others = bySight.get(seen) ?? [];
        if (others.length < MOST_ALIKE) bySight.set(seen, [...others, place]);
      }
      if (left > 0) continue;
      await setImmediate();
      left = PATHS_A_TURN;
    }
  };
  // What was there before comes first, so that nothing new takes its place.
  await note(
    paths.filter((path) => !added.has(path)),
    old,
  );
  await note(added, new Set(old));
  for (const [at, path] of [...added].entries()) {
    if (at % PATHS_A_TURN === 0) await setImmediate();
    for (const place of placesOf(path)) {
      if (old.has(place)) break;
      const others = (bySight.get(seenAs(place)) ?? []).filter((other) => other !== place);
      // Of two that come together the plain one imitates nothing.
      const of = others.find((other) => old.has(other)) ?? others.find(isPlain);
      if (of === undefined) continue;
      twins.set(path, { of, caseOnly: isPlain(of) && isPlain(place) });
      break;
    }
  }
  return twins;
}

const NEW: ReadonlySet<ChangedFile["status"]> = new Set(["added", "renamed", "copied"]);

/** What file systems and fonts make of a path. Capitals first: that makes `ss` of `ß`. */
function seenAs(path: string): string {
  return lettersOf(path).toUpperCase().toLowerCase();
}

function lettersOf(path: string): string {
  const plain = /^[\x20-\x7e]*$/.test(path) ? path : skeletonOf(path).replace(UNSEEN, "");
  return /[. ](?:\/|$)/.test(plain) ? plain.replace(/(?<=[^. /])[. ]{1,20}(?=\/|$)/g, "") : plain;
}

function isPlain(path: string): boolean {
  return lettersOf(path) === path;
}

/** A path and the folders above it, the uppermost last. */
function placesOf(path: string): string[] {
  const folders: string[] = [];
  for (let slash = path.indexOf("/"); slash > 0 && folders.length < MOST_FOLDERS; slash = path.indexOf("/", slash + 1))
    folders.push(path.slice(0, slash));
  return [path, ...folders.reverse()];
}

/** What in the name of a file is not what it looks like, in sentences. */
export function odditiesOfPath(path: string): string[] {
  const shown = escapeHidden(path);
  if (/[\p{Cc}\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\u2028\u2029]/u.test(path) || findUnseen(path).length > 0)
    return [`The name of this file has characters that nobody sees: ${shown}`];
  const words = path.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu) ?? [];
  return words.some((word) => likenessOf(word) === "mixed")
    ? [`The name of this file mixes letters of different scripts that look alike: ${shown}`]
    : [];
}
