import { compare as comparePython, valid as isPython } from "@renovatebot/pep440";
import semver from "semver";
import type { Ecosystem } from "./advisory-source.ts";
import { compareComposer, compareMaven } from "./qualified-versions.ts";

const LOOSE = { loose: true } as const;

/**
 * Negative when `a` is the earlier version, by the rules of the ecosystem: semver.org for npm, Go, crates.io, NuGet and Pub, PEP 440 for PyPI,
 * `Gem::Version` for RubyGems, and the orders of Maven and Composer. What is no version by these rules is compared by its numbers and words from
 * left to right.
 */
export function compareVersions(ecosystem: Ecosystem, a: string, b: string): number {
  if (ecosystem === "PyPI") return isPython(a) && isPython(b) ? comparePython(a, b) : comparePlain(a, b);
  if (ecosystem === "RubyGems") return comparePlain(ofGem(a), ofGem(b));
  if (ecosystem === "Maven") return compareMaven(a, b);
  if (ecosystem === "Packagist") return compareComposer(a, b);
  const [left, right] = [semver.parse(a, LOOSE), semver.parse(b, LOOSE)];
  return left && right ? semver.compare(left, right) : comparePlain(a, b);
}

/** Machines that gems are built for, behind the version. */
const PLATFORM =
  /-(?:java|jruby|ruby|mswin|mingw|dalvik|dotnet|macruby|x86|x64|i[3-6]86|amd64|arm|aarch64|universal|powerpc|ppc|s390|riscv)/;

/** Without the platform, which says nothing of what is earlier; a hyphen stands for a pre-release. */
function ofGem(version: string): string {
  const platform = version.search(PLATFORM);
  return (platform === -1 ? version : version.slice(0, platform)).replaceAll("-", ".pre.");
}

type Part = number | string;

/** By numbers from left to right; a version with letters after its numbers (`-rc.1`, `b2`) comes before the one without. */
function comparePlain(a: string, b: string): number {
  const left = partsOf(a);
  const right = partsOf(b);
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const difference = compareParts(left[at], right[at]);
    if (difference !== 0) return difference;
  }
  return 0;
}

function partsOf(version: string): Part[] {
  const [released = ""] = version.replace(/^[v=]+/, "").split("+");
  return (released.match(/\d+|[A-Za-z]+/g) ?? []).map((part) => (/^\d/.test(part) ? Number(part) : part.toLowerCase()));
}

function compareParts(a: Part | undefined, b: Part | undefined): number {
  // `1.2` is `1.2.0`, and `1.2-rc` is before both.
  const [left, right] = [a ?? (typeof b === "string" ? 1 : 0), b ?? (typeof a === "string" ? 1 : 0)];
  if (typeof left === "number" && typeof right === "number") return left - right;
  if (typeof left === "string" && typeof right === "string") return left < right ? -1 : left > right ? 1 : 0;
  return typeof left === "string" ? -1 : 1;
}

/**
 * Whether a version of an npm package lies in ranges as npm writes them (`>=1.0.0 <1.2.3 || <0.5.0`), pre-releases included: advisories
 * are about these too. A version or a range that cannot be read counts as inside: a vulnerability is rather named once too often.
 */
export function satisfies(version: string, ranges: string): boolean {
  if (semver.parse(version, LOOSE) === null || semver.validRange(ranges, LOOSE) === null) return true;
  return semver.satisfies(version, ranges, { ...LOOSE, includePrerelease: true });
}
