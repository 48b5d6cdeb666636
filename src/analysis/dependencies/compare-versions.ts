import { compare as comparePython, valid as isPython } from "@renovatebot/pep440";
import semver from "semver";
import type { Ecosystem } from "./advisory-source.ts";
import { compareDigits } from "./compare-digits.ts";
import { compareComposer } from "./composer-version.ts";
import { compareMaven } from "./maven-version.ts";

const LOOSE = { loose: true } as const;

/**
 * Negative when `a` is the earlier version, by the rules of the ecosystem: semver.org for npm, Go and crates.io, that with NuGet's fourth
 * number and letters of any case, that with Pub's order of builds, PEP 440 for PyPI, `Gem::Version` for RubyGems, and the orders of Maven
 * and Composer. What is no version by these rules is compared by its numbers and words from left to right.
 */
export function compareVersions(ecosystem: Ecosystem, a: string, b: string): number {
  if (ecosystem === "PyPI") return isPython(a) && isPython(b) ? comparePython(a, b) : comparePlain(a, b);
  if (ecosystem === "RubyGems") return compareParted(gemParts(a), gemParts(b));
  if (ecosystem === "Maven") return compareMaven(a, b);
  if (ecosystem === "Packagist") return compareComposer(a, b) ?? comparePlain(a, b);
  if (ecosystem === "NuGet") return compareNuget(a, b) ?? comparePlain(a, b);
  const [left, right] = [semver.parse(a, LOOSE), semver.parse(b, LOOSE)];
  if (left === null || right === null) return comparePlain(a, b);
  return semver.compare(left, right) || (ecosystem === "Pub" ? compareBuilds(left.build, right.build) : 0);
}

/** Pub orders builds as pre-releases are ordered, and a version without one comes first. */
function compareBuilds(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return a.length - b.length;
  const [left, right] = [a, b].map((build) => semver.parse(`0.0.0-${build.join(".")}`, LOOSE));
  return left && right ? semver.compare(left, right) : 0;
}

const NUGET = /^(\d+(?:\.\d+){0,3})(?:-([\da-z.-]+))?(?:\+.*)?$/;

/** Four numbers, of which the last ones may be left out, and a pre-release in letters of any case. */
function compareNuget(a: string, b: string): number | undefined {
  const [left, right] = [a, b].map((version) => NUGET.exec(version.toLowerCase()));
  if (!left || !right) return undefined;
  const [of, others] = [left, right].map(([, numbers = ""]) => numbers.split("."));
  for (let at = 0; at < 4; at += 1) {
    const difference = compareDigits(of![at] ?? "0", others![at] ?? "0");
    if (difference !== 0) return difference;
  }
  const [before, after] = [left, right].map(([, , pre]) =>
    semver.parse(pre === undefined ? "0.0.0" : `0.0.0-${pre}`, LOOSE),
  );
  return before && after ? semver.compare(before, after) : undefined;
}

/** Machines that gems are built for, behind the version. */
const PLATFORM =
  /-(?:java|jruby|ruby|mswin|mingw|dalvik|dotnet|macruby|x86|x64|i[3-6]86|amd64|arm|aarch64|universal|powerpc|ppc|s390|riscv)/;

/**
 * Without the platform, which says nothing of what is earlier; a hyphen stands for a pre-release, zeros before it and at the end for nothing.
 * Capitals come before all other letters.
 */
function gemParts(version: string): readonly string[] {
  const platform = version.search(PLATFORM);
  const words = wordsOf((platform === -1 ? version : version.slice(0, platform)).replaceAll("-", ".pre."));
  const letters = words.findIndex((word) => !/^\d/.test(word));
  const start = letters === -1 ? words.length : letters;
  return [...withoutZeros(words.slice(0, start)), ...withoutZeros(words.slice(start))];
}

function withoutZeros(words: readonly string[]): readonly string[] {
  return words.slice(0, words.findLastIndex((word) => compareParts(word, "0") !== 0) + 1);
}

/** By numbers from left to right; a version with letters after its numbers (`-rc.1`, `b2`) comes before the one without. */
function comparePlain(a: string, b: string): number {
  const [left, right] = [a, b].map((version) =>
    wordsOf(
      version
        .replace(/^[v=]+/, "")
        .split("+", 1)
        .join()
        .toLowerCase(),
    ),
  );
  return compareParted(left!, right!);
}

/** Numbers and words without what stands between them. */
function wordsOf(version: string): readonly string[] {
  return version.match(/\d+|[A-Za-z]+/g) ?? [];
}

function compareParted(left: readonly string[], right: readonly string[]): number {
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const difference = compareParts(left[at] ?? "0", right[at] ?? "0");
    if (difference !== 0) return difference;
  }
  return 0;
}

function compareParts(a: string, b: string): number {
  const [isNumber, isOtherNumber] = [/^\d/.test(a), /^\d/.test(b)];
  if (isNumber && isOtherNumber) return compareDigits(a, b);
  if (isNumber || isOtherNumber) return isNumber ? 1 : -1;
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Whether a version of an npm package lies in ranges as npm writes them (`>=1.0.0 <1.2.3 || <0.5.0`), pre-releases included: advisories
 * are about these too. A version or a range that cannot be read counts as inside: a vulnerability is rather named once too often.
 */
export function satisfies(version: string, ranges: string): boolean {
  if (semver.parse(version, LOOSE) === null || semver.validRange(ranges, LOOSE) === null) return true;
  return semver.satisfies(version, ranges, { ...LOOSE, includePrerelease: true });
}
