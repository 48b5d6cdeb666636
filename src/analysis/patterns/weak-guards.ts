import { DANGERS, type Danger } from "./row.ts";

/**
 * What a check shows of a text that does not yet make it harmless: bits after those of the dangers, so that values carry, join and
 * hand over both alike.
 */
const FIRST = DANGERS.length;
/** It begins with `/`. */
export const ROOTED = 1 << FIRST;
/** It does not begin with `//`. */
export const NO_SECOND_SLASH = 1 << (FIRST + 1);
/** It does not begin with `/\`. */
export const NO_BACKSLASH = 1 << (FIRST + 2);
/** It begins with the name of a host, behind which anything may follow. */
export const BEGINS_WITH_HOST = 1 << (FIRST + 3);
/** It holds a text, or ends with it, before which anything may stand. */
export const HOLDS_TEXT = 1 << (FIRST + 4);
/** `../` was taken out of it once. */
export const WITHOUT_PARENTS = 1 << (FIRST + 5);

/** A path of this site: nothing that a browser reads as another host. */
const OF_SITE = ROOTED | NO_SECOND_SLASH | NO_BACKSLASH;

/** Why a check does not hold, by a word that goes through JSON. */
export const HOLES = {
  backslash: "The check before it lets `/\\evil.example` pass, which browsers read as `//evil.example`: another host.",
  "second slash": "The check before it lets `//evil.example` pass, which browsers read as another host.",
  "longer host":
    "The check before it lets a longer host pass (`https://example.com.evil.example`): put a `/` behind the host, or compare `new URL(…).host`.",
  "any place":
    "The check before it looks for a text in any place, so that an address of another host passes with it: compare `new URL(…).host`.",
  "taken out once": "Taking `../` out once leaves `../` of `....//`.",
} as const;
export type Hole = keyof typeof HOLES;

const ADDRESSES: ReadonlySet<Danger> = new Set(["redirect", "url", "browser"]);

/** Whether the checks together make a text harmless: each of them alone does not. */
export function holdTogether(danger: Danger, clean: number): boolean {
  return danger === "redirect" && (clean & OF_SITE) === OF_SITE;
}

/** Why the checks that were made are not enough. */
export function holeOf(danger: Danger, clean: number): Hole | undefined {
  if (danger === "path") return clean & WITHOUT_PARENTS ? "taken out once" : undefined;
  if (!ADDRESSES.has(danger)) return undefined;
  if (clean & BEGINS_WITH_HOST) return "longer host";
  if (clean & ROOTED && danger === "redirect") return clean & NO_SECOND_SLASH ? "backslash" : "second slash";
  return clean & HOLDS_TEXT ? "any place" : undefined;
}
