import { compareDigits } from "./compare-digits.ts";

/** What may stand behind the numbers, from the earliest to the latest. */
const STABILITIES = [["dev"], ["alpha", "a"], ["beta", "b"], ["rc"], ["", "stable"], ["patch", "pl", "p"]] as const;

interface ComposerVersion {
  readonly numbers: readonly string[];
  readonly stability: number;
  /** Numbers behind the stability, such as the 2 of `RC2`. */
  readonly after: readonly string[];
  /** Work towards a version that has a stability already. */
  readonly isDev: boolean;
}

const VERSION = /^v?(\d+(?:\.\d+){0,3})(?:[._-]?(stable|beta|b|rc|alpha|a|patch|pl|p)([\d.-]*))?([.-]?dev)?(?:\+.*)?$/i;

/**
 * By the order of Composer: `dev`, alpha, beta and release candidates come before the release, patches after it.
 * @returns undefined where one of them is no version with numbers, such as the name of a branch
 */
export function compareComposer(a: string, b: string): number | undefined {
  const [left, right] = [parse(a), parse(b)];
  if (left === undefined || right === undefined) return undefined;
  return (
    compareLists(left.numbers, right.numbers, "0") ||
    left.stability - right.stability ||
    compareLists(left.after, right.after, undefined) ||
    Number(right.isDev) - Number(left.isDev)
  );
}

function parse(version: string): ComposerVersion | undefined {
  const [, numbers, word = "", after = "", dev] = VERSION.exec(version) ?? [];
  if (numbers === undefined) return undefined;
  const name = word.toLowerCase();
  const stability = STABILITIES.findIndex((same) => (same as readonly string[]).includes(name));
  const isStable = name === "" || name === "stable";
  return {
    numbers: numbers.split("."),
    // `1.0-dev` is work towards the first of all.
    stability: isStable && dev !== undefined ? 0 : stability,
    after: isStable ? [] : (after.match(/\d+/g) ?? []),
    isDev: dev !== undefined,
  };
}

/** @param missing what stands for a number that one of them does not have; without it that one comes first */
function compareLists(a: readonly string[], b: readonly string[], missing: string | undefined): number {
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const [left, right] = [a[at] ?? missing, b[at] ?? missing];
    if (left === undefined) return -1;
    if (right === undefined) return 1;
    const difference = compareDigits(left, right);
    if (difference !== 0) return difference;
  }
  return 0;
}
