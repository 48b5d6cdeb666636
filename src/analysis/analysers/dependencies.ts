import { defined } from "../../domain/defined.ts";
import type { Observation } from "../../domain/findings.ts";
import { takeTurns } from "../../workspace/files/turns.ts";
import type { Analyser, AnalyserContext, AnalyserProblem, AnalyserResult } from "../analyser.ts";
import type { ChildFile, LockResult, SuspectPackage } from "../child/protocol.ts";
import type { AdvisoryAnswer, PackageVersion } from "../dependencies/advisory-source.ts";
import type { LockText, Wanted } from "../dependencies/compare-manifest.ts";
import { describeAdvisories, locatePackage } from "../dependencies/describe-advisories.ts";
import { dependencyName, lockFileOf } from "../dependencies/lock-files.ts";
import type { LockedPackage } from "../dependencies/locked-package.ts";
import { noteUnlocked, readLocks, withoutOwn } from "../dependencies/read-locks.ts";
import { manifestReader } from "../dependencies/read-manifests.ts";
import { isUnreadManifest, unreadManifests } from "../dependencies/unread-manifests.ts";
import { runInChild } from "../reader/run-in-child.ts";
import type { SourceFile } from "../source-file.ts";

/**
 * Lock files compared as data, and the packages they add looked up where vulnerabilities are known; of manifests, what no lock file holds.
 * Packages as they were are no news. Files of packages that are not read are named.
 */
export const dependencies: Analyser = {
  name: "dependencies",
  version: "3",
  layer: "security",
  appliesTo: ({ path }) => isRead(path) || isUnreadManifest(path),
  analyse: analyseDependencies,
};

function isRead(path: string): boolean {
  return lockFileOf(path) !== undefined || manifestReader(dependencyName(path)) !== undefined;
}

interface Suspect {
  readonly file: SourceFile;
  readonly package: SuspectPackage;
}

/** Some 10 ms: looking for a package in 200 lines of a manifest takes as long as a step by itself. */
const PLACING_TURN = { most: 200, unitsOfStep: 200 };

async function analyseDependencies(all: readonly SourceFile[], context: AnalyserContext): Promise<AnalyserResult> {
  const files = all.filter(({ path }) => isRead(path));
  // What only loses lines asks for nothing new.
  const others = all.filter(({ path, addedLines }) => !isRead(path) && addedLines.size > 0).map(({ path }) => path);
  const byPath = new Map(files.map((file) => [file.path, file]));
  const locksOf = await readLocks(files, context);
  const asked = files.flatMap((file, id) => requestOf(file, id, byPath, locksOf) ?? []);
  const { results, unread } = await runInChild<LockResult>("locks", asked, context);
  const problems = unread.map(
    ({ id, reason }): AnalyserProblem => ({
      file: files[id]?.path ?? "",
      reason: `its packages were not checked: ${reason}`,
      gap: true,
    }),
  );
  const observations: Observation[] = [];
  const suspects: Suspect[] = [];
  const wanted: Wanted[] = [];
  let count = 0;
  const turn = takeTurns(PLACING_TURN);
  const place = async (of: Pick<LockedPackage, "name" | "line" | "endLine">, file: SourceFile) => {
    const manifests = beside(file.path, lockFileOf(file.path)?.manifests ?? [], byPath);
    await turn(manifests.reduce((lines, { addedLines }) => lines + addedLines.size, 0));
    return locatePackage(of, file, manifests);
  };
  for (const [id, result] of results) {
    const file = files[id]!;
    if ("fault" in result) {
      problems.push({ file: file.path, reason: `its packages were not compared: ${result.fault}`, gap: true });
      continue;
    }
    // Hashes of what was there before stand in lines that the change has to have touched.
    for (const { package: of, ...signal } of result.signals) {
      observations.push({ ...COMMON, ...signal, rule: `dependencies/${signal.rule}`, ...(await place(of, file)) });
    }
    observations.push(...observeDrifts(file, result.drifts));
    if (result.strange !== undefined)
      problems.push({ file: file.path, reason: notUnderstood(result.strange), gap: true });
    for (const of of result.suspects) suspects.push({ file, package: of });
    wanted.push(...(result.unlocked ?? []));
    count += result.count;
  }
  const unlocked = await withoutOwn(wanted, files, context);
  // Where nobody is asked about any package, the note below says so.
  if (context.advisories === undefined) count += unlocked.length;
  else if (unlocked.length > 0) problems.push({ reason: noteUnlocked(unlocked), gap: true });
  const { answer, notes, gaps } = await ask(suspects, count, context);
  const known = Map.groupBy(answer.advisories, ({ package: of }) => keyOf(of));
  for (const { file, package: of } of suspects) {
    const waited = turn();
    if (waited) await waited;
    const advisories = known.get(keyOf(of));
    if (advisories === undefined) continue;
    observations.push({ ...COMMON, ...describeAdvisories(advisories), ...(await place(of, file)) });
  }
  // With an advisory service this keeps the review from being complete; without one a note is enough.
  if (others.length > 0 && context.advisories === undefined) {
    notes.push(`Known vulnerabilities: not checked in ${unreadManifests(others)}.`);
  } else if (others.length > 0) gaps.push(`not checked: ${unreadManifests(others)}`);
  problems.push(...gaps.map((reason) => ({ reason, gap: true })));
  return { observations, filesRead: files.length - unread.length, problems, notes };
}

function notUnderstood(line: number): string {
  return `line ${line} names no package that Forge can read; the other lines were compared`;
}

/** Lock files may have 4 MB: reading them here would hold up every other review. */
function requestOf(
  { path, text, oldText }: SourceFile,
  id: number,
  files: ReadonlyMap<string, SourceFile>,
  locksOf: (path: string) => readonly LockText[],
): ChildFile | undefined {
  const locks = manifestReader(dependencyName(path)) && locksOf(path);
  // Both sides have to be in the change: what stands elsewhere is not at hand.
  const [manifest] = beside(path, ["package.json"], files);
  return {
    ...{
      id,
      text,
      lock: { name: dependencyName(path), ...defined({ manifest: lockFileOf(path) && manifest?.text, locks }) },
    },
    ...defined({ oldText }),
  };
}

const COMMON = { source: "security", category: "security" } as const;

/** Some 10 ms. */
const ASKING_TURN = { most: 10_000 };

function keyOf({ name, version }: Pick<PackageVersion, "name" | "version">): string {
  return `${name}\0${version}`;
}

/** @param all how many there are, of which the suspects may be the first */
async function ask(
  suspects: readonly Suspect[],
  all: number,
  { advisories, signal }: AnalyserContext,
): Promise<{ answer: AdvisoryAnswer; notes: string[]; gaps: string[] }> {
  const nothing: AdvisoryAnswer = { advisories: [] };
  if (all === 0) return { answer: nothing, notes: [], gaps: [] };
  const count = all === 1 ? "1 package" : `${all} packages`;
  if (advisories === undefined) {
    const note = `Known vulnerabilities of ${count} added or changed: not checked, as no advisory service is configured.`;
    return { answer: nothing, notes: [note], gaps: [] };
  }
  const asked = new Map<string, PackageVersion>();
  const turn = takeTurns(ASKING_TURN);
  for (const {
    package: { ecosystem, name, version },
  } of suspects) {
    const others = turn();
    if (others) await others;
    asked.set(`${ecosystem}\0${name}\0${version}`, { ecosystem, name, version });
  }
  const known = [...asked.values()].filter(({ ecosystem }) => advisories.ecosystems.includes(ecosystem));
  const answer = await advisories.query(known, signal);
  if (answer.unchecked !== undefined) {
    return { answer, notes: [], gaps: [`${count} added or changed not checked: ${answer.unchecked}`] };
  }
  if (known.length === asked.size) return { answer, notes: [], gaps: [] };
  const others = [...new Set(suspects.map(({ package: { ecosystem } }) => ecosystem))].filter(
    (one) => !advisories.ecosystems.includes(one),
  );
  const note = `Known vulnerabilities of packages of ${others.join(", ")}: not checked, as the configured service does not know them.`;
  return { answer, notes: [note], gaps: [] };
}

/** The changed manifests in the folder of a lock file. */
function beside(path: string, names: readonly string[], files: ReadonlyMap<string, SourceFile>): SourceFile[] {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  return names.flatMap((name) => files.get(`${folder}${name}`) ?? []);
}

function observeDrifts(
  lock: SourceFile,
  drifts: readonly { name: string; wanted: string; locked?: string; line: number }[],
): Observation[] {
  const name = nameOf(lock.path);
  return drifts.map((drift) => {
    const has = drift.locked === undefined ? "does not have it" : `has it as ${drift.locked}`;
    return {
      ...COMMON,
      rule: "dependencies/out-of-step",
      severity: "warning",
      confidence: 0.8,
      file: `${lock.path.slice(0, -name.length)}package.json`,
      line: drift.line,
      endLine: drift.line,
      message: `${drift.name} is wanted as ${drift.wanted}, and ${name} ${has}.`,
      why: "A clean installation fails or installs something else than was reviewed: install once and commit the lock file.",
    };
  });
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
