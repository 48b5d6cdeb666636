import { defined } from "../../domain/defined.ts";
import type { Observation } from "../../domain/findings.ts";
import { takeTurns } from "../../workspace/files/turns.ts";
import type { Analyser, AnalyserContext, AnalyserProblem, AnalyserResult } from "../analyser.ts";
import type { FileComparison, SuspectPackage } from "../child/protocol.ts";
import type { PackageVersion } from "../dependencies/advisory-source.ts";
import { addLeft, askAbout, nothingLeft } from "../dependencies/ask-about.ts";
import { askRegistries, describeMissing } from "../dependencies/ask-registries.ts";
import { beside, compareFiles, isDependencyFile } from "../dependencies/compare-files.ts";
import type { Wanted } from "../dependencies/compare-manifest.ts";
import { describeAdvisories, locatePackage } from "../dependencies/describe-advisories.ts";
import { noteUnjudged, observeSteps } from "../dependencies/drift/describe-steps.ts";
import { lockFileOf } from "../dependencies/lock-files.ts";
import type { LockedPackage } from "../dependencies/locked-package.ts";
import { noteUnlocked, readOwn } from "../dependencies/read-locks.ts";
import { followLists, mayBeListed, noteLinks } from "../dependencies/requirement-links.ts";
import { isUnreadManifest, unreadManifests } from "../dependencies/unread-manifests.ts";
import type { SourceFile } from "../source-file.ts";

/**
 * Lock files compared as data, and the packages they add looked up where vulnerabilities are known; of manifests, what no lock file holds.
 * Packages as they were are no news. Files of packages that are not read are named.
 */
export const dependencies: Analyser = {
  name: "dependencies",
  version: "5",
  layer: "security",
  appliesTo: ({ path }) => isDependencyFile(path) || isUnreadManifest(path) || mayBeListed(path),
  analyse: analyseDependencies,
};

interface Suspect {
  readonly file: SourceFile;
  readonly package: SuspectPackage;
}

/** Some 10 ms: looking for a package in 200 lines of a manifest takes as long as a step by itself. */
const PLACING_TURN = { most: 200, unitsOfStep: 200 };

async function analyseDependencies(all: readonly SourceFile[], context: AnalyserContext): Promise<AnalyserResult> {
  const lists = await followLists(all, context);
  const files = all.filter(({ path }) => isDependencyFile(path) || lists.named.has(path));
  // What only loses lines asks for nothing new.
  const others = all
    .filter(({ path, addedLines }) => !isDependencyFile(path) && isUnreadManifest(path) && addedLines.size > 0)
    .map(({ path }) => path);
  const byPath = new Map(files.map((file) => [file.path, file]));
  const { compared = new Map<string, FileComparison>() } = context;
  const open = files.filter(({ path }) => !compared.has(path));
  const results = new Map([...compared, ...(await compareFiles(open, context, lists))]);
  const problems: AnalyserProblem[] = [];
  const unjudged: string[] = [];
  let unread = 0;
  const observations: Observation[] = [];
  const suspects: Suspect[] = [];
  const wanted: (Wanted & { readonly file: SourceFile })[] = [];
  const left = nothingLeft();
  const turn = takeTurns(PLACING_TURN);
  const place = async (of: Pick<LockedPackage, "name" | "line" | "endLine">, file: SourceFile) => {
    const manifests = beside(file.path, lockFileOf(file.path)?.manifests ?? [], byPath);
    await turn(manifests.reduce((lines, { addedLines }) => lines + addedLines.size, 0));
    return locatePackage(of, file, manifests);
  };
  for (const [path, result] of results) {
    if ("unread" in result && !byPath.has(path)) unjudged.push(path);
    if ("unread" in result || "fault" in result) continue;
    observations.push(...observeSteps(path, result, byPath).map((step) => ({ ...COMMON, ...step })));
    if (result.isUnjudged) unjudged.push(path);
  }
  for (const file of files) {
    const result = results.get(file.path)!;
    if ("unread" in result) {
      unread += 1;
      problems.push({ file: file.path, reason: `its packages were not checked: ${result.unread}`, gap: true });
      continue;
    }
    if ("fault" in result) {
      left.files += 1;
      problems.push({ file: file.path, reason: `its packages were not compared: ${result.fault}`, gap: true });
      continue;
    }
    // Hashes of what was there before stand in lines that the change has to have touched.
    for (const { package: of, ...signal } of result.signals) {
      observations.push({ ...COMMON, ...signal, rule: `dependencies/${signal.rule}`, ...(await place(of, file)) });
    }
    // Of the others the classification of files says so.
    if (result.strange !== undefined && (lockFileOf(file.path)?.written || lists.named.has(file.path)))
      problems.push({ file: file.path, reason: notUnderstood(result.strange), gap: true });
    for (const of of result.suspects) suspects.push({ file, package: of });
    for (const one of result.unlocked ?? []) wanted.push({ ...one, file });
    addLeft(left, result);
  }
  const isOwn = wanted.length + suspects.length === 0 ? () => false : await readOwn(files, context);
  const unlocked = wanted.filter((one) => !isOwn(one));
  // Where nobody is asked about any package, the review says so of all together.
  if (context.advisories !== undefined && unlocked.length > 0)
    problems.push({ reason: noteUnlocked(unlocked), gap: true });
  const {
    answer,
    packages: looked,
    gaps,
  } = await askAbout(
    suspects.map((suspect) => suspect.package),
    { ...left, unlocked, files: left.files + unread + others.length },
    context,
  );
  const sought = [
    ...suspects.filter((suspect) => !isOwn(suspect.package)).map(({ file, package: of }) => ({ ...of, file })),
    ...unlocked.map((one) => ({ ...one, endLine: one.line })),
  ];
  const found = await askRegistries(sought, byPath, context);
  for (const one of found?.missing ?? [])
    observations.push({ ...COMMON, ...describeMissing(one), ...(await place(one, one.file)) });
  const known = Map.groupBy(answer.advisories, ({ package: of }) => keyOf(of));
  for (const { file, package: of } of suspects) {
    const waited = turn();
    if (waited) await waited;
    const advisories = known.get(keyOf(of));
    if (advisories === undefined) continue;
    observations.push({ ...COMMON, ...describeAdvisories(advisories), ...(await place(of, file)) });
  }
  // With an advisory service this keeps the review from being complete; without one a note is enough.
  const isAsked = context.advisories !== undefined;
  const kinds = others.length === 0 ? [] : [unreadManifests(others)];
  const notes: string[] = isAsked ? [] : kinds.map((kind) => `Known vulnerabilities: not checked in ${kind}.`);
  notes.push(...unjudged.map(noteUnjudged));
  const missing = isAsked ? [...kinds.map((kind) => `not checked: ${kind}`), ...noteLinks(lists)] : [];
  problems.push(...[...gaps, ...missing].map((reason) => ({ reason, gap: true })));
  const packages = looked && { ...looked, ...defined({ registries: found?.registries }) };
  return { observations, filesRead: files.length - unread, problems, notes, ...defined({ packages }) };
}

function notUnderstood(line: number): string {
  return `line ${line} names no package that Forge can read; the other lines were compared`;
}

function keyOf({ ecosystem, name, version }: PackageVersion): string {
  return `${ecosystem}\0${name}\0${version}`;
}

const COMMON = { source: "security", category: "security" } as const;
