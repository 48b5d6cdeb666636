import { defined } from "../../domain/defined.ts";
import type { PackageLookups, Unasked } from "../../domain/review-report.ts";
import { takeTurns } from "../../workspace/files/turns.ts";
import type { AnalyserContext } from "../analyser.ts";
import type { LockResult, SuspectPackage } from "../child/protocol.ts";
import { type AdvisoryAnswer, ECOSYSTEMS, type PackageVersion } from "./advisory-source.ts";
import { ADVISORY_LIMITS } from "./ask-service.ts";
import type { Wanted } from "./compare-manifest.ts";
import type { LockedPackage } from "./locked-package.ts";

/** Counts over all files of a change. */
interface LeftPackages {
  /** Packages that can be looked up, of which the suspects may be the first of each file. */
  count: number;
  mirrored: number;
  /** Files that could not be read, and files with a line that was not understood. */
  files: number;
  strange: number;
  readonly elsewhere: Partial<Record<LockedPackage["source"], number>>;
}

export function nothingLeft(): LeftPackages {
  return { count: 0, mirrored: 0, files: 0, strange: 0, elsewhere: {} };
}

/** Adds what one file says. */
export function addLeft(left: LeftPackages, result: Exclude<LockResult, { fault: string }>): void {
  left.count += result.count;
  left.mirrored += result.mirrored;
  if (result.strange !== undefined) left.strange += 1;
  for (const [source, count] of Object.entries(result.elsewhere) as [LockedPackage["source"], number][])
    left.elsewhere[source] = (left.elsewhere[source] ?? 0) + count;
}

interface Asked {
  readonly answer: AdvisoryAnswer;
  /** Absent where the change adds and updates no package. */
  readonly packages?: PackageLookups;
  /** What keeps the review from being complete. */
  readonly gaps: readonly string[];
}

/** Some 10 ms. */
const ASKING_TURN = { most: 10_000 };

/** Looks the packages up where vulnerabilities are known, each version once, and counts those of which nobody was asked (REV-8). */
export async function askAbout(
  suspects: readonly SuspectPackage[],
  left: LeftPackages & { readonly unlocked: readonly Wanted[] },
  { advisories, signal }: Pick<AnalyserContext, "advisories" | "signal">,
): Promise<Asked> {
  const { count, unlocked } = left;
  if (advisories === undefined) {
    const all = count + unlocked.length;
    return { answer: { advisories: [] }, gaps: [], ...lookups(0, { ...left, unlocked: [] }, { unconfigured: all }) };
  }
  const asked = new Map<string, PackageVersion>();
  const turn = takeTurns(ASKING_TURN);
  for (const { ecosystem, name, version } of suspects) {
    const others = turn();
    if (others) await others;
    asked.set(`${ecosystem}\0${name}\0${version}`, { ecosystem, name, version });
  }
  const known = [...asked.values()].filter(({ ecosystem }) => advisories.ecosystems.includes(ecosystem));
  const answer: AdvisoryAnswer = count === 0 ? { advisories: [] } : await advisories.query(known, signal);
  const isAlien = (ecosystem: string) => suspects.some((one) => one.ecosystem === ecosystem);
  const aliens = ECOSYSTEMS.filter((one) => !advisories.ecosystems.includes(one) && isAlien(one));
  const above = Math.max(0, known.length - ADVISORY_LIMITS.packages);
  const unanswered = Math.max(0, (answer.unanswered?.length ?? 0) - above);
  const unasked = {
    limit: count - suspects.length + above,
    ecosystem: asked.size - known.length,
    unanswered,
  };
  const details = { ecosystem: aliens.join(", "), unanswered: answer.unchecked };
  const what = count === 1 ? "1 package" : `${count} packages`;
  return {
    ...{ answer, ...lookups(known.length - above - unanswered, left, unasked, details) },
    gaps: answer.unchecked === undefined ? [] : [`${what} added or changed not checked: ${answer.unchecked}`],
  };
}

/** @param unasked packages that could have been looked up, by why they were not */
function lookups(
  asked: number,
  { mirrored, files, strange, elsewhere, unlocked }: LeftPackages & { readonly unlocked: readonly Wanted[] },
  unasked: Partial<Record<Unasked, number>>,
  details: Partial<Record<Unasked, string | undefined>> = {},
): { readonly packages?: PackageLookups } {
  const unsaid = unlocked.filter(isUnsaid).length;
  const { registry: _looked, ...from } = elsewhere;
  const counts: Partial<Record<Unasked, number>> = {
    ...from,
    ...{ range: unlocked.length - unsaid, unsaid, ...unasked, lines: strange, files },
  };
  const told = (Object.entries(counts) as [Unasked, number][])
    .filter(([, count]) => count > 0)
    .map(([why, count]) => ({ why, count, ...defined({ detail: details[why] }) }));
  // Folders of the repository alone are nothing that anyone would look up.
  if (asked === 0 && told.every(({ why }) => why === "link")) return {};
  const some = Math.min(mirrored, asked);
  return { packages: { asked, ...defined({ mirrored: some > 0 ? some : undefined }), unasked: told } };
}

/** Maven has no lock files, and a parent elsewhere may say the version. */
export function isUnsaid({ ecosystem, wanted }: Wanted): boolean {
  return ecosystem === "Maven" && wanted === "";
}
